/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap_query.h - questions about the blocks of the heap, for the detectors and the search. */
#ifndef HD_RUNTIME_RESTORE_HEAP_QUERY_H
#define HD_RUNTIME_RESTORE_HEAP_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "detect/heap.h"
#include "model/heap.h"

/* The blocks of the arena of addr.  Precondition: hd_heap_owns(addr). */
const struct hd_blocks *hd_heap_blocks(uintptr_t addr);
/* Fills *out with all that is known about the block. */
void hd_heap_describe(const struct hd_block *b, struct hd_block_info *out);
/* Returns an address that represents the lifetime of the block around addr in the search; no access uses it.  0 if
 * addr lies in no block. */
uintptr_t hd_heap_life(uintptr_t addr);
/* Call when a synchronisation object is at addr.  Its block must not be recycled: the object would be lost. */
void hd_heap_note_object(uintptr_t addr);

/* Hashes this execution's blocks and their contents into *out.  Returns false if they are too large. */
bool hd_heap_hash(uint64_t *out);
/* A hash of the sizes and sites of this execution's live blocks; 0 if there are none. */
uint64_t hd_heap_live_hash(void);
/* Calls fn for each live block of this execution. */
void hd_heap_each_live(void (*fn)(struct hd_block *b, void *arg), void *arg);
/* The live block of this execution that addr points into, or NULL. */
struct hd_block *hd_heap_live_at(uintptr_t addr);

#endif
