/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shadow.h - stores the accesses that are kept for each 8 bytes of the program's memory (a cell).  The cells of
 * a page are created at its first access and stay.  The segment of an access (clocks.h) tells whether it
 * belongs to an earlier execution, so nothing is cleared between executions. */
#ifndef HD_DETECT_SHADOW_H
#define HD_DETECT_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/limits.h"
#include "base/set.h"
#include "model/event.h"

#define HD_SHADOW_PAGE 4096u
#define HD_SHADOW_CELLS (HD_SHADOW_PAGE / 8)
#define HD_SHADOW_NEAR HD_LIMIT(512u, 2u)

/* The latest plain write and the latest plain read have fixed places, so that the common case needs only one
 * comparison.  Most memory needs nothing else.  Otherwise (atomic accesses, reads by several threads, adjacent
 * bytes used by different threads or sites) the cell is split permanently: each part has a cell of its own,
 * with a list for further accesses.  Parts have four bytes, or are as small as the access that caused the
 * split, so that an array of small numbers that one loop reads and another one writes needs no lists. */
struct hd_shadow_cell {
    uint32_t write_segment, read_segment; /* 0: none; both HD_SHADOW_SPLIT: split */
    uint64_t write; /* hd_shadow_word: bytes, thread and pc */
    union { /* placed between the two words, so that the compiler does not merge their stores, which would be
             * slower */
        struct hd_shadow_cell *parts; /* [8 >> hd_shadow_shift]; NULL: not split */
        struct {                      /* valid for a part of a split cell */
            uint32_t more;            /* 1 + the index of the first list entry; 0: none */
            uint32_t more_segment;    /* segment in which the list was begun; if it belongs to an earlier
                                       * execution, the list is empty */
        };
    };
    uint64_t read; /* if split: holds hd_shadow_shift */
};

/* Marks a split cell.  No segment has this number, and it is larger than any entry of a clock. */
#define HD_SHADOW_SPLIT UINT32_MAX
#define HD_SHADOW_COARSE 2u /* largest shift of a split cell */

/* Returns shift: the parts of a split cell have 1 << shift bytes. */
static inline unsigned hd_shadow_shift(const struct hd_shadow_cell *cell)
{
    return (unsigned)cell->read & 3;
}
/* Returns the mask of the bytes of part i. */
static inline unsigned hd_shadow_part(unsigned shift, unsigned i)
{
    return ((1u << (1u << shift)) - 1) << (i << shift);
}

/* Returns byte mask, thread and pc in one word.  A pc has at most 48 bits.  There is room for only 8 bits of the thread: see
 * hd_clocks_user. */
static inline uint64_t hd_shadow_word(unsigned mask, hd_tid tid, uint64_t pc)
{
    return (uint64_t)(mask << 8 | (uint8_t)tid) << 48 | pc;
}
static inline unsigned hd_shadow_mask(uint64_t word) { return (unsigned)(word >> 56); }
static inline uint8_t hd_shadow_tid(uint64_t word) { return (uint8_t)(word >> 48); }
static inline uint64_t hd_shadow_pc(uint64_t word) { return word & UINT64_C(0xffffffffffff); }
/* Returns the word restricted to the bytes in mask. */
static inline uint64_t hd_shadow_only(uint64_t word, unsigned mask)
{
    return word & ~((uint64_t)~mask << 56);
}

/* Flag in the pc of an access that frees a block.  No code has an address with this bit. */
#define HD_SHADOW_FREES (UINT64_C(1) << 47)

struct hd_shadow_page {
    uint64_t addr; /* address of its first byte; HD_SHADOW_NO_PAGE: none */
    struct hd_shadow_cell *cells;
};

#define HD_SHADOW_NO_PAGE UINT64_MAX

struct hd_shadow {
    struct hd_arena *arena;
    struct hd_shadow_page near[HD_SHADOW_NEAR]; /* recently used pages, direct-mapped */
    struct hd_shadow_page *table;               /* all pages, open addressing */
    uint32_t size, used;
};

/* Allocates room for npages pages of the program (a power of two). */
void hd_shadow_init(struct hd_shadow *s, struct hd_arena *arena, uint32_t npages);

/* Forgets everything. */
void hd_shadow_clear(struct hd_shadow *s);

/* Splits a cell into parts of 1 << shift bytes, and distributes its contents.  Precondition: its
 * present parts are larger and have no lists.  Returns false if there is no room. */
bool hd_shadow_split(struct hd_shadow *s, struct hd_shadow_cell *cell, unsigned shift);

/* True if there is a cell for addr. (A page has all of its cells or none.) */
bool hd_shadow_has(struct hd_shadow *s, uintptr_t addr);

/* Returns the cell, which is created if necessary; NULL if there is no room for more pages. */
struct hd_shadow_cell *hd_shadow_look_up(struct hd_shadow *s, uintptr_t addr);

/* Returns the cell for an access of `size` bytes if the cell contains all of them and its page was used
 * recently; otherwise NULL.  An unaligned access counts as not contained. */
static inline struct hd_shadow_cell *hd_shadow_near(const struct hd_shadow *s, uintptr_t addr,
                                                    size_t size)
{
    const struct hd_shadow_page *p = &s->near[addr / HD_SHADOW_PAGE % HD_SHADOW_NEAR];
    uint64_t offset = addr ^ p->addr; /* for an address in another page, higher bits are set */

    if (HD_UNLIKELY((offset & (~(uint64_t)(HD_SHADOW_PAGE - 1) | (size - 1))) != 0))
        return NULL;
    _Static_assert(sizeof(struct hd_shadow_cell) == 32, "four times what it stands for");
    struct hd_shadow_cell *cell =
        (struct hd_shadow_cell *)(void *)((char *)p->cells + 4 * (size == 8 ? offset : offset & ~7ul));

    if (cell == NULL)
        __builtin_unreachable(); /* saves the caller a comparison */
    return cell;
}

#endif
