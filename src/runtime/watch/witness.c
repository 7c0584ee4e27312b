/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.c - fills in wire->witness while the schedule of a race is replayed.
 *
 * The first access of the race is taken to be the latest one before the race by that thread, from that site, to
 * those bytes.  The detector may have kept an earlier one.  But everything that is ordered after the latest access
 * is also ordered after the earlier one, so the latest one races as well. */
#include "runtime/watch/witness.h"

#include "detect/race.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/plain_log.h"
#include "wire/wire.h"

/* A plain access of a thread, kept to recognise x++ as a read followed by a write. */
struct access {
    uintptr_t addr;
    size_t size;
    bool write;
};

static struct access latest[HD_MAX_THREADS]; /* the latest access of each thread */
static bool first_awaits, second_awaits;     /* the next access of that thread must be examined */
static bool first_updates, second_updates;   /* reads and then writes the same bytes */
static uint64_t value_before, value_between; /* value of the racing bytes before the first access,
                                              * and at the second */
static bool in_call;    /* the running thread is noting the accesses of a call */
static int writes = -1; /* the access (0 or 1) that is about to write; its value is read at the next hook */

static bool is_about(const struct hd_race_access *a, hd_tid tid, bool write, bool atomic,
                     uint64_t pc)
{
    return a->tid == tid && a->pc == pc && a->write == write && a->atomic == atomic;
}

static bool touches(const struct hd_race *race, uintptr_t addr, size_t size)
{
    return addr < race->addr + race->size && race->addr < addr + size;
}

static uint64_t value_of(const struct hd_race *race)
{
    uint64_t v = 0;

    hd_mem_copy(&v, (const void *)(uintptr_t)race->addr, race->size < 8 ? race->size : 8);
    return v;
}

static bool same_bytes(const struct access *a, uintptr_t addr, size_t size)
{
    return a->addr == addr && a->size == size;
}

/* Reads the value of a write when it is done.  Other threads run only when the running thread lets them, so a
 * write is done when any later hook is called, except by a hook that may have waited in between. */
static void settle(struct hd_witness *w, bool done)
{
    if (writes < 0)
        return;
    w->value[writes] = value_of(&w->race);
    w->valued[writes] = done;
    writes = -1;
}

/* If accesses are scheduling points, a thread may wait between the hook and the access. */
static void note_value(struct hd_witness *w, int which, uint64_t now)
{
    const struct hd_race_access *a = which == 0 ? &w->race.first : &w->race.second;

    w->valued[which] = false;
    if (w->race.size > sizeof now || a->atomic || a->frees || hd.cfg->points != HD_POINTS_SYNC)
        return;
    w->value[which] = now;
    w->valued[which] = !a->write;
    writes = a->write ? which : -1;
}

static void first_access(struct hd_witness *w, bool updates, uint64_t pc)
{
    hd_finding_capture(&w->first, pc);
    value_before = value_of(&w->race);
    note_value(w, 0, value_before);
    first_updates = updates;
}

/* True for an aligned word to which one side writes 0 or 1 and which the other reads: probably
 * meant to be atomic. */
static bool is_flag(const struct hd_race *race, uint64_t after)
{
    return race->size <= 8 && (race->size & (race->size - 1)) == 0 && race->addr % race->size == 0 &&
           race->first.write != race->second.write && value_before <= 1 && value_between <= 1 &&
           after <= 1 && value_before != after;
}

/* Completes the second access when its thread does anything else. */
static void conclude(struct hd_witness *w)
{
    const struct hd_race *race = &w->race;
    uint64_t after = value_of(race);
    bool kept = race->second.write ? after == value_between : value_before == value_between;

    second_awaits = false;
    if (first_updates && second_updates)
        w->labels |= HD_RACE_COUNTER;
    else if (kept && race->size <= sizeof value_between)
        w->labels |= HD_RACE_SAME_VALUE;
    else if (!first_updates && !second_updates && is_flag(race, after))
        w->labels |= HD_RACE_FLAG;
}

