/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - the target's heap: one bump arena per logical thread.
 *
 * H1  No address is reused within an execution.
 * H2  An address depends on its thread's own history only.
 * H3  Memory is zero when handed out.
 * H4  What the dynamic loader allocates comes from a region of its own that is
 *     never reset: its tables must survive the execution. */
#ifndef HD_RUNTIME_HEAP_H
#define HD_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_HEAP_BASE UINT64_C(0x620000000000)
#define HD_HEAP_STRIDE UINT64_C(0x1000000000)

void *hd_heap_alloc(size_t n, size_t align, uint64_t pc);
void hd_heap_free(void *p, uint64_t pc);
void *hd_heap_realloc(void *p, size_t n, uint64_t pc);
size_t hd_heap_size(const void *p);
/* Is it an address that this heap hands out? */
bool hd_heap_owns(const void *p);

/* How much the loader has allocated so far. */
uintptr_t hd_heap_loader_used(void);

/* End of what was allocated before main: *lo … *hi goes into the snapshot. */
void hd_heap_seal(uintptr_t *lo, uintptr_t *hi);
/* After an execution: forget and clear all that came after the seal. */
void hd_heap_reset(void);

#endif
