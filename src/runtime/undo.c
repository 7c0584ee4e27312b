/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo.c - files and names, put back after every execution. */
#include "runtime/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "runtime/mem.h"
#include "runtime/process.h"

enum { ROOM = 2 * PATH_MAX, PIECE = 64 * 1024, KNOWN = 256 };
#define LARGEST (INT64_C(64) << 20) /* a copy for each execution: more is no use */

enum undo_kind { ABSENT, CONTENTS, DIRECTORY, LINK, FIFO, MOVED };

/* In the log, with the path (and the zero behind it) and then `bytes` of contents behind it:
 * those of the file, where the link leads, or the name that was moved. */
struct record {
    uint64_t before; /* where the last one begins; 0: there is none */
    uint32_t kind, mode;
    uint64_t inode, path, bytes;
    struct timespec accessed, modified;
};

static int log_fd = -1;
static uint64_t last, end; /* of the log: where its last record begins, and where it ends */
static uint64_t known[KNOWN]; /* paths in the log, by hash (U3) */
static unsigned nknown;
static char piece[PIECE];

void hd_undo_open(void)
{
    long fd = hd_sys(SYS_memfd_create, "heddle-undo", MFD_CLOEXEC, 0);

    if (fd < 0)
        return;
    log_fd = (int)hd_process_high(fd);
    hd_sys(SYS_close, fd, 0, 0);
}

