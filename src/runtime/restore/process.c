/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - restores the state that an execution leaves in the kernel and in ld.so. */
#include "runtime/restore/process.h"

#include <fcntl.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/sys.h"
#include "model/heap.h"
#include "runtime/core/state.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/undo.h"
#include "runtime/sys/mem.h"

#define MAP_BASE UINT64_C(0x4a0000000000) /* mappings of the target, by slot */
#define MAP_STRIDE UINT64_C(0x100000000)
/* Mappings that must lie below 2 GB (MAP_32BIT).  The main thread gets most of that space. */
#define LOW_BASE UINT64_C(0x10000000)
#define LOW_OTHERS UINT64_C(0x40000000)
#define LOW_STRIDE UINT64_C(0x400000)
#define LOW_SLOTS 257 /* later threads have no such mappings */
#define RUNTIME_BASE UINT64_C(0x5e0000000000) /* table of lines, map of blocks, stacks, heap: see core/memory_map.h */
#define RUNTIME_END (HD_HEAP_BASE + HD_HEAP_BYTES)
enum { MAX_COPIES = 32, MAX_FDS = 1024, HIGHEST = 1024 };

/* Descriptors that were open before the first execution, in ascending order. */
struct fds {
    unsigned n;
    int fd[MAX_FDS];
};
struct hd_changes hd_changes;

static struct fds inherited; /* descriptors that the target has inherited */
static struct fds kept;      /* inherited, and the runtime's copies of them */
static long copies[MAX_COPIES]; /* copies of the first descriptors, in case an execution closes
                                 * them */
/* State that an open file shares with its duplicates, even in other processes. */
static struct open_file {
    long position; /* negative: it has no position */
    long flags;
    bool closes; /* close-on-exec, a property of the descriptor alone */
} files[MAX_COPIES];
static long proc_fd = -1;
static struct utsname host;
static uint64_t mapped[HD_MAX_THREADS], mapped_low[HD_MAX_THREADS];
static struct elsewhere {
    uintptr_t lo, hi;
} elsewhere[256]; /* mapped by the execution at addresses of its own choice */
static unsigned nelsewhere;
static uintptr_t break_before; /* the program break before it moved; 0: it has not moved */
static unsigned long long adds;
static uintptr_t loader_used;

static int read_adds(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(unsigned long long *)arg = info->dlpi_adds;
    return 1;
}

/* The number must not be low, because the target expects the lowest free numbers.  It must not be at the end of
 * the table either: whenever the kernel closes a range of descriptors (after each execution) or copies the table
 * for a fork, it walks the table up to the highest one. */
long hd_process_high(long fd)
{
    struct rlimit limit = { 1024, 1024 };

    hd_sys(SYS_getrlimit, RLIMIT_NOFILE, &limit, 0);
    long from = (long)(limit.rlim_cur > HIGHEST ? HIGHEST : limit.rlim_cur) - 2 * MAX_COPIES;

    return hd_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, from);
}

/* Enlarges the table early.  If several threads share the table, the kernel enlarges it only after
 * all processors have released the old one, which takes milliseconds. */
void hd_process_make_room(void)
{
    long fd = hd_sys(SYS_open, "/", O_PATH | O_CLOEXEC, 0);
    long high = fd >= 0 ? hd_process_high(fd) : -1;

    if (high >= 0)
        hd_sys(SYS_close, high, 0, 0);
    if (fd >= 0)
        hd_sys(SYS_close, fd, 0, 0);
}

static void add_fd(struct fds *list, int fd)
{
    unsigned i = list->n++;

    for (; i > 0 && list->fd[i - 1] > fd; i--)
        list->fd[i] = list->fd[i - 1];
    list->fd[i] = fd;
}

/* Returns -1 if the text is not a number. */
static int number(const char *text)
{
    int n = 0;

    for (; *text >= '0' && *text <= '9'; text++)
        n = n * 10 + (*text - '0');
    return *text == '\0' ? n : -1;
}

struct entry { /* an entry of a directory, in the kernel's layout */
    uint64_t inode, offset;
    uint16_t size;
    uint8_t type;
    char name[];
};

