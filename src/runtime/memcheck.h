/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memcheck.h - may this memory be touched now?  Asked at every access of
 * instrumented code, so what is inline decides all that is in order.
 *
 * The arrangement of the address space makes it cheap: what is below the stacks
 * (the program's own data) needs one comparison, the heap one more and a look at
 * its map (detect/heap.h), the own stack two more. */
#ifndef HD_RUNTIME_MEMCHECK_H
#define HD_RUNTIME_MEMCHECK_H

#include "base/check.h"
#include "base/set.h"
#include "detect/heap.h"

#define HD_STACK_BASE UINT64_C(0x610000000000)
#define HD_STACK_STRIDE UINT64_C(0x8000000)
#define HD_HEAP_BASE UINT64_C(0x620000000000)
#define HD_HEAP_STRIDE UINT64_C(0x1000000000)
#define HD_STACKS_BYTES (HD_STACK_STRIDE * HD_MAX_THREADS)
#define HD_HEAP_BYTES (HD_HEAP_STRIDE * HD_MAX_THREADS)
#define HD_MAP_BASE UINT64_C(0x5f0000000000)
#define HD_MAP_BYTES (HD_HEAP_BYTES / HD_GRANULE) /* sparse */
#define HD_MAP ((int8_t *)HD_MAP_BASE)

/* The first is about what is not inside a live block within one granule; the second
 * about a stack that is not the running thread's. */
void hd_memcheck_heap(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_memcheck_stack(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* free or realloc (`what`) of p, where no live block begins; b is the freed one that
 * does, or NULL.  Does not return in a controlled thread. */
void hd_memcheck_bad_free(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc);

static inline void hd_memcheck(uintptr_t addr, size_t size, bool write, uint64_t pc,
                               uintptr_t stack_lo, uintptr_t stack_len)
{
    if (HD_LIKELY(addr < HD_STACK_BASE))
        return;
    if (addr - HD_HEAP_BASE < HD_HEAP_BYTES) {
        if (HD_UNLIKELY(!hd_map_allows_near(HD_MAP, addr - HD_HEAP_BASE, size)))
            hd_memcheck_heap(addr, size, write, pc);
    } else if (addr - stack_lo >= stack_len && addr - HD_STACK_BASE < HD_STACKS_BYTES) {
        hd_memcheck_stack(addr, size, write, pc);
    }
}

#endif
