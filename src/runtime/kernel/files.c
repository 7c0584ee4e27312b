/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.c - the table of open files by descriptor number. */
#include "runtime/kernel/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/mem.h"

enum {
    MAX_FDS = 1024, /* higher descriptors fall under F2 */
    OUTPUT = UINT16_MAX
};

/* The places of what is behind a descriptor (model/state.h); 0: F2 applies. */
struct behind {
    uint16_t open, contents;
    struct hd_ends ends;
    bool inner;
    ino_t ino; /* inode of the file for which `ends` was set */
};

static struct {
    uint32_t epoch;
    unsigned nfds; /* rows from this one on are zero */
    unsigned nopen, ncontents;
    bool forked, watched;
    struct behind fds[MAX_FDS];
    struct contents {
        dev_t dev;
        ino_t ino;
        bool used, mapped; /* used: by calls while other threads existed; mapped: by mmap */
        bool removed;      /* without a name: a new file may get the same inode */
    } contents[HD_STATE_FILES];
    unsigned removing; /* contents whose last name the running call removes if it succeeds; 0: none */
} files;

static void begin(void)
{
    if (files.epoch == hd.epoch)
        return;
    files.epoch = hd.epoch;
    hd_mem_zero(files.fds, files.nfds * sizeof files.fds[0]);
    files.nfds = files.nopen = 0;
    files.forked = files.watched = false;
    files.removing = 0;
    files.ncontents = 1; /* contents number 0 stands for all files whose opening was not seen */
    files.contents[0] = (struct contents){ .used = false };
}

