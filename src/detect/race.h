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

/* An access in the list of a part. */
struct hd_race_record {
    uint64_t pc;
    hd_segment segment;
    uint32_t next; /* + 1 */
    hd_tid tid;
    uint8_t mask;
    bool write, atomic;
};

#define HD_RACES_AT_ONCE 8 /* that one access is in and that are not yet reported */

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
    uint32_t nfound;
    struct hd_race found[HD_RACES_AT_ONCE]; /* by the access that is being checked */
    hd_race_report *report;
    void *ctx;
};

/* Memory for it is taken from the arena, which may be sparse. */
void hd_races_init(struct hd_races *r, struct hd_arena *arena, uint32_t nobjects, uint32_t npages,
                   hd_race_report *report, void *ctx);

/* True: numbers of segments begin again (hd_clocks_begin). */
bool hd_races_begin(struct hd_races *r);

/* Does it, as an access, write?  Of an atomic. */
static inline bool hd_races_event_writes(const struct hd_event *e)
{
    return e->kind != HD_EV_ATOMIC_LOAD &&
           !(e->kind == HD_EV_ATOMIC_CAS && e->flags & HD_EVF_FAILED);
}

/* An event has happened: what it orders, and, of an atomic, that it is an access. */
void hd_races_event(struct hd_races *r, const struct hd_event *e, uintptr_t addr);
/* The same of one with HD_HB_ATOMIC. */
void hd_races_atomic(struct hd_races *r, const struct hd_event *e, uintptr_t addr);

/* Is all that the cell holds in the past of a thread that knows `time`, or its own?  False
 * may be wrong of what is stale.  By the byte: a word that is kept for later takes a
 * register that a hook has not got. */
static inline bool hd_races_is_past(const hd_segment *time, const struct hd_shadow_cell *cell)
{
    const uint8_t *write = (const uint8_t *)&cell->write, *read = (const uint8_t *)&cell->read;

    return HD_LIKELY(cell->write_segment <= time[write[6]]) &&
           HD_LIKELY(cell->read_segment <= time[read[6]]);
}

/* Keeps a plain access in its place.  All that the cell holds is in the past.  False: it
 * holds other bytes that are to be kept, too, and nothing has changed. */
static inline bool hd_races_put(const struct hd_clocks *c, struct hd_shadow_cell *cell,
                                hd_segment now, hd_tid tid, unsigned mask, bool write, uint64_t pc)
{
    hd_segment segment = write ? cell->write_segment : cell->read_segment;
    unsigned before = hd_shadow_mask(write ? cell->write : cell->read);

    if (HD_UNLIKELY((before & ~mask) != 0)) { /* bytes that came from another place stay its own */
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

/* Is it in the cell, or does one that stands for it do as well? */
static inline bool hd_races_has(const struct hd_shadow_cell *cell, hd_segment now, unsigned mask,
                                bool write)
{
    return (cell->write_segment == now && (mask & ~hd_shadow_mask(cell->write)) == 0) ||
           (!write && cell->read_segment == now && (mask & ~hd_shadow_mask(cell->read)) == 0);
}

void hd_races_access_slow(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write,
                          uint64_t pc);

/* Checks and keeps the most frequent kind of plain access; false: another function has to,
 * and nothing has changed.  Inline, where in a hook much is constant, is what needs
 * neither a list nor a new segment, a second cell or the clocks. */
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

    __asm__("" : "+r"(time)); /* or it is computed anew for each use */
    return hd_races_is_past(time, cell) &&
           HD_LIKELY(hd_races_put(&r->clocks, cell, now, tid, mask, write, pc));
}

/* A plain access; that a block is freed is a write with HD_SHADOW_FREES in pc. */
static inline void hd_races_access(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size,
                                   bool write, uint64_t pc)
{
    if (!hd_races_quickly(r, tid, addr, size, write, pc))
        hd_races_access_slow(r, tid, addr, size, write, pc);
}

/* False: nobody has used the page of addr. */
static inline bool hd_races_knows(struct hd_races *r, uintptr_t addr)
{
    return hd_shadow_has(&r->shadow, addr);
}

#endif
