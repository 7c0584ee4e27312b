/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shadow.h - what is remembered of the accesses to each 8 bytes of the program's
 * memory.  Pages of it come into being with the first access and stay; that an
 * access belongs to an earlier execution is seen by its segment (clocks.h), so
 * nothing is ever cleared between executions. */
#ifndef HD_DETECT_SHADOW_H
#define HD_DETECT_SHADOW_H

#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"

#define HD_SHADOW_PAGE 4096u
#define HD_SHADOW_CELLS (HD_SHADOW_PAGE / 8)
#define HD_SHADOW_NEAR 512u

/* The latest plain write and the latest plain read have a place of their own, for
 * which the common case needs no more than one comparison.  All others (atomic
 * accesses, reads of several threads, of different bytes) are in a list. */
struct hd_shadow_cell {
    uint32_t write_segment, read_segment; /* 0 none */
    uint64_t write, read; /* hd_shadow_word: which bytes, and from where */
    uint32_t more;         /* first of the list + 1; 0 none */
    uint32_t more_segment; /* when the list was made: stale, it is empty */
};

/* Mask of bytes and pc in one word, read and written as one: a narrow store that is
 * read back by a wide load soon costs more than all the rest. */
static inline uint64_t hd_shadow_word(unsigned mask, uint64_t pc)
{
    return (uint64_t)mask << 48 | (pc & UINT64_C(0xffffffffffff));
}
static inline unsigned hd_shadow_mask(uint64_t word) { return (unsigned)(word >> 48); }
static inline uint64_t hd_shadow_pc(uint64_t word) { return word & UINT64_C(0xffffffffffff); }

/* In a pc, as no code is there: the access is that the block was freed. */
#define HD_SHADOW_FREES (UINT64_C(1) << 47)

struct hd_shadow_page {
    uint64_t number; /* address / HD_SHADOW_PAGE; UINT64_MAX none */
    struct hd_shadow_cell *cells;
};

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

/* The cell, or NULL when there is no room for more pages. */
struct hd_shadow_cell *hd_shadow_look_up(struct hd_shadow *s, uintptr_t addr);

/* The same when it was used lately, else NULL. */
static inline struct hd_shadow_cell *hd_shadow_near(const struct hd_shadow *s, uintptr_t addr)
{
    uint64_t number = addr / HD_SHADOW_PAGE;
    const struct hd_shadow_page *p = &s->near[number % HD_SHADOW_NEAR];

    if (HD_UNLIKELY(p->number != number))
        return NULL;
    struct hd_shadow_cell *cell = &p->cells[addr / 8 % HD_SHADOW_CELLS];

    if (cell == NULL)
        __builtin_unreachable(); /* one comparison less for the caller */
    return cell;
}

#endif
