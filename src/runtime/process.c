/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.c - what an execution leaves in the kernel and in ld.so. */
#include "runtime/process.h"

#include <link.h>

#include "runtime/heap.h"
#include "runtime/mem.h"

static long first_free_fd;
static unsigned long long adds;
static uintptr_t loader_used;

static int read_adds(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    *(unsigned long long *)arg = info->dlpi_adds;
    return 1;
}

void hd_process_note(void)
{
    /* The lowest free descriptor: what is above was opened by an execution.
     * Programs start with 0, 1, 2 and ours, without gaps. */
    first_free_fd = hd_sys(SYS_dup, 1, 0, 0);
    hd_sys(SYS_close, first_free_fd, 0, 0);
    dl_iterate_phdr(read_adds, &adds);
    loader_used = hd_heap_loader_used();
}

void hd_process_restore(void)
{
    hd_sys(SYS_close_range, first_free_fd, ~0u, 0);
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
