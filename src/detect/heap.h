/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.h - which bytes of a heap may be touched, and what the others are.
 *
 * Two views of the same blocks.  The *map* has one byte for each granule of 16
 * bytes and answers, at every access, whether it is inside a live block: one load
 * and one comparison.  The *table* has a row for each block, in order of address,
 * and tells afterwards what an address that may not be touched belongs to. */
#ifndef HD_DETECT_HEAP_H
#define HD_DETECT_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "model/heap.h"

#define HD_GRANULE 16
/* In the map: how many bytes of the granule, from its first, belong to a live
 * block (0 to 16), or this. */
#define HD_MAP_FREED (-1)

/* Is [addr, addr + size) inside a live block?  Inline: within one granule.  `map`
 * points to the byte for address 0 of the heap, addr is counted from there. */
static inline bool hd_map_allows_near(const int8_t *map, uintptr_t addr, size_t size)
{
    return (int64_t)(addr % HD_GRANULE + size) <= map[addr / HD_GRANULE];
}
/* Within two, of at most a granule's size. */
static inline bool hd_map_allows_across(const int8_t *map, uintptr_t addr, size_t size)
{
    const int8_t *first = &map[addr / HD_GRANULE];

    return size <= HD_GRANULE && first[0] == HD_GRANULE &&
           (int64_t)(addr % HD_GRANULE + size) - HD_GRANULE <= first[1];
}
/* The same for any size; *bad is the first byte that is not. */
bool hd_map_allows(const int8_t *map, uintptr_t addr, size_t size, uintptr_t *bad);

/* Bytes that a block of that size takes: at least one granule. */
static inline size_t hd_block_room(size_t size)
{
    return size == 0 ? HD_GRANULE : (size + HD_GRANULE - 1) & ~(size_t)(HD_GRANULE - 1);
}

/* Bytes to leave behind a block, besides the head of the next one: an index that is
 * too large by some elements shall not meet another block. */
static inline size_t hd_block_gap(size_t size)
{
    size_t gap = size / 4 & ~(size_t)(HD_GRANULE - 1);

    return gap < 512 ? gap : 512;
}

enum hd_block_state { HD_BLOCK_LIVE = 1, HD_BLOCK_FREED };

struct hd_block_event {
    uint32_t site; /* a number that whoever fills it in understands */
    uint32_t step; /* decisions taken before it */
    hd_tid tid;
};

/* One cache line: a row is written for each allocation. */
struct hd_block {
    uint64_t addr;
    uint64_t size;
    struct hd_block *next; /* of the free list or of those still to be scanned */
    uint32_t mark;         /* execution in which it was last found to be reachable */
    struct hd_block_event allocated, freed;
    uint8_t state;         /* enum hd_block_state; 0: no block, only a row */
    uint8_t objects;       /* it holds sync objects */
} __attribute__((aligned(64)));

struct hd_blocks {
    struct hd_block *row; /* ascending addresses */
    uint32_t n;
};

/* The last block that begins at addr or below; NULL: none does. */
struct hd_block *hd_blocks_find(const struct hd_blocks *b, uintptr_t addr);

/* Where an address is that may not be touched. */
enum hd_where { HD_IN_FREED, HD_BEHIND, HD_BEFORE, HD_NOWHERE };
struct hd_place {
    enum hd_where where;
    const struct hd_block *block; /* NULL for HD_NOWHERE */
    uint64_t distance;            /* bytes into it, behind its end, before its start */
};
struct hd_place hd_blocks_place(const struct hd_blocks *b, uintptr_t addr);

/* ---- leaks ----------------------------------------------------------------------- */

/* Begin to count an execution. */
void hd_leaks_begin(struct hd_leaks *l);
/* A block was lost. */
void hd_leaks_add(struct hd_leaks *l, const struct hd_block_info *b);

enum hd_leak_kind {
    HD_LEAK_NONE,
    HD_LEAK_NOW,   /* this execution lost more than another one */
    HD_LEAK_FIRST, /* this one lost fewer than the first one */
};
/* All were added: does this execution differ from others in that site, for the first
 * time?  Changes nothing, so that a worker may die before the answer is reported. */
enum hd_leak_kind hd_leaks_judge(const struct hd_leaks *l, const struct hd_leak_site *s);
/* The execution was judged, and what there was to report is reported. */
void hd_leaks_end(struct hd_leaks *l);

#endif
