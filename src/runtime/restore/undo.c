/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo.c - logs files and names before they change, and restores them after every execution. */
#include "runtime/restore/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/restore/file_turns.h"
#include "runtime/restore/process.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/undo_log.h"
#include "wire/wire.h"

enum { ROOM = HD_UNDO_PATH, PIECE = 64 * 1024, KNOWN = 256 };
#define LARGEST (INT64_C(64) << 20) /* bytes: larger files are not copied for each execution */

static int log_fd = -1;
static uint64_t log_inode, log_device; /* to detect that the target has closed log_fd and reused its number */
static uint64_t last, end; /* offsets in the log at which the last record begins and ends */
static uint64_t known[KNOWN]; /* hashes of paths in the log (U3) */
static unsigned nknown;
static char piece[PIECE];

/* The conductor has created the file with permissions for this user only.  Each process that has it
 * open holds a lock on it; a later Heddle treats a log without a lock as that of a dead process. */
static long open_log(void)
{
    long fd = -1;

    if (hd.wire->undo[0] != '\0')
        fd = hd_sys(SYS_open, hd.wire->undo, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
    if (fd >= 0)
        hd_sys(SYS_flock, fd, LOCK_SH, 0);
    else
        fd = hd_sys(SYS_memfd_create, "heddle-undo", MFD_CLOEXEC, 0);
    return fd;
}

static bool is_log(void)
{
    static struct stat s;

    return log_fd >= 0 && hd_sys(SYS_fstat, log_fd, &s, 0) == 0 && s.st_ino == log_inode &&
           s.st_dev == log_device;
}

void hd_undo_open(void)
{
    static struct stat s;
    long fd = open_log();

    if (fd < 0)
        return;
    log_fd = (int)hd_process_high(fd);
    hd_sys(SYS_close, fd, 0, 0);
    if (log_fd >= 0 && hd_sys(SYS_fstat, log_fd, &s, 0) == 0) {
        log_inode = s.st_ino;
        log_device = s.st_dev;
    }
    hd_undo(); /* undoes the changes that an earlier zygote has left */
}

bool hd_undo_is_needed(void)
{
    return end != 0;
}

bool hd_undo_is_pending(void)
{
    uint64_t first = 0;

    return log_fd >= 0 && hd_sys6(SYS_pread64, log_fd, (long)&first, sizeof first, 0, 0, 0) > 0 && first != 0;
}

static HD_COLD void outlives(void)
{
    hd_uncontrolled("changes of files that could not be saved: they outlive an execution");
}

/* ---- names --------------------------------------------------------------------------- */

static size_t length(const char *s)
{
    size_t n = 0;

    while (s[n] != '\0')
        n++;
    return n;
}

/* Writes the path of directory dir and returns its length, or 0 if it has no path that fits. */
static size_t directory(int dir, char *out)
{
    char link[32];
    long n;

    if (dir == AT_FDCWD) {
        n = hd_sys(SYS_getcwd, out, PATH_MAX, 0);
        return n > 0 && out[0] == '/' ? (size_t)n - 1 : 0;
    }
    hd_format(link, sizeof link, "/proc/self/fd/%d", dir);
    n = hd_sys(SYS_readlink, link, out, PATH_MAX - 1);
    return n > 0 && out[0] == '/' ? (size_t)n : 0;
}

/* Makes the path absolute, so that it does not depend on the working directory.  Returns false if
 * that fails. */
static bool absolute(int dir, const char *path, char out[ROOM])
{
    size_t n = length(path) + 1, at = 0;

    if (n == 1 || n > PATH_MAX)
        return false;
    if (path[0] != '/') {
        at = directory(dir, out);
        if (at == 0)
            return false;
        out[at++] = '/';
    }
    hd_mem_copy(out + at, path, n);
    return true;
}

/* Returns true if the path is already in the log.  Marks it as logged. */
static bool is_known(const char *path, bool contents)
{
    uint64_t h = contents ? UINT64_C(0xcbf29ce484222325) : UINT64_C(0x84222325cbf29ce4);

    for (; *path != '\0'; path++)
        h = (h ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    for (unsigned i = 0; i < nknown; i++)
        if (known[i] == h)
            return true;
    if (nknown < KNOWN)
        known[nknown++] = h;
    return false;
}

/* ---- writing the log -------------------------------------------------------------------- */

static bool put(const void *p, size_t n, uint64_t *at)
{
    bool done = hd_sys6(SYS_pwrite64, log_fd, (long)p, (long)n, (long)*at, 0, 0) == (long)n;

    *at += n;
    return done;
}

/* Appends the contents of a file.  Returns their length, or a negative value if the file cannot be
 * read. */
static int64_t put_file(const char *path, uint64_t *at)
{
    long fd = hd_sys(SYS_open, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0), n;
    int64_t bytes = 0;

    if (fd < 0)
        return -1;
    while ((n = hd_sys(SYS_read, fd, piece, PIECE)) > 0 && bytes <= LARGEST && put(piece, (size_t)n, at))
        bytes += n;
    hd_sys(SYS_close, fd, 0, 0);
    return n == 0 ? bytes : -1;
}

/* Appends record r of path with r->bytes bytes of blob, or with the contents of the file if blob is
 * NULL (U2). */
static void add_blob(struct hd_undo_record *r, const char *path, const void *blob)
{
    uint64_t start = end != 0 ? end : sizeof end, at;
    int64_t bytes;

    hd_turn_for_files(); /* the last moment at which the execution can be given up */
    r->before = last;
    r->path = length(path) + 1;
    at = start + sizeof *r;
    bool done = is_log() && put(path, r->path, &at);

    if (r->kind == HD_UNDO_CONTENTS) {
        bytes = done ? put_file(path, &at) : -1;
        done = bytes >= 0;
        r->bytes = (uint64_t)bytes;
    } else if (r->bytes != 0) {
        done = done && put(blob, r->bytes, &at);
    }
    uint64_t header = start, none = 0;

    if (!done || !put(r, sizeof *r, &header) || !put(&start, sizeof start, &none)) {
        outlives();
        return;
    }
    last = start;
    end = at;
}

static void add(struct hd_undo_record *r, const char *path, const char *text)
{
    if (text != NULL)
        r->bytes = length(text) + 1;
    add_blob(r, path, text);
}

static void describe(struct hd_undo_record *r, const struct stat *s)
{
    r->mode = s->st_mode;
    r->uid = s->st_uid;
    r->gid = s->st_gid;
    r->inode = s->st_ino;
    r->device = s->st_rdev;
    r->accessed = s->st_atim;
    r->modified = s->st_mtim;
}

static void add_link(struct hd_undo_record *r, const char *path)
{
    static char text[PATH_MAX];
    long n = hd_sys(SYS_readlink, path, text, PATH_MAX - 1);

    if (n <= 0) {
        outlives();
        return;
    }
    text[n] = '\0';
    r->kind = HD_UNDO_LINK;
    add(r, path, text);
}

/* Logs extended attributes.  Their record precedes that of the file: the log is applied backwards, so they are
 * restored after the file. */
static void add_xattrs(const char *path)
{
    static char names[4096], blob[HD_UNDO_ATTRIBUTES];
    struct hd_undo_record r = { .kind = HD_UNDO_XATTRS };
    long n = hd_sys(SYS_llistxattr, path, names, sizeof names);

    for (long at = 0; at < n; at += (long)length(names + at) + 1) {
        size_t name = length(names + at) + 1;
        uint32_t size;

        if (r.bytes + name + sizeof size > sizeof blob) {
            outlives();
            return;
        }
        hd_mem_copy(blob + r.bytes, names + at, name);
        long got = hd_sys6(SYS_lgetxattr, (long)path, (long)(names + at), (long)(blob + r.bytes + name + sizeof size),
                           (long)(sizeof blob - r.bytes - name - sizeof size), 0, 0);

        if (got < 0)
            continue; /* not readable by this user, hence not changeable either */
        size = (uint32_t)got;
        hd_mem_copy(blob + r.bytes + name, &size, sizeof size);
        r.bytes += name + sizeof size + size;
    }
    add_blob(&r, path, blob);
}

/* Logs the object with that name.  For contents, a symbolic link is followed. */
static void save(const char *path, bool contents)
{
    static struct stat s;
    struct hd_undo_record r = { .kind = HD_UNDO_ABSENT };
    long rc = hd_sys6(SYS_newfstatat, AT_FDCWD, (long)path, (long)&s, contents ? 0 : AT_SYMLINK_NOFOLLOW, 0, 0);

    if (rc == -ENOENT) {
        /* a dangling link: the call creates its target, which has no record */
        if (contents && hd_sys(SYS_lstat, path, &s, 0) == 0)
            outlives();
        else
            add(&r, path, NULL);
        return;
    }
    if (rc != 0)
        return; /* the call will fail as well */
    describe(&r, &s);
    if (S_ISLNK(s.st_mode)) {
        add_link(&r, path);
        return;
    }
    if (contents && (S_ISCHR(s.st_mode) || S_ISBLK(s.st_mode)))
        return; /* the contents of a device cannot be restored */
    if (S_ISREG(s.st_mode) && s.st_size <= LARGEST)
        r.kind = HD_UNDO_CONTENTS;
    else if (S_ISDIR(s.st_mode))
        r.kind = HD_UNDO_DIRECTORY;
    else if (!S_ISREG(s.st_mode))
        r.kind = HD_UNDO_NODE;
    if (r.kind == HD_UNDO_ABSENT) {
        outlives();
        return;
    }
    add_xattrs(path);
    add(&r, path, NULL);
}

/* Replaces a link's path by that of its target: the link may be gone when the target is restored. */
static void follow(char full[ROOM])
{
    static struct stat s;
    char link[32];

    if (hd_sys(SYS_lstat, full, &s, 0) != 0 || !S_ISLNK(s.st_mode))
        return;
    long fd = hd_sys(SYS_open, full, O_PATH | O_CLOEXEC, 0);

    if (fd < 0)
        return;
    hd_format(link, sizeof link, "/proc/self/fd/%d", (int)fd);
    long n = hd_sys(SYS_readlink, link, full, ROOM - 1);

    if (n > 0)
        full[n] = '\0';
    hd_sys(SYS_close, fd, 0, 0);
}

static void look(int dir, const char *path, bool contents)
{
    static char full[ROOM];

    if (log_fd < 0 || !absolute(dir, path, full)) {
        outlives();
        return;
    }
    if (contents)
        follow(full);
    if (!is_known(full, contents))
        save(full, contents);
}

void hd_undo_contents(int dir, const char *path)
{
    look(dir, path, true);
}

void hd_undo_name(int dir, const char *path)
{
    look(dir, path, false);
}

/* A file with two names can be changed through either, so the set of known paths is no longer valid (U3). */
void hd_undo_link(int dir, const char *path)
{
    hd_undo_name(dir, path);
    nknown = 0;
}

/* Does not copy the contents, which may be those of a whole directory.  The inode shows whether the move took
 * place. */
void hd_undo_move(int from_dir, const char *from, int to_dir, const char *to, bool exchange)
{
    static char old[ROOM], new[ROOM];
    static struct stat s;
    struct hd_undo_record r = { .kind = exchange ? HD_UNDO_EXCHANGED : HD_UNDO_MOVED };

    nknown = 0;
    if (log_fd < 0 || !absolute(from_dir, from, old) || !absolute(to_dir, to, new)) {
        outlives();
        return;
    }
    if (hd_sys(SYS_lstat, old, &s, 0) != 0)
        return;
    describe(&r, &s);
    if (!exchange)
        save(new, false);
    add(&r, new, old);
}

/* Logs an open file by the name under which it was opened.  A file without a name needs no record. */
void hd_undo_descriptor(int fd)
{
    static char path[ROOM];
    static struct stat s, named;
    char link[32];

    hd_format(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = hd_sys(SYS_readlink, link, path, ROOM - 1);

    if (n <= 0 || path[0] != '/' || hd_sys(SYS_fstat, fd, &s, 0) != 0)
        return;
    path[n] = '\0';
    if (hd_sys(SYS_stat, path, &named, 0) == 0 && named.st_ino == s.st_ino && named.st_dev == s.st_dev)
        hd_undo_contents(AT_FDCWD, path);
    else if (s.st_nlink > 0)
        outlives();
}

void hd_undo_made(const char *path)
{
    static char full[ROOM];
    struct hd_undo_record r = { .kind = HD_UNDO_ABSENT };

    if (log_fd < 0 || !absolute(AT_FDCWD, path, full))
        outlives();
    else
        add(&r, full, NULL);
}

void hd_undo_object(unsigned kind, int number)
{
    struct hd_undo_record r = { .kind = kind, .inode = (uint64_t)number };

    if (log_fd < 0)
        outlives();
    else
        add(&r, "/", NULL);
}

void hd_undo_queue(const char *name)
{
    struct hd_undo_record r = { .kind = HD_UNDO_QUEUE };

    if (log_fd < 0 || name[0] != '/' || length(name) > NAME_MAX)
        outlives();
    else
        add(&r, name, NULL);
}

/* ---- restoring ---------------------------------------------------------------------------- */

void hd_undo(void)
{
    if (log_fd < 0)
        return;
    if (!is_log() || hd_undo_log_put_back(log_fd) != 0)
        outlives();
    last = end = 0;
    nknown = 0;
}
