/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_state.h - what the kernel knows of this process and a program can see or change: signals,
 * limits, settings, identity, directories, timers, descriptors, mappings.  Taken down twice, it
 * tells what an execution has left behind.
 *
 * K1  Everything is read by system calls and through a descriptor of /proc that was opened before
 *     the target ran: neither its root nor its mounts matter.
 * K2  What is the runtime's own, and what the runtime changes as it goes along (protection of pages,
 *     number of kernel threads, its own memory), is left out. */
#ifndef HD_RUNTIME_RESTORE_KERNEL_STATE_H
#define HD_RUNTIME_RESTORE_KERNEL_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_KERNEL_FACTS = 640, HD_KERNEL_RANGES = 1024, HD_KERNEL_NAME = 40 };

struct hd_kernel_fact {
    char name[HD_KERNEL_NAME];
    uint64_t value;
};

struct hd_kernel_range {
    uintptr_t lo, hi;
    uint64_t what; /* shared or not, and of which file */
};

struct hd_kernel_state {
    unsigned nfacts, nranges;
    struct hd_kernel_fact fact[HD_KERNEL_FACTS];
    struct hd_kernel_range range[HD_KERNEL_RANGES];
};

void hd_kernel_state_take(struct hd_kernel_state *s);

/* False: they differ, and `what` (of cap bytes) names the first difference. */
bool hd_kernel_state_same(const struct hd_kernel_state *a, const struct hd_kernel_state *b, char *what,
                          size_t cap);

#endif