/* If the output is compared, descriptors 1 and 2 are files like others (shared_state.h, U4). */
static bool is_output_number(int fd)
{
    if (hd.cfg != NULL && hd.cfg->expect != HD_EXPECT_NOTHING)
        return false;
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

static struct behind behind(int fd)
{
    unsigned known = fd < 0 || fd >= HD_STATE_INHERITED ? HD_STATE_INHERITED - 1 : (unsigned)fd;
    struct behind none = { .open = (uint16_t)(HD_STATE_FIRST_INHERITED + known),
                           .contents = HD_STATE_FIRST_CONTENTS };

    begin();
    if (fd >= 0 && (unsigned)fd < files.nfds && files.fds[fd].open != 0)
        return files.fds[fd];
    if (is_output_number(fd))
        none.open = OUTPUT;
    return none;
}

static void put(int fd, struct behind b)
{
    begin();
    if (fd < 0 || fd >= MAX_FDS)
        return;
    if ((unsigned)fd >= files.nfds)
        files.nfds = (unsigned)fd + 1;
    files.fds[fd] = b;
}

/* Returns the number of the contents, or ncontents if they are new (F4). */
static unsigned find_contents(dev_t dev, ino_t ino, bool named)
{
    for (unsigned i = files.ncontents; i-- > 1;)
        if (files.contents[i].dev == dev && files.contents[i].ino == ino && !(named && files.contents[i].removed))
            return i;
    return files.ncontents;
}

static unsigned add_contents(const struct stat *s)
{
    unsigned i = find_contents(s->st_dev, s->st_ino, s->st_nlink > 0);

    if (i == HD_STATE_FILES)
        return 0;
    if (i == files.ncontents)
        files.contents[files.ncontents++] = (struct contents){ .dev = s->st_dev, .ino = s->st_ino };
    files.contents[i].removed = s->st_nlink == 0;
    return i;
}

/* Returns the next place.  All files beyond the limit share the last one. */
uint16_t hd_files_new_place(void)
{
    begin();
    return (uint16_t)(HD_STATE_FIRST_OPEN +
                      (files.nopen < HD_STATE_FILES - 1 ? files.nopen++ : HD_STATE_FILES - 1));
}

void hd_files_opened(int fd)
{
    static struct stat s;

    if (hd.cur == NULL || fd < 0 || hd_sys(SYS_fstat, fd, &s, 0) != 0)
        return;
    begin();
    put(fd, (struct behind){ .open = hd_files_new_place(),
                             .contents = (uint16_t)(HD_STATE_FIRST_CONTENTS + add_contents(&s)) });
}

void hd_files_copied(int from, int to)
{
    if (hd.cur != NULL && to >= 0 && from != to)
        put(to, behind(from));
}

void hd_files_closed(int fd)
{
    if (hd.cur != NULL)
        put(fd, (struct behind){ .open = 0 });
}

bool hd_files_is_output(int fd)
{
    return fd >= 0 && behind(fd).open == OUTPUT;
}

bool hd_files_is_pipe(int fd)
{
    static struct stat s;

    if (fd <= STDIN_FILENO || hd_files_is_output(fd) || hd_sys(SYS_fstat, fd, &s, 0) != 0)
        return false;
    return S_ISFIFO(s.st_mode) || S_ISSOCK(s.st_mode) || (s.st_mode & S_IFMT) == 0;
}

bool hd_files_is_inner(int fd)
{
    return fd >= 0 && behind(fd).inner && !files.forked;
}

void hd_files_set_inner(int fd, bool inner)
{
    struct behind b = behind(fd);

    b.inner = inner;
    if (hd.cur != NULL)
        put(fd, b);
}

void hd_files_forked(void)
{
    begin();
    files.forked = true;
}

uint16_t hd_files_place(int fd)
{
    return behind(fd).open;
}

int hd_files_at_place(uint16_t place)
{
    begin();
    for (unsigned fd = 0; fd < files.nfds; fd++)
        if (files.fds[fd].open == place)
            return (int)fd;
    return -1;
}

struct hd_ends hd_files_ends(int fd)
{
    static struct stat s;
    struct behind b = behind(fd);

    if (fd < 0 || b.ends.own == 0 || files.forked || hd_sys(SYS_fstat, fd, &s, 0) != 0 ||
        s.st_ino != b.ino)
        return (struct hd_ends){ 0, 0 };
    return b.ends;
}

void hd_files_set_ends(int fd, struct hd_ends ends)
{
    static struct stat s;
    struct behind b = behind(fd);

    if (hd.cur == NULL || fd < 0 || hd_sys(SYS_fstat, fd, &s, 0) != 0)
        return;
    b.ends = ends;
    b.ino = s.st_ino;
    put(fd, b);
}

/* Without a controlled thread there are no objects, and in a stand-alone run not even a wire. */
struct hd_obj *hd_files_position(int fd)
{
    if (hd.cur == NULL)
        return NULL;
    struct behind b = behind(fd);

    return fd < 0 || b.open == OUTPUT ? NULL : hd_shared_place(b.open);
}

/* Marks the contents as used.  Accesses to mapped memory are not operations on the contents, so no reduction knows
 * that they depend on each other. */
static struct hd_obj *use_contents(unsigned i)
{
    if (hd_shared_may_conflict()) {
        files.contents[i].used = true;
        if (files.contents[i].mapped)
            hd_fact(HD_FACT_MAPPED);
    }
    return hd_shared_place((uint16_t)(HD_STATE_FIRST_CONTENTS + i));
}

void hd_files_mapped(int fd)
{
    struct behind b = behind(fd);
    struct contents *c = &files.contents[b.contents - HD_STATE_FIRST_CONTENTS];

    c->mapped = true;
    if (c->used)
        hd_fact(HD_FACT_MAPPED);
}

struct hd_obj *hd_files_contents(int fd)
{
    if (hd.cur == NULL)
        return NULL;
    struct behind b = behind(fd);

    return fd < 0 || b.open == OUTPUT ? NULL : use_contents(b.contents - HD_STATE_FIRST_CONTENTS);
}

struct hd_obj *hd_files_contents_of(dev_t dev, ino_t ino, bool named)
{
    if (hd.cur == NULL)
        return NULL;
    begin();
    unsigned i = find_contents(dev, ino, named);

    return i < files.ncontents ? use_contents(i) : NULL;
}

static bool find_name(int dir, const char *path, struct stat *s)
{
    return hd_sys6(SYS_newfstatat, dir, (long)path, (long)s, AT_SYMLINK_NOFOLLOW, 0, 0) == 0;
}

void hd_files_removes(int dir, const char *path)
{
    static struct stat s;

    begin();
    files.removing = 0;
    if (!find_name(dir, path, &s) || s.st_nlink > 1)
        return;
    unsigned i = find_contents(s.st_dev, s.st_ino, true);

    files.removing = i < files.ncontents ? i : 0;
}

void hd_files_replaces(int dir, const char *from, int to_dir, const char *to)
{
    static struct stat s;

    hd_files_removes(to_dir, to);
    if (files.removing != 0 && find_name(dir, from, &s) && find_contents(s.st_dev, s.st_ino, true) == files.removing)
        files.removing = 0; /* both names are the same */
}

void hd_files_named(bool begun, const char *path, bool changed, uint64_t pc)
{
    if (changed && files.removing != 0)
        files.contents[files.removing].removed = true;
    files.removing = 0;
    hd_state_also(begun, HD_STATE_NAMES, changed, pc);
    if (path == NULL || path[0] != '/' || changed) /* the permissions of a new file depend on the umask */
        hd_state_also(begun, HD_STATE_SURROUNDINGS, false, pc);
}

void hd_files_flow(bool begun, unsigned told, uint64_t pc)
{
    if (begun)
        hd_note_channel(hd_shared_place(HD_STATE_NAMES), told, pc);
}

/* Returns the flow of opening a file with these flags.  In many programs O_CREAT|O_EXCL takes a lock, so it
 * acquires and releases.  Opening an existing file acquires from its creator.  Opening a file for writing orders
 * nothing. */
static unsigned told_by(int flags)
{
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
        return HD_FLOW_LEARNS | HD_FLOW_TELLS;
    return flags & (O_CREAT | O_TRUNC) ? HD_FLOW_TELLS : HD_FLOW_LEARNS;
}

void hd_files_flow_open(bool begun, int flags, uint64_t pc)
{
    hd_files_flow(begun, told_by(flags), pc);
}

void hd_files_contents_flow(bool begun, struct hd_obj *contents, bool write, uint64_t pc)
{
    if (begun && contents != NULL)
        hd_note_channel(contents, write ? HD_FLOW_TELLS : HD_FLOW_LEARNS, pc);
    hd_files_flow(begun && write && hd_files_are_watched(), HD_FLOW_TELLS, pc);
}

void hd_files_watch(void)
{
    begin();
    files.watched = true;
}

bool hd_files_are_watched(void)
{
    begin();
    return files.watched;
}

bool hd_files_contents_begin(enum hd_kind kind, int fd, uint64_t pc)
{
    if (!hd_shared_may_conflict())
        return false;
    struct hd_obj *contents = hd_files_contents(fd);

    if (contents == NULL)
        hd_fact(HD_FACT_OUTPUT);
    return contents != NULL && hd_shared_begin(kind, contents, pc);
}
