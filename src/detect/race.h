/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - data races: two accesses to the same bytes, at least one of them a write
 * and at least one not atomic, neither of which happens before the other (C11).
 *
 * In the way of FastTrack (Flanagan and Freund, PLDI 2009): for each byte only those
 * accesses are kept that no later one stands for, and most checks compare one number.
 * Exact in the sense of that paper: the first race on each byte of an execution is
 * reported, and nothing that is none. */
#ifndef HD_DETECT_RACE_H
#define HD_DETECT_RACE_H

#include "detect/clocks.h"
#include "detect/shadow.h"
#include "model/race.h"

typedef void hd_race_report(void *ctx, const struct hd_race *race);

/* An access in the list of a cell. */
struct hd_race_record {
    uint64_t pc;
    hd_segment segment;
    uint32_t next; /* + 1 */
    uint8_t mask;
    bool write, atomic;
};

#define HD_RACE_RECORDS (1u << 21)

struct hd_races {
    struct hd_clocks clocks;
    struct hd_shadow shadow;
    struct hd_race_record *record; /* [HD_RACE_RECORDS] */
    uint32_t nrecords;             /* in this execution */
    uint32_t free;                 /* list of those that are not in use, + 1 */
    bool all_pairs;                /* an access that was in a race is still compared with others;
                                    * callers then use hd_races_access_slow, which skips none */
    bool blind;                    /* no room: what follows in this execution is not checked */
    struct hd_race found;          /* by the access that is being checked; size 0: nothing */
    hd_race_report *report;
    void *ctx;
};

/* Memory for it is taken from the arena, which may be sparse. */
void hd_races_init(struct hd_races *r, struct hd_arena *arena, uint32_t nobjects, uint32_t npages,
                   hd_race_report *report, void *ctx);

void hd_races_begin(struct hd_races *r);

/* Does it, as an access, write?  Of an atomic. */
static inline bool hd_races_event_writes(const struct hd_event *e)
{
    return e->kind != HD_EV_ATOMIC_LOAD &&
           !(e->kind == HD_EV_ATOMIC_CAS && e->flags & HD_EVF_FAILED);
}

/* An event has happened: what it orders, and, of an atomic, that it is an access. */
void hd_races_event(struct hd_races *r, const struct hd_event *e, uintptr_t addr);

/* Is all of segment s in the past of what the thread does in its segment `now`?  Without
 * thorough only what needs no looking up: false may be wrong then. */
static inline bool hd_races_is_past(struct hd_clocks *c, hd_segment s, hd_segment now, hd_tid tid,
                                    bool thorough)
{
    if (s == now || s == c->known[tid] || hd_clocks_stale(c, s))
        return true;
    if (!thorough || !hd_clocks_before(c, s, tid))
        return false;
    c->known[tid] = s; /* and remains so: what follows in its section finds the same */
    return true;
}

/* Checks and keeps the most frequent kind of access: a plain one, nothing in the list,
 * everything in the past, and the new one can take the place of the old.  False: it is
 * another case, and nothing has changed. */
static inline bool hd_races_quickly(struct hd_clocks *c, struct hd_shadow_cell *cell,
                                    hd_segment now, hd_tid tid, unsigned mask, bool write,
                                    uint64_t pc, bool thorough)
{
    hd_segment segment = write ? cell->write_segment : cell->read_segment;
    unsigned before = hd_shadow_mask(write ? cell->write : cell->read);

    if (HD_UNLIKELY(cell->more != 0)) {
        if (!hd_clocks_stale(c, cell->more_segment))
            return false;
        cell->more = 0;
    }
    if (HD_UNLIKELY(!hd_races_is_past(c, cell->write_segment, now, tid, thorough)) ||
        HD_UNLIKELY(!hd_races_is_past(c, cell->read_segment, now, tid, thorough)))
        return false;
    if (segment != now) {
        if (HD_UNLIKELY((before & ~mask) != 0) && !hd_clocks_stale(c, segment))
            return false;
        before = 0;
    }
    if (write) {
        cell->write_segment = now;
        cell->write = hd_shadow_word(before | mask, pc);
        cell->read &= ~hd_shadow_word(mask, 0);
    } else {
        cell->read_segment = now;
        cell->read = hd_shadow_word(before | mask, pc);
    }
    return true;
}

void hd_races_access_slow(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write,
                          uint64_t pc);

/* A plain access; that a block is freed is a write with HD_SHADOW_FREES in pc.  Inline, where in a hook much is constant, is what needs neither the
 * list nor a new segment, a second cell or the clocks. */
static inline void hd_races_access(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size,
                                   bool write, uint64_t pc)
{
    struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr);
    hd_segment now = r->clocks.now[tid];
    unsigned offset = addr & 7;

    if (HD_LIKELY(cell != NULL && now != 0 && offset + size <= 8)) {
        unsigned mask = ((1u << (size & 15)) - 1) << offset;

        if (cell->write_segment == now && (mask & ~hd_shadow_mask(cell->write)) == 0)
            return;
        if (!write && cell->read_segment == now && (mask & ~hd_shadow_mask(cell->read)) == 0)
            return;
        if (HD_LIKELY(hd_races_quickly(&r->clocks, cell, now, tid, mask, write, pc, false)))
            return;
    }
    hd_races_access_slow(r, tid, addr, size, write, pc);
}

#endif
