/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - the target's heap: one bump arena per logical thread.
 *
 * H1  No address is reused within an execution; with --heap=recycle, a small block
 *     that a thread frees is what it is given next.
 * H2  An address depends on its thread's own history only: on what it allocates and,
 *     with --heap=recycle, on what it frees.
 * H3  Memory is zero when handed out.
 * H4  What the dynamic loader allocates comes from a region of its own that is
 *     never reset: its tables must survive the execution.
 * H5  Around each block is memory that belongs to none, and the map (detect/heap.h)
 *     knows every byte of the arenas. */
#ifndef HD_RUNTIME_RESTORE_HEAP_H
#define HD_RUNTIME_RESTORE_HEAP_H

#include "runtime/core/rt.h"

/* Reserve what the checks of accesses look at; before the first of them. */
void hd_heap_open(void);

void *hd_heap_alloc(size_t n, size_t align, uint64_t pc);
/* False when p is no live block: that was reported. */
bool hd_heap_free(void *p, uint64_t pc);
void *hd_heap_realloc(void *p, size_t n, uint64_t pc);
size_t hd_heap_size(const void *p);
/* Is it an address that this heap hands out? */
bool hd_heap_owns(const void *p);

/* Has the arena that addr, an address of the heap, lies in been used in this process? */
bool hd_heap_is_open(uintptr_t addr);
/* The blocks of the arena that addr, an address of the heap, lies in. */
const struct hd_blocks *hd_heap_blocks(uintptr_t addr);
/* All that is known of a block. */
void hd_heap_tell(const struct hd_block *b, struct hd_block_info *out);
/* What stands for the life of the block that addr lies in, an address of nobody's; 0: in none. */
uintptr_t hd_heap_life(uintptr_t addr);
/* A sync object lives at addr: were its block handed out again, it would be gone. */
void hd_heap_note_object(uintptr_t addr);

/* How much the loader has allocated so far, and from where on. */
uintptr_t hd_heap_loader_used(void);
uintptr_t hd_heap_loader_base(void);

/* End of what was allocated before main: it goes into the snapshot. */
void hd_heap_seal(void);
/* After an execution: forget and clear all that came after the seal. */
void hd_heap_reset(void);
/* Where memory that the last execution was given is not zero after that: 0, nowhere. */
uintptr_t hd_heap_difference(void);

/* A hash of what this execution has allocated, and of what is in it; false: too much. */
bool hd_heap_hash(uint64_t *out);
/* What is left over of this execution's blocks, as a hash of sizes and places; 0 when
 * there is nothing. */
uint64_t hd_heap_left(void);
/* Its blocks that are live. */
void hd_heap_each_left(void (*fn)(struct hd_block *b, void *arg), void *arg);
/* The live block of this execution that addr points into; NULL: none. */
struct hd_block *hd_heap_left_at(uintptr_t addr);

#endif
