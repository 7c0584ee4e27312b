/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - what an execution leaves in the kernel and in ld.so. */
#include "runtime/process.h"

#include <fcntl.h>
#include <link.h>
#include <sys/resource.h>

#include "runtime/heap.h"
#include "runtime/mem.h"

#define MAP_BASE UINT64_C(0x500000000000) /* mappings that the target makes, by slot */
#define MAP_STRIDE UINT64_C(0x100000000)
#define LOW_FDS 16

static long first_free_fd;
static long copies[LOW_FDS]; /* of the descriptors below it */
static uint64_t mapped[HD_MAX_THREADS];
static unsigned long long adds;
static uintptr_t loader_used;

static int read_adds(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(unsigned long long *)arg = info->dlpi_adds;
    return 1;
}

/* Out of the target's way: it counts on the lowest free number. */
static long high_copy(long fd)
{
    struct rlimit limit = { 1024, 1024 };

    hd_sys(SYS_getrlimit, RLIMIT_NOFILE, &limit, 0);
    long from = (long)(limit.rlim_cur > 65536 ? 65536 : limit.rlim_cur) - 2 * LOW_FDS;

    return hd_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, from + fd);
}

void hd_process_note(void)
{
    /* The lowest free descriptor: what is above was opened by an execution.
     * Programs start with 0, 1, 2 and ours, without gaps. */
    first_free_fd = hd_sys(SYS_dup, 1, 0, 0);
    hd_sys(SYS_close, first_free_fd, 0, 0);
    for (long i = 0; i < first_free_fd && i < LOW_FDS; i++)
        copies[i] = high_copy(i);
    dl_iterate_phdr(read_adds, &adds);
    loader_used = hd_heap_loader_used();
}

void hd_process_restore(void)
{
    hd_sys(SYS_close_range, first_free_fd, copies[0] - 1, 0);
    hd_sys(SYS_close_range, copies[0] + LOW_FDS, ~0u, 0);
    for (long i = 0; i < first_free_fd && i < LOW_FDS; i++)
        if (copies[i] >= 0)
            hd_sys(SYS_dup2, copies[i], i, 0);
}

void *hd_process_place(size_t n)
{
    uint64_t *used = &mapped[hd.cur->slot];
    uint64_t bytes = HD_PAGE_CEIL(n) + HD_PAGE; /* a hole: one past the end faults */

    if (n == 0 || bytes > MAP_STRIDE - *used)
        return NULL;
    *used += bytes;
    hd.maps_used = true;
    return (void *)(MAP_BASE + hd.cur->slot * MAP_STRIDE + *used - bytes);
}

bool hd_process_is_placed(const void *addr, size_t n)
{
    uint64_t at = (uint64_t)(uintptr_t)addr - MAP_BASE;
    uint64_t room = HD_MAX_THREADS * MAP_STRIDE;

    return at < room && n <= room - at;
}

void hd_process_unmap(void)
{
    for (unsigned s = 0; s < hd.wire->nslots; s++)
        if (mapped[s] != 0) {
            hd_sys(SYS_munmap, MAP_BASE + s * MAP_STRIDE, mapped[s], 0);
            mapped[s] = 0;
        }
    hd.maps_used = false;
}

bool hd_process_has_grown(void)
{
    unsigned long long now = 0;

    if (hd_heap_loader_used() == loader_used)
        return false; /* nothing is loaded without an allocation of ld.so's */
    loader_used = hd_heap_loader_used();
    dl_iterate_phdr(read_adds, &now);
    return now != adds;
}
