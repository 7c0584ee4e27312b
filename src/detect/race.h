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

struct hd_race_access {
    uint64_t pc;
    hd_tid tid;
    bool write;
    bool atomic;
};

struct hd_race {
    uintptr_t addr; /* first byte that both touch */
    uint32_t size;
    struct hd_race_access first, second;
};

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
    hd_race_report *report;
    void *ctx;
};

/* Memory for it is taken from the arena, which may be sparse. */
void hd_races_init(struct hd_races *r, struct hd_arena *arena, uint32_t nobjects, uint32_t npages,
                   hd_race_report *report, void *ctx);

void hd_races_begin(struct hd_races *r);

/* An event has happened: what it orders, and, of an atomic, that it is an access. */
void hd_races_event(struct hd_races *r, const struct hd_event *e, uintptr_t addr);

void hd_races_access_slow(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size, bool write,
                          uint64_t pc);

/* A plain access.  Inline is what was done in the same segment before. */
static inline void hd_races_access(struct hd_races *r, hd_tid tid, uintptr_t addr, size_t size,
                                   bool write, uint64_t pc)
{
    const struct hd_shadow_cell *cell = hd_shadow_near(&r->shadow, addr);
    hd_segment now = r->clocks.now[tid];
    unsigned mask = ((1u << (size & 15)) - 1) << (addr & 7);

    if (HD_LIKELY(cell != NULL && size <= 8 && now != 0)) {
        if (cell->write_segment == now && (mask & ~hd_shadow_mask(cell->write)) == 0)
            return;
        if (!write && cell->read_segment == now && (mask & ~hd_shadow_mask(cell->read)) == 0)
            return;
    }
    hd_races_access_slow(r, tid, addr, size, write, pc);
}

#endif
