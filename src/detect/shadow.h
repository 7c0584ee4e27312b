/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shadow.h - what is remembered of the accesses to each 8 bytes of the program's
 * memory.  Pages of it come into being with the first access and stay; that an
 * access belongs to an earlier execution is seen by its segment (clocks.h), so
 * nothing is ever cleared between executions. */
#ifndef HD_DETECT_SHADOW_H
#define HD_DETECT_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/set.h"
#include "model/event.h"

#define HD_SHADOW_PAGE 4096u
#define HD_SHADOW_CELLS (HD_SHADOW_PAGE / 8)
#define HD_SHADOW_NEAR 512u

/* The latest plain write and the latest plain read have a place of their own, for
 * which the common case needs no more than one comparison.  That is all that most
 * memory ever needs.  Where it is not enough (atomic accesses, reads of several threads,
 * neighbours that different threads or places use), the cell is split for good: each part
 * has a cell of its own then, with a list for what has no place in it.  Parts are four bytes,
 * or as small as the access that asked for them: an array of small numbers that one loop
 * reads and another writes needs no lists. */
struct hd_shadow_cell {
    uint32_t write_segment, read_segment; /* 0 none; HD_SHADOW_SPLIT both when it is split */
    uint64_t write; /* hd_shadow_word: which bytes, who, and from where */
    union { /* between the two words, or a compiler stores them as one, which takes longer */
        struct hd_shadow_cell *parts; /* [8 >> hd_shadow_shift], NULL not split */
        struct {                      /* of a part */
            uint32_t more;            /* first of the list + 1; 0 none */
            uint32_t more_segment;    /* when the list was made: stale, it is empty */
        };
    };
    uint64_t read; /* of one that is split: hd_shadow_shift */
};

/* No segment has that number, and none that is in anybody's past is as large. */
#define HD_SHADOW_SPLIT UINT32_MAX
#define HD_SHADOW_COARSE 2u /* largest shift of a cell that is split */

/* A part of a split cell is 1 << shift bytes. */
static inline unsigned hd_shadow_shift(const struct hd_shadow_cell *cell)
{
    return (unsigned)cell->read & 3;
}
/* Bytes of part i. */
static inline unsigned hd_shadow_part(unsigned shift, unsigned i)
{
    return ((1u << (1u << shift)) - 1) << (i << shift);
}

/* Mask of bytes, thread and pc in one word.  No pc has more than 48 bits. */
_Static_assert(HD_MAX_THREADS <= 256, "a thread is 8 bits of a word");
static inline uint64_t hd_shadow_word(unsigned mask, hd_tid tid, uint64_t pc)
{
    return (uint64_t)(mask << 8 | tid) << 48 | pc;
}
static inline unsigned hd_shadow_mask(uint64_t word) { return (unsigned)(word >> 56); }
static inline hd_tid hd_shadow_tid(uint64_t word) { return (uint8_t)(word >> 48); }
static inline uint64_t hd_shadow_pc(uint64_t word) { return word & UINT64_C(0xffffffffffff); }
/* The same with fewer bytes. */
static inline uint64_t hd_shadow_only(uint64_t word, unsigned mask)
{
    return word & ~((uint64_t)~mask << 56);
}

/* In a pc, as no code is there: the access is that the block was freed. */
#define HD_SHADOW_FREES (UINT64_C(1) << 47)

struct hd_shadow_page {
    uint64_t addr; /* of its first byte; HD_SHADOW_NO_PAGE none */
    struct hd_shadow_cell *cells;
};

#define HD_SHADOW_NO_PAGE UINT64_MAX

struct hd_shadow {
    struct hd_arena *arena;
    struct hd_shadow_page near[HD_SHADOW_NEAR]; /* lately used, direct-mapped */
    struct hd_shadow_page *table;               /* all, open addressing */
    uint32_t size, used;
};

/* Room for npages pages of the program (a power of two). */
void hd_shadow_init(struct hd_shadow *s, struct hd_arena *arena, uint32_t npages);

/* Forget everything. */
void hd_shadow_clear(struct hd_shadow *s);

/* Split a cell into parts of 1 << shift bytes, smaller than they are and without lists: what
 * it holds goes into them.  False: no room. */
bool hd_shadow_split(struct hd_shadow *s, struct hd_shadow_cell *cell, unsigned shift);

/* Is there a cell already?  (A page has all of its cells or none.) */
bool hd_shadow_has(struct hd_shadow *s, uintptr_t addr);

/* The cell, or NULL when there is no room for more pages. */
struct hd_shadow_cell *hd_shadow_look_up(struct hd_shadow *s, uintptr_t addr);

/* The same for an access of `size` bytes, when all of them are in the cell and it was
 * used lately, else NULL.  Not aligned, it counts as one that is not. */
static inline struct hd_shadow_cell *hd_shadow_near(const struct hd_shadow *s, uintptr_t addr,
                                                    size_t size)
{
    const struct hd_shadow_page *p = &s->near[addr / HD_SHADOW_PAGE % HD_SHADOW_NEAR];
    uint64_t offset = addr ^ p->addr; /* of another page, it has more bits */

    if (HD_UNLIKELY((offset & (~(uint64_t)(HD_SHADOW_PAGE - 1) | (size - 1))) != 0))
        return NULL;
    _Static_assert(sizeof(struct hd_shadow_cell) == 32, "four times what it stands for");
    struct hd_shadow_cell *cell =
        (struct hd_shadow_cell *)(void *)((char *)p->cells + 4 * (size == 8 ? offset : offset & ~7ul));

    if (cell == NULL)
        __builtin_unreachable(); /* one comparison less for the caller */
    return cell;
}

#endif
