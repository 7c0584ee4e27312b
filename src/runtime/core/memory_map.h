/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory_map.h - checks whether the target may access an address now.  Every access of instrumented code is checked,
 * so the inline functions decide all common valid cases.
 *
 * The layout of the address space makes the check cheap.  An address below the stacks (the program's own data)
 * needs one comparison.  The heap needs one more and a look at its map (detect/heap.h), the thread's own stack two
 * more. */
#ifndef HD_RUNTIME_CORE_MEMORY_MAP_H
#define HD_RUNTIME_CORE_MEMORY_MAP_H

#include "base/check.h"
#include "base/set.h"
#include "detect/heap.h"
#include "model/heap.h"

#define HD_STACK_BASE UINT64_C(0x610000000000)
#define HD_STACK_STRIDE UINT64_C(0x8000000)
#define HD_STACKS_BYTES (HD_STACK_STRIDE * HD_MAX_THREADS)
#define HD_MAP_BASE UINT64_C(0x5f0000000000)
#define HD_MAP_BYTES (HD_HEAP_BYTES / HD_GRANULE) /* sparse */
#define HD_MAP ((int8_t *)HD_MAP_BASE)

static inline bool hd_is_heap_address(uintptr_t addr)
{
    return addr - HD_HEAP_BASE < HD_HEAP_BYTES;
}

/* True for the program's data and live blocks of the heap. */
static inline bool hd_memcheck_nearest(uintptr_t addr, size_t size)
{
    return HD_LIKELY(addr < HD_STACK_BASE) ||
           (addr - HD_HEAP_BASE < HD_HEAP_BYTES &&
            hd_map_allows_near(HD_MAP, addr - HD_HEAP_BASE, size));
}

/* True if the access is certainly valid; stack_lo and stack_len are those of the running thread.
 * False for invalid accesses, and for some valid ones (long accesses to the heap, accesses to
 * another stack). */
static inline bool hd_memcheck_near(uintptr_t addr, size_t size, uintptr_t stack_lo,
                                    uintptr_t stack_len)
{
    _Static_assert(HD_STACK_BASE < HD_HEAP_BASE, "the program's data, then stacks, then the heap");
    if (addr < HD_STACK_BASE)
        return true;
    if (addr - HD_HEAP_BASE < HD_HEAP_BYTES)
        return hd_map_allows_near(HD_MAP, addr - HD_HEAP_BASE, size) ||
               hd_map_allows_across(HD_MAP, addr - HD_HEAP_BASE, size);
    return addr - stack_lo < stack_len || addr - HD_STACK_BASE >= HD_STACKS_BYTES;
}

#endif
