/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - data races: two accesses to the same bytes, at least one a write and at least one not
 * atomic, neither of which happens before the other (C11).
 *
 * The algorithm is FastTrack (Flanagan and Freund, PLDI 2009): for each byte, keep only accesses
 * not subsumed by a later one; most checks compare one number.  It is exact in the sense of that
 * paper: the first race on each byte of an execution is reported, and there are no false positives. */
#ifndef HD_DETECT_RACE_H
#define HD_DETECT_RACE_H

#include "detect/clocks.h"
#include "detect/shadow.h"
#include "model/race.h"

typedef void hd_race_report(void *ctx, const struct hd_race *race);

/* An access in the list of a part. */
struct hd_race_record {
    uint64_t pc;
    hd_segment segment;
    uint32_t next; /* 1 + the index of the next entry */
    hd_tid tid;
    uint8_t mask;
    bool write, atomic;
};

#define HD_RACES_AT_ONCE 8 /* maximum number of races of one access that are not yet reported */

#define HD_RACE_RECORDS (1u << 21)

struct hd_races {
    struct hd_clocks clocks;
    struct hd_shadow shadow;
    struct hd_race_record *record; /* [HD_RACE_RECORDS] */
    uint32_t nrecords;             /* number of entries used in this execution */
    uint32_t free;                 /* 1 + the first of the list of unused entries */
    bool all_pairs;                /* continue to compare an access after it was in a race; callers must then
                                    * use hd_races_access_slow, which skips nothing */
    bool blind;                    /* there is no room, so the rest of this execution is not checked */
    uint32_t nfound;
    struct hd_race found[HD_RACES_AT_ONCE]; /* races found by the current access */
    hd_race_report *report;
    void *ctx;
};

/* Allocates its memory from the arena, which may be sparse. */
void hd_races_init(struct hd_races *r, struct hd_arena *arena, uint32_t nobjects, uint32_t npages,
                   hd_race_report *report, void *ctx);

/* Begins an execution.  Returns true if segment numbers restart (hd_clocks_begin). */
bool hd_races_begin(struct hd_races *r);

/* True if the atomic event writes. */
static inline bool hd_races_event_writes(const struct hd_event *e)
{
    return e->kind != HD_EV_ATOMIC_LOAD &&
           !(e->kind == HD_EV_ATOMIC_CAS && e->flags & HD_EVF_FAILED);
}

/* Updates the clocks for an event that has happened and, for an atomic operation, checks it as an access. */
void hd_races_event(struct hd_races *r, const struct hd_event *e, uintptr_t addr);
/* Like hd_races_event, for an event with HD_HB_ATOMIC. */
void hd_races_atomic(struct hd_races *r, const struct hd_event *e, uintptr_t addr);
/* Checks an access inside a transaction; it counts as atomic. hd_clocks_tx_enter orders the transaction. */
void hd_races_transacted(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write, uint64_t pc);

/* True if everything in the cell happens before what a thread with clock `time` does now, or is the thread's
 * own.  May return false for entries of earlier executions.  It reads single bytes, because a whole word kept
 * for later would need a register that a hook does not have. */
static inline bool hd_races_is_past(const hd_segment *time, const struct hd_shadow_cell *cell)
{
    const uint8_t *write = (const uint8_t *)&cell->write, *read = (const uint8_t *)&cell->read;

    return HD_LIKELY(cell->write_segment <= time[write[6]]) &&
           HD_LIKELY(cell->read_segment <= time[read[6]]);
}

/* Records a plain access in its fixed place.  Precondition: hd_races_is_past.  Returns false, without changes,
 * if the place holds other bytes that must be kept. */
static inline bool hd_races_put(const struct hd_clocks *c, struct hd_shadow_cell *cell,
                                hd_segment now, hd_tid tid, unsigned mask, bool write, uint64_t pc)
{
    hd_segment segment = write ? cell->write_segment : cell->read_segment;
    unsigned before = hd_shadow_mask(write ? cell->write : cell->read);

    if (HD_UNLIKELY((before & ~mask) != 0)) { /* these bytes belong to another site */
        if (segment == now ? hd_shadow_pc(write ? cell->write : cell->read) != pc
                           : !hd_clocks_stale(c, segment))
            return false;
    }
    if (segment != now)
        before = 0;
    if (write) {
        cell->write_segment = now;
        cell->write = hd_shadow_word(before | mask, tid, pc);
        cell->read = hd_shadow_only(cell->read, ~mask);
    } else {
        cell->read_segment = now;
        cell->read = hd_shadow_word(before | mask, tid, pc);
    }
    return true;
}

/* True if the cell contains the access or one that subsumes it. */
static inline bool hd_races_has(const struct hd_shadow_cell *cell, hd_segment now, unsigned mask,
                                bool write)
{
    return (cell->write_segment == now && (mask & ~hd_shadow_mask(cell->write)) == 0) ||
           (!write && cell->read_segment == now && (mask & ~hd_shadow_mask(cell->read)) == 0);
}

void hd_races_access_slow(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write,
                          uint64_t pc);

/* Checks and records the most frequent kind of plain access.  Returns false, without changes, if another
 * function has to do it.  It is inlined into hooks, where much is constant, and handles only accesses that need
 * no list, no new segment, no second cell and no comparison of clocks. */
static inline bool hd_races_quickly(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size,
                                    bool write, uint64_t pc)
{
    hd_segment now = r->clocks.now[tid];

    if (size > 8 || (size & (size - 1)) != 0)
        return false;
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr, size);

    if (HD_UNLIKELY(cell == NULL || now == 0))
        return false;
    unsigned mask = ((1u << size) - 1) << (addr & (8 - size));

    if (hd_races_has(cell, now, mask, write))
        return true;
    const hd_segment *time = r->clocks.time[tid];

    __asm__("" : "+r"(time)); /* otherwise the compiler would compute it again for each use */
    return hd_races_is_past(time, cell) &&
           HD_LIKELY(hd_races_put(&r->clocks, cell, now, tid, mask, write, pc));
}

/* Checks a plain access.  Freeing a block is a write with HD_SHADOW_FREES in pc. */
static inline void hd_races_access(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size,
                                   bool write, uint64_t pc)
{
    if (!hd_races_quickly(r, tid, addr, size, write, pc))
        hd_races_access_slow(r, tid, addr, size, write, pc);
}

/* True if some thread has used the page of addr. */
static inline bool hd_races_knows(struct hd_races *r, uintptr_t addr)
{
    return hd_shadow_has(&r->shadow, addr);
}

#endif