/* Lists all descriptors but one. */
static void list_fds(struct fds *list, long but)
{
    _Alignas(8) char buf[2048];
    long how = O_RDONLY | O_DIRECTORY | O_CLOEXEC, bytes;
    long dir = hd_sys6(SYS_openat, proc_fd, (long)"self/fd", how, 0, 0, 0);

    list->n = 0;
    while (dir >= 0 && (bytes = hd_sys(SYS_getdents64, dir, buf, sizeof buf)) > 0)
        for (long at = 0; at < bytes;) {
            const struct entry *e = (const struct entry *)(const void *)(buf + at);
            int fd = number(e->name);

            if (fd >= 0 && fd != dir && fd != but && list->n < MAX_FDS)
                add_fd(list, fd);
            at += e->size;
        }
    if (dir >= 0)
        hd_sys(SYS_close, dir, 0, 0);
}

long hd_process_proc(void)
{
    return proc_fd;
}

unsigned hd_process_descriptors(int *out, unsigned cap)
{
    static struct fds now;

    list_fds(&now, -1);
    for (unsigned i = 0; i < now.n && i < cap; i++)
        out[i] = now.fd[i];
    return now.n < cap ? now.n : cap;
}

static bool is_in(const struct fds *list, int fd)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->fd[i] == fd)
            return true;
    return false;
}

bool hd_process_is_inherited(int fd)
{
    return is_in(&inherited, fd);
}

bool hd_process_is_targets(int fd)
{
    return is_in(&inherited, fd) || !is_in(&kept, fd);
}

