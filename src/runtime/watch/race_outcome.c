/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_outcome.c - the rows for races.  The observations of the current execution are on the wire, so that they
 * survive the death of the worker.  Rows only gain bits, so an execution that is run again changes nothing. */
#include "runtime/watch/race_outcome.h"

#include "base/hash.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/report/suppression.h"
#include "runtime/watch/detectors.h"
#include "wire/wire.h"

static uint32_t noted[2 * HD_RACE_ROWS]; /* epoch in which it was recorded, by 2 * row + order */

static bool is_followed(void)
{
    return hd.cfg->points != HD_POINTS_SYNC && !hd.cfg->replay;
}

static uint16_t slot_of(const struct hd_race_access *a)
{
    return hd.exec->threads[a->tid].slot;
}

/* Returns which of the two orders was seen.  For a site that races with itself: which thread's
 * access came first. */
static unsigned order_of(const struct hd_race *race)
{
    const struct hd_race_access *a = &race->first, *b = &race->second;

    return a->pc != b->pc ? a->pc > b->pc : slot_of(a) > slot_of(b);
}

static uint64_t key_of(const struct hd_race *race)
{
    uint64_t h = hd_hash_mix(hd_race_pair(race), hd_object_name((uintptr_t)race->addr));
    uint64_t a = slot_of(&race->first), b = slot_of(&race->second);

    if (race->first.pc == race->second.pc)
        h = hd_hash_mix(h, a < b ? a << 16 | b : b << 16 | a);
    return h | 1;
}

/* Returns HD_RACE_ROWS if there is no room; the race then has no outcome. */
static uint32_t row_of(uint64_t key, uint64_t pair)
{
    struct hd_race_row *rows = hd.wire->common->race_rows;

    for (uint32_t n = 0; n < HD_RACE_ROWS; n++) {
        uint32_t i = (uint32_t)(key / 2 + n) % HD_RACE_ROWS;
        uint64_t there = __atomic_load_n(&rows[i].key, __ATOMIC_RELAXED);

        if (there == 0 && __atomic_compare_exchange_n(&rows[i].key, &there, key, false,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            there = key;
        if (there != key)
            continue;
        __atomic_store_n(&rows[i].pair, pair, __ATOMIC_RELAXED);
        return i;
    }
    return HD_RACE_ROWS;
}

static void begin(void)
{
    hd.wire->nraced = 0;
}

void hd_race_outcome_race(const struct hd_race *race)
{
    struct hd_wire *w = hd.wire;

    if (!is_followed() || w->nraced == HD_MAX_RACED)
        return;
    uint32_t row = row_of(key_of(race), hd_race_pair(race));
    uint32_t entry = 2 * row + order_of(race);

    if (row == HD_RACE_ROWS || noted[entry] == hd.epoch)
        return;
    noted[entry] = hd.epoch;
    w->raced[w->nraced] = entry;
    __atomic_store_n(&w->nraced, w->nraced + 1, __ATOMIC_RELEASE);
}

static void judged(void)
{
    const struct hd_wire *w = hd.wire;
    unsigned seen = HD_RACE_SEEN;

    if (hd.exec->findings > 0 || hd_suppression_hid_failure())
        seen |= HD_RACE_FAILED;
    else if (hd.exec->ending == HD_END_CLEAN)
        seen |= HD_RACE_PASSED;
    for (uint32_t i = 0; i < w->nraced; i++)
        __atomic_fetch_or(&w->common->race_rows[w->raced[i] / 2].seen, seen << w->raced[i] % 2,
                          __ATOMIC_RELAXED);
}

const struct hd_detector hd_detector_race_outcome = { .begin = begin, .judged = judged };
