/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memcheck.h - finds accesses to invalid memory, and frees of memory where no live block begins. */
#ifndef HD_RUNTIME_WATCH_MEMCHECK_H
#define HD_RUNTIME_WATCH_MEMCHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "runtime/core/memory_map.h"

struct hd_block;

/* Decides all cases that the inline functions leave open.  Does not return if
 * the access is invalid. */
void hd_memcheck_far(uintptr_t addr, size_t size, bool write, uint64_t pc);

static inline void hd_memcheck(uintptr_t addr, size_t size, bool write, uint64_t pc,
                               uintptr_t stack_lo, uintptr_t stack_len)
{
    if (HD_UNLIKELY(!hd_memcheck_near(addr, size, stack_lo, stack_len)))
        hd_memcheck_far(addr, size, write, pc);
}

/* Reports a free or realloc (`what`) of p, where no live block begins; b is the freed block that
 * begins there, or NULL.  Does not return in a controlled thread. */
void hd_memcheck_bad_free(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc);

#endif
