/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - the target's heap: one bump arena per logical thread.
 *
 * H1  No address is reused within an execution.  Exception: with --heap=recycle, a thread gets the small block that
 *     it freed last when it next allocates that size.
 * H2  An address depends only on the history of its thread: on its allocations and, with
 *     --heap=recycle, on its frees.
 * H3  Memory is zero when it is handed out.
 * H4  Allocations of the dynamic loader come from a separate region that is never reset, because the loader's tables
 *     must survive the execution.
 * H5  Each block is surrounded by memory that belongs to no block, and the map (detect/heap.h)
 *     covers every byte of the arenas. */
#ifndef HD_RUNTIME_RESTORE_HEAP_H
#define HD_RUNTIME_RESTORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reserves the memory for the access checks.  Call it before the first check. */
void hd_heap_open(void);

void *hd_heap_alloc(size_t n, size_t align, uint64_t pc);
/* Returns false, after reporting it, if p is not a live block. */
bool hd_heap_free(void *p, uint64_t pc);
void *hd_heap_realloc(void *p, size_t n, uint64_t pc);
size_t hd_heap_size(const void *p);
/* True if p lies in the address range of this heap. */
bool hd_heap_owns(const void *p);

/* True if this process has used the arena of addr.  Precondition: hd_heap_owns(addr). */
bool hd_heap_is_open(uintptr_t addr);

/* The number of bytes that the loader has allocated, and the base of its region. */
uintptr_t hd_heap_loader_used(void);
uintptr_t hd_heap_loader_base(void);

/* Ends the part of the heap that was allocated before main and belongs to the snapshot. */
void hd_heap_seal(void);
/* After an execution: forgets and clears everything allocated after the seal. */
void hd_heap_reset(void);
/* After hd_heap_reset: the first address at which memory of the last execution is not zero, or 0. */
uintptr_t hd_heap_difference(void);

#endif