static void open_proc(void)
{
    long fd = hd_sys(SYS_open, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

    if (fd < 0)
        return;
    proc_fd = hd_process_high(fd);
    hd_sys(SYS_close, fd, 0, 0);
}

/* Only ordinary files have a position to restore: that of a terminal or of /dev/null means nothing. */
static struct open_file look_at(int fd)
{
    struct stat st;
    bool ordinary = hd_sys(SYS_fstat, fd, &st, 0) == 0 && S_ISREG(st.st_mode);

    return (struct open_file){ ordinary ? hd_sys(SYS_lseek, fd, 0, SEEK_CUR) : -1,
                               hd_sys(SYS_fcntl, fd, F_GETFL, 0),
                               hd_sys(SYS_fcntl, fd, F_GETFD, 0) == FD_CLOEXEC };
}

void hd_process_note(void)
{
    open_proc();
    hd_sys(SYS_uname, &host, 0, 0);
    list_fds(&inherited, proc_fd);
    for (unsigned i = 0; i < inherited.n && i < MAX_COPIES; i++) {
        copies[i] = hd_process_high(inherited.fd[i]);
        files[i] = look_at(inherited.fd[i]);
    }
    hd_undo_open();
    list_fds(&kept, -1);
    dl_iterate_phdr(read_adds, &adds);
    loader_used = hd_heap_loader_used();
}

static size_t length(const char *s)
{
    size_t n = 0;

    while (s[n] != '\0')
        n++;
    return n;
}

void hd_process_rename_host(void)
{
    static struct utsname now;

    if (hd_sys(SYS_uname, &now, 0, 0) != 0)
        return;
    if (!hd_mem_equal(now.nodename, host.nodename, sizeof host.nodename))
        hd_sys(SYS_sethostname, host.nodename, length(host.nodename), 0);
    if (!hd_mem_equal(now.domainname, host.domainname, sizeof host.domainname))
        hd_sys(SYS_setdomainname, host.domainname, length(host.domainname), 0);
}

void hd_process_rewind(void)
{
    for (unsigned i = 0; i < inherited.n && i < MAX_COPIES; i++) {
        if (copies[i] < 0)
            continue;
        if (files[i].position >= 0)
            hd_sys(SYS_lseek, copies[i], files[i].position, SEEK_SET);
        if (hd_sys(SYS_fcntl, copies[i], F_GETFL, 0) != files[i].flags)
            hd_sys(SYS_fcntl, copies[i], F_SETFL, files[i].flags);
    }
}

void hd_process_restore(void)
{
    unsigned from = 0;

    if (kept.n == 0 || kept.n == MAX_FDS)
        return; /* no /proc, or too many descriptors */
    for (unsigned i = 0; i < kept.n; i++) {
        if ((unsigned)kept.fd[i] > from)
            hd_sys(SYS_close_range, from, kept.fd[i] - 1, 0);
        from = (unsigned)kept.fd[i] + 1;
    }
    hd_sys(SYS_close_range, from, ~0u, 0);
    for (unsigned i = 0; i < inherited.n && i < MAX_COPIES; i++)
        if (copies[i] >= 0)
            hd_sys(SYS_dup3, copies[i], inherited.fd[i], files[i].closes ? O_CLOEXEC : 0);
    hd_process_rewind();
}

void *hd_process_place(size_t n)
{
    uint64_t *used = &mapped[hd.cur->slot];
    uint64_t bytes = HD_PAGE_CEIL(n) + HD_PAGE; /* leaves a page unmapped, so that an access after
                                                 * the end faults */

    if (n == 0 || bytes > MAP_STRIDE - *used)
        return NULL;
    *used += bytes;
    hd_changes.maps = true;
    return (void *)(MAP_BASE + hd.cur->slot * MAP_STRIDE + *used - bytes);
}

static uintptr_t low_base(unsigned slot)
{
    return slot == 0 ? LOW_BASE : LOW_OTHERS + (slot - 1) * LOW_STRIDE;
}

void *hd_process_place_low(size_t n)
{
    unsigned slot = hd.cur->slot;
    uint64_t room = slot == 0 ? LOW_OTHERS - LOW_BASE : LOW_STRIDE;
    uint64_t *used = &mapped_low[slot], bytes = HD_PAGE_CEIL(n) + HD_PAGE;

    if (n == 0 || slot >= LOW_SLOTS || bytes > room - *used)
        return NULL;
    *used += bytes;
    hd_changes.maps = true;
    return (void *)(low_base(slot) + *used - bytes);
}

static bool is_between(uintptr_t at, size_t n, uintptr_t lo, uintptr_t hi)
{
    return at >= lo && at < hi && n <= hi - at;
}

bool hd_process_is_placed(const void *addr, size_t n)
{
    uintptr_t at = (uintptr_t)addr;

    if (is_between(at, n, MAP_BASE, MAP_BASE + HD_MAX_THREADS * MAP_STRIDE))
        return true;
    for (unsigned s = 0; s < hd.nslots; s++)
        if (is_between(at, n, low_base(s), low_base(s) + mapped_low[s]))
            return true;
    for (unsigned i = 0; i < nelsewhere; i++)
        if (is_between(at, n, elsewhere[i].lo, elsewhere[i].hi))
            return true;
    return false;
}

bool hd_process_note_mapping(const void *addr, size_t n)
{
    uintptr_t lo = HD_PAGE_FLOOR(addr), hi = HD_PAGE_CEIL((uintptr_t)addr + n);

    if (hd_process_is_placed((void *)lo, hi - lo))
        return true;
    if (nelsewhere == sizeof elsewhere / sizeof *elsewhere)
        return false;
    elsewhere[nelsewhere++] = (struct elsewhere){ lo, hi };
    hd_changes.maps = true;
    return true;
}

void hd_process_note_break(void)
{
    if (break_before == 0)
        break_before = (uintptr_t)hd_sys(SYS_brk, 0, 0, 0);
    hd_changes.maps = true;
}

uintptr_t hd_process_break_before(void)
{
    return break_before;
}

bool hd_process_is_own(uintptr_t addr)
{
    return (addr >= HD_OWN_BASE && addr < HD_OWN_END) ||
           (addr >= RUNTIME_BASE && addr < RUNTIME_END);
}

void hd_process_unmap(void)
{
    for (unsigned s = 0; s < hd.nslots; s++) {
        if (mapped[s] != 0)
            hd_sys(SYS_munmap, MAP_BASE + s * MAP_STRIDE, mapped[s], 0);
        if (mapped_low[s] != 0)
            hd_sys(SYS_munmap, low_base(s), mapped_low[s], 0);
        mapped[s] = mapped_low[s] = 0;
    }
    for (; nelsewhere > 0; nelsewhere--)
        hd_sys(SYS_munmap, elsewhere[nelsewhere - 1].lo,
               elsewhere[nelsewhere - 1].hi - elsewhere[nelsewhere - 1].lo, 0);
    if (break_before != 0)
        hd_sys(SYS_brk, break_before, 0, 0);
    hd_changes.maps = false;
}

bool hd_process_has_grown(void)
{
    unsigned long long now = 0;

    if (hd_heap_loader_used() == loader_used)
        return false; /* ld.so allocates whenever it loads something */
    loader_used = hd_heap_loader_used();
    dl_iterate_phdr(read_adds, &now);
    return now != adds;
}
