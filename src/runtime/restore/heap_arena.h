/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap_arena.h - the arenas of the heap, for heap.c and heap_query.c. */
#ifndef HD_RUNTIME_RESTORE_HEAP_ARENA_H
#define HD_RUNTIME_RESTORE_HEAP_ARENA_H

#include <stdint.h>

#include "base/set.h"
#include "detect/heap.h"
#include "model/heap.h"

enum { HD_HEAP_CLASSES = 64 }; /* blocks of at most this many granules are recycled */

struct hd_block_head {
    uint64_t size;
    uint32_t row;
    uint32_t pad;
};
_Static_assert(sizeof(struct hd_block_head) == HD_BLOCK_LIFE, "the life of a block is the address of its head");

struct hd_heap_arena {
    uintptr_t base;
    uintptr_t sealed; /* end of the memory that belongs to the snapshot */
    uintptr_t top;
    uintptr_t cleared; /* end of the memory that the last execution to use the arena allocated */
    struct hd_blocks blocks;
    uint32_t sealed_rows;
    uint32_t epoch; /* execution to which the free lists belong */
    struct hd_block *freed[HD_HEAP_CLASSES];
};

extern struct hd_heap_arena hd_heap_arenas[HD_MAX_THREADS] __attribute__((visibility("hidden"))); /* by slot */
extern uint64_t hd_heap_nlive __attribute__((visibility("hidden"))); /* live blocks of this execution */

static inline struct hd_heap_arena *hd_heap_arena_of(uintptr_t addr)
{
    return &hd_heap_arenas[(addr - HD_HEAP_BASE) / HD_HEAP_STRIDE];
}

#endif
