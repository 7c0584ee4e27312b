/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - tells which bytes of a heap may be accessed, and to which block an invalid address belongs.
 *
 * The blocks are recorded twice.  The *map* has one byte for each granule of 16 bytes.  It tells at every
 * access, by one load and one comparison, whether the access is inside a live block.  The *table* has a row for
 * each block, in address order.  It is used afterwards, to find the block to which an invalid address belongs. */
#ifndef HD_DETECT_HEAP_H
#define HD_DETECT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/heap.h"

#define HD_GRANULE 16
/* Values of the map: the number of leading bytes of the granule that belong to a live block (0 to
 * 16), or HD_MAP_FREED. */
#define HD_MAP_FREED (-1)

/* True if [addr, addr + size) is inside a live block and in one granule.  `map` points to the entry
 * of the heap's first byte; addr is relative to that byte. */
static inline bool hd_map_allows_near(const int8_t *map, uintptr_t addr, size_t size)
{
    return (int64_t)(addr % HD_GRANULE + size) <= map[addr / HD_GRANULE];
}
/* Like hd_map_allows_near, for an access that may extend into the next granule, which is not larger than a granule. */
static inline bool hd_map_allows_across(const int8_t *map, uintptr_t addr, size_t size)
{
    const int8_t *first = &map[addr / HD_GRANULE];

    return size <= HD_GRANULE && first[0] == HD_GRANULE &&
           (int64_t)(addr % HD_GRANULE + size) - HD_GRANULE <= first[1];
}
/* Like hd_map_allows_near, for an access of any size.  Sets *bad to the first invalid byte. */
bool hd_map_allows(const int8_t *map, uintptr_t addr, size_t size, uintptr_t *bad);

/* Returns the number of bytes that a block of that size occupies: at least one granule. */
static inline size_t hd_block_room(size_t size)
{
    return size == 0 ? HD_GRANULE : (size + HD_GRANULE - 1) & ~(size_t)(HD_GRANULE - 1);
}

/* Returns the number of bytes to leave free after a block, besides the header of the next one, so that an index
 * that is slightly too large does not hit another block. */
static inline size_t hd_block_gap(size_t size)
{
    size_t gap = size / 4 & ~(size_t)(HD_GRANULE - 1);

    return gap < 512 ? gap : 512;
}

enum hd_block_state { HD_BLOCK_LIVE = 1, HD_BLOCK_FREED };

struct hd_block_event {
    uint32_t site; /* a number chosen by the caller */
    uint32_t step; /* number of decisions taken before it */
    hd_tid tid;
};

/* One cache line, because a row is written for each allocation. */
struct hd_block {
    uint64_t addr;
    uint64_t size;
    struct hd_block *next; /* next block in the free list, or in the list of blocks to scan */
    uint32_t mark;         /* the execution in which it was last found reachable */
    struct hd_block_event allocated, freed;
    uint8_t state;         /* enum hd_block_state; 0: an unused row */
    uint8_t objects;       /* it contains synchronisation objects */
} __attribute__((aligned(64)));

struct hd_blocks {
    struct hd_block *row; /* in ascending address order */
    uint32_t n;
};

/* Returns the last block that begins at or below addr, or NULL. */
struct hd_block *hd_blocks_find(const struct hd_blocks *b, uintptr_t addr);

/* Where an invalid address lies relative to a block. */
enum hd_where { HD_IN_FREED, HD_BEHIND, HD_BEFORE, HD_NOWHERE };
struct hd_place {
    enum hd_where where;
    const struct hd_block *block; /* NULL for HD_NOWHERE */
    uint64_t distance;            /* bytes into the block, after its end, or before its start */
};
struct hd_place hd_blocks_place(const struct hd_blocks *b, uintptr_t addr);

/* ---- leaks ----------------------------------------------------------------------- */

/* Begins an execution. */
void hd_leaks_begin(struct hd_leaks *l);
/* Call for each block that was lost. */
void hd_leaks_add(struct hd_leaks *l, const struct hd_block_info *b);

enum hd_leak_kind {
    HD_LEAK_NONE,
    HD_LEAK_NOW,   /* this execution lost more blocks than another one */
    HD_LEAK_FIRST, /* this execution lost fewer blocks than the first one */
};
/* Call after all hd_leaks_add.  Returns whether this execution is the first one that shows a difference between
 * executions at this site.  Has no side effects, so a worker may die before the result is reported. */
enum hd_leak_kind hd_leaks_judge(const struct hd_leaks *l, const struct hd_leak_site *s);
/* Ends the execution.  Call after its results have been reported. */
void hd_leaks_end(struct hd_leaks *l);

#endif
