/* SPDX-License-Identifier: BSD-2-Clause
 *
 * arena.h - a bump allocator in memory that the caller provides.  Single allocations cannot be freed.  The
 * state of a search is allocated in an arena, in a shared mapping that survives the worker; pointers stay valid
 * in every worker because the mapping has a fixed address.  Allocated memory is zeroed. */
#ifndef HD_BASE_ARENA_H
#define HD_BASE_ARENA_H

#include <stddef.h>

#include "base/check.h"

struct hd_arena {
    unsigned char *base;
    size_t size;
    size_t used;
};

static inline void *hd_arena_alloc(struct hd_arena *a, size_t n)
{
    void *p = a->base + a->used;

    n = (n + 63) & ~(size_t)63;
    HD_INVARIANT(a->size - a->used >= n, "search arena exhausted");
    a->used += n;
    return p;
}

#endif