bool hd_undo_is_needed(void)
{
    return end != 0;
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

/* The name of a directory; 0: it has none that fits. */
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

/* The path from the root on, which another working directory does not change. */
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

/* Is it in the log?  It will be. */
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

/* The contents of a file; negative: it cannot be read. */
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

/* What r says of path, with its contents, which are a file's when text is NULL (U2). */
static void add(struct record *r, const char *path, const char *text)
{
    uint64_t start = end != 0 ? end : sizeof end, at;
    int64_t bytes;

    r->before = last;
    r->path = length(path) + 1;
    at = start + sizeof *r;
    bool done = put(path, r->path, &at);

    if (r->kind == CONTENTS) {
        bytes = put_file(path, &at);
        done = done && bytes >= 0;
        r->bytes = (uint64_t)bytes;
    } else if (text != NULL) {
        r->bytes = length(text) + 1;
        done = done && put(text, r->bytes, &at);
    }
    uint64_t header = start, none = 0;

    if (!done || !put(r, sizeof *r, &header) || !put(&start, sizeof start, &none)) {
        outlives();
        return;
    }
    last = start;
    end = at;
    if (hd.cfg->nworkers > 1)
        hd_uncontrolled("changes of files by several workers at once (-j): each may meet those of the others");
}

static void describe(struct record *r, const struct stat *s)
{
    r->mode = s->st_mode & 07777;
    r->inode = s->st_ino;
    r->accessed = s->st_atim;
    r->modified = s->st_mtim;
}

static void add_link(struct record *r, const char *path)
{
    static char text[PATH_MAX];
    long n = hd_sys(SYS_readlink, path, text, PATH_MAX - 1);

    if (n <= 0) {
        outlives();
        return;
    }
    text[n] = '\0';
    r->kind = LINK;
    add(r, path, text);
}

/* Whatever has that name: for its contents, that of the file behind a link, too. */
static void save(const char *path, bool contents)
{
    static struct stat s;
    struct record r = { .kind = ABSENT };
    long rc = hd_sys6(SYS_newfstatat, AT_FDCWD, (long)path, (long)&s, contents ? 0 : AT_SYMLINK_NOFOLLOW, 0, 0);

    if (rc == -ENOENT) {
        /* a link that leads nowhere: what is made is behind it */
        if (contents && hd_sys(SYS_lstat, path, &s, 0) == 0)
            outlives();
        else
            add(&r, path, NULL);
        return;
    }
    if (rc != 0)
        return; /* nor can the call do anything */
    describe(&r, &s);
    if (S_ISLNK(s.st_mode)) {
        add_link(&r, path);
        return;
    }
    if (S_ISREG(s.st_mode) && s.st_size <= LARGEST)
        r.kind = CONTENTS;
    else if (S_ISDIR(s.st_mode))
        r.kind = DIRECTORY;
    else if (S_ISFIFO(s.st_mode))
        r.kind = FIFO;
    else if (S_ISCHR(s.st_mode))
        return; /* a device: nothing that could be put back */
    if (r.kind != ABSENT)
        add(&r, path, NULL);
    else
        outlives();
}

static void look(int dir, const char *path, bool contents)
{
    static char full[ROOM];

    if (log_fd < 0 || !absolute(dir, path, full))
        outlives();
    else if (!is_known(full, contents))
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

/* What has two names is changed by either. */
void hd_undo_link(int dir, const char *path)
{
    hd_undo_name(dir, path);
    nknown = 0;
}

/* Not by its contents, which may be those of a whole directory: the inode tells whether the
 * move was made. */
void hd_undo_move(int from_dir, const char *from, int to_dir, const char *to)
{
    static char old[ROOM], new[ROOM];
    static struct stat s;
    struct record r = { .kind = MOVED };

    nknown = 0;
    if (log_fd < 0 || !absolute(from_dir, from, old) || !absolute(to_dir, to, new)) {
        outlives();
        return;
    }
    if (hd_sys(SYS_lstat, old, &s, 0) != 0)
        return;
    describe(&r, &s);
    save(new, false);
    add(&r, new, old);
}

void hd_undo_made(const char *path)
{
    static char full[ROOM];
    struct record r = { .kind = ABSENT };

    if (log_fd < 0 || !absolute(AT_FDCWD, path, full))
        outlives();
    else
        add(&r, full, NULL);
}

/* ---- putting back ------------------------------------------------------------------------- */

static void remove_name(const char *path)
{
    if (hd_sys(SYS_unlink, path, 0, 0) == -EISDIR)
        hd_sys(SYS_rmdir, path, 0, 0);
}

static bool get(void *p, uint64_t n, uint64_t at)
{
    return hd_sys6(SYS_pread64, log_fd, (long)p, (long)n, (long)at, 0, 0) == (long)n;
}

/* n bytes of the file, at `to`, are what the log has there.  What is not changed is not written:
 * whoever kills this process leaves no more behind than the target would have. */
static bool put_piece(long fd, uint64_t at, uint64_t to, uint64_t n)
{
    static char there[PIECE];

    if (!get(piece, n, at))
        return false;
    return (hd_sys6(SYS_pread64, fd, (long)there, (long)n, (long)to, 0, 0) == (long)n && hd_mem_equal(there, piece, n)) ||
           hd_sys6(SYS_pwrite64, fd, (long)piece, (long)n, (long)to, 0, 0) == (long)n;
}

/* In the same file, if it is still there, so that other names lead to it as before. */
static void put_contents(const struct record *r, const char *path, uint64_t at)
{
    long flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY;
    long fd = hd_sys(SYS_open, path, flags, 0600);
    uint64_t done = 0, n;

    if (fd == -EACCES) { /* the execution has taken the right away, or it is another file */
        hd_sys(SYS_unlink, path, 0, 0);
        fd = hd_sys(SYS_open, path, flags, 0600);
    }
    if (fd < 0) {
        outlives();
        return;
    }
    for (; done < r->bytes; done += n) {
        n = r->bytes - done < PIECE ? r->bytes - done : PIECE;
        if (!put_piece(fd, at + done, done, n))
            break;
    }
    if (done < r->bytes || hd_sys(SYS_ftruncate, fd, r->bytes, 0) != 0)
        outlives();
    hd_sys(SYS_fchmod, fd, r->mode, 0);
    hd_sys6(SYS_utimensat, fd, 0, (long)&r->accessed, 0, 0, 0);
    hd_sys(SYS_close, fd, 0, 0);
}

static bool is_inode(const char *path, uint64_t inode)
{
    static struct stat s;

    return hd_sys(SYS_lstat, path, &s, 0) == 0 && s.st_ino == inode;
}

/* text: where a link leads, or the old name. */
static void put_back(const struct record *r, const char *path, const char *text, uint64_t contents)
{
    switch ((enum undo_kind)r->kind) {
    case ABSENT:
        remove_name(path);
        return;
    case CONTENTS:
        put_contents(r, path, contents);
        return;
    case DIRECTORY:
        hd_sys(SYS_mkdir, path, r->mode, 0);
        hd_sys(SYS_chmod, path, r->mode, 0);
        return;
    case LINK:
        remove_name(path);
        hd_sys(SYS_symlink, text, path, 0);
        return;
    case FIFO:
        hd_sys(SYS_mknod, path, S_IFIFO | r->mode, 0);
        hd_sys(SYS_chmod, path, r->mode, 0);
        return;
    case MOVED:
        if (is_inode(path, r->inode))
            hd_sys(SYS_rename, path, text, 0);
        return;
    }
}

void hd_undo(void)
{
    static char path[ROOM], text[ROOM];
    static struct record r; /* not on a stack: some are protected, which the kernel does not forgive */
    static uint64_t at;
    uint64_t none = 0;

    if (log_fd < 0 || !get(&at, sizeof at, 0))
        return; /* nothing was ever logged */
    for (; at != 0; at = r.before) {
        if (!get(&r, sizeof r, at) || r.path > ROOM || !get(path, r.path, at + sizeof r))
            break;
        uint64_t contents = at + sizeof r + r.path;

        if (r.kind == CONTENTS || r.bytes == 0 || (r.bytes <= ROOM && get(text, r.bytes, contents)))
            put_back(&r, path, text, contents);
    }
    hd_sys(SYS_ftruncate, log_fd, sizeof none, 0);
    hd_sys6(SYS_pwrite64, log_fd, (long)&none, sizeof none, 0, 0, 0);
    last = end = 0;
    nknown = 0;
}