void hd_witness_access(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    struct hd_witness *w = &hd.wire->witness;
    hd_tid tid = hd.cur->tid;
    struct access now = { addr, size, write }, before = latest[tid];
    bool updates = write && !before.write && same_bytes(&before, addr, size);

    if (!in_call) {
        hd_plain_log_settle();
        settle(w, true);
    }
    latest[tid] = now;
    if (first_awaits && tid == w->race.first.tid) {
        first_updates |= updates;
        first_awaits = false;
    }
    if (second_awaits && tid == w->race.second.tid && !in_call) {
        second_updates |= updates;
        conclude(w);
    }
    if (!w->seen && touches(&w->race, addr, size)) {
        if (is_about(&w->race.first, tid, write, false, pc)) {
            first_access(w, updates, pc);
            first_awaits = !write;
        }
        if (is_about(&w->race.second, tid, write, false, pc))
            second_updates = updates;
    }
}

/* If accesses are scheduling points, other threads may run between two notes of a call.  Then each access is
 * handled separately. */
void hd_witness_call_begins(void)
{
    struct hd_witness *w = &hd.wire->witness;

    hd_plain_log_settle();
    settle(w, true);
    if (second_awaits && hd.cur->tid == w->race.second.tid)
        conclude(w);
    in_call = hd.cfg->points == HD_POINTS_SYNC;
}

void hd_witness_call_noted(void)
{
    in_call = false;
}

/* Records the calls at the event.  Events that a thread gets while another one runs have no call stack. */
static void note_trail(struct hd_witness *w, const struct hd_event *e)
{
    uint32_t n = hd.exec->nevents;

    if (n == 0 || n > HD_TRAILS)
        return;
    w->ntrails = n;
    if (e->tid == hd.cur->tid)
        hd_finding_calls(w->trail[n - 1].calls, sizeof w->trail->calls / sizeof *w->trail->calls);
}

void hd_witness_event(const struct hd_event *e)
{
    struct hd_witness *w = &hd.wire->witness;
    bool write = hd_races_event_writes(e);

    hd_plain_log_settle();
    /* a spinning thread yields inside the hook of its access */
    settle(w, writes < 0 || e->pc != (writes == 0 ? w->race.first.pc : w->race.second.pc));
    note_trail(w, e);
    for (uint32_t i = 0; i < w->nwanted; i++)
        if (w->wanted[i] + 1 == hd.exec->nevents && w->event[i].pc == 0)
            hd_finding_capture(&w->event[i], e->pc);
    if (e->tid == w->race.first.tid)
        first_awaits = false;
    if (second_awaits && e->tid == w->race.second.tid)
        conclude(w);
    latest[e->tid].size = 0;
    if (!w->seen && hd_kind_hb[e->kind] == HD_HB_ATOMIC &&
        touches(&w->race, hd.wire->common->objects[e->obj].addr, 1u << (e->flags >> HD_EVF_SIZE_SHIFT)) &&
        is_about(&w->race.first, e->tid, write, true, e->pc))
        first_access(w, false, e->pc);
}

void hd_witness_race(const struct hd_race *race)
{
    struct hd_witness *w = &hd.wire->witness;

    if (w->seen || race->addr != w->race.addr || w->first.pc == 0 ||
        !is_about(&w->race.first, race->first.tid, race->first.write, race->first.atomic,
                  race->first.pc) ||
        !is_about(&w->race.second, race->second.tid, race->second.write, race->second.atomic,
                  race->second.pc))
        return;
    value_between = value_of(race);
    note_value(w, 1, value_between);
    second_awaits = true;
    w->seen = 1;
}

void hd_witness_created(hd_tid tid, uint64_t pc)
{
    struct hd_witness *w = &hd.wire->witness;

    if (tid == w->race.first.tid)
        hd_finding_capture(&w->created[0], pc);
    if (tid == w->race.second.tid)
        hd_finding_capture(&w->created[1], pc);
}

void hd_witness_allocated(const void *p, size_t size, uint64_t pc)
{
    struct hd_witness *w = &hd.wire->witness;

    if (w->race.addr - (uintptr_t)p >= size)
        return;
    hd_finding_capture(&w->allocation, pc);
    w->block = (uintptr_t)p;
    w->block_size = size;
}
