/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_state.h - the state that the kernel keeps for this process and that a program can see or
 * change: signals, limits, settings, identity, directories, timers, descriptors, mappings.  The
 * difference between two records shows what an execution has left behind.
 *
 * K1  All reads are system calls, and go through a descriptor of /proc that was opened before the
 *     target ran: the target's root directory and mounts do not matter.
 * K2  The record leaves out the runtime's own state and everything that the runtime changes itself
 *     (page protection, number of kernel threads, its own memory). */
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
    uint64_t what; /* shared or private, and the file */
};

struct hd_kernel_state {
    unsigned nfacts, nranges;
    struct hd_kernel_fact fact[HD_KERNEL_FACTS];
    struct hd_kernel_range range[HD_KERNEL_RANGES];
};

void hd_kernel_state_take(struct hd_kernel_state *s);

/* Returns false if a and b differ.  `what` (cap bytes) then names the first difference. */
bool hd_kernel_state_same(const struct hd_kernel_state *a, const struct hd_kernel_state *b, char *what,
                          size_t cap);

#endif
