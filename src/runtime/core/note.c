/* SPDX-License-Identifier: BSD-2-Clause
 *
 * note.c - events without a turn at the gate: events that are not scheduling points, further
 * objects of an operation, and choices. */
#include "base/check.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/execution.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

/* Limit on events that are not steps, because their log is bounded as well. */
#define MAX_NOTES (HD_MAX_STEPS - 4096)

void hd_gate_make_room(void)
{
    if (HD_UNLIKELY(hd.exec->nevents >= hd.exec->nsteps + MAX_NOTES))
        hd_execution_cut("more than 4 million fences and initialisations in one execution: cut there");
    if (HD_UNLIKELY((hd.exec->nevents & 0xffff) == 0)) /* tells the watchdog that the execution is slow, but does
                                                        * not hang */
        hd.wire->heartbeat++;
}

bool hd_after_await(void)
{
    const struct hd_event *last = hd.exec->events + hd.exec->nevents - 1;

    return hd.exec->nevents > 0 && last->tid == hd.cur->tid && hd_event_awaits(last);
}

/* alone: see hd_note_alone. */
static inline void note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc, bool alone)
{
    struct hd_event e = { .tid = hd.cur->tid, .kind = (uint8_t)kind, .peer = HD_NO_TID,
                          .obj = o != NULL ? o->id : 0, .pc = pc, .value = value };

    bool poll = kind == HD_EV_FENCE; /* a fence changes nothing that a loop could read */

    hd_gate_make_room();
    hd.cur->progress += !poll;
    if (alone && HD_LIKELY((hd.access_mode | hd.witness) == 0)) /* otherwise other layers see every event */
        hd_gate_append(&e, o);
    else
        hd_gate_record(&e, o);
    if (HD_UNLIKELY(o != NULL && o->nwatchers != 0))
        hd_gate_reevaluate_object(o);
    if (HD_UNLIKELY(hd.special))
        hd_callbacks.special_event(hd.cur, &e, o, poll);
}

void hd_note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc)
{
    note(kind, o, value, pc, false);
}

void hd_note_alone(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc)
{
    note(kind, o, value, pc, true);
}

void hd_touch(uint32_t obj, uint64_t pc)
{
    struct hd_event e = { .tid = hd.cur->tid, .kind = HD_EV_TOUCH, .flags = HD_EVF_FAILED,
                          .peer = HD_NO_TID, .obj = obj, .pc = pc };

    hd_gate_record(&e, NULL);
}

void hd_touch_unit(struct hd_obj *unit, bool write, uint64_t pc)
{
    struct hd_event e = { .tid = hd.cur->tid, .kind = HD_EV_TOUCH, .peer = HD_NO_TID,
                          .flags = (write ? HD_EVF_FAILED : 0) | 2u << HD_EVF_SIZE_SHIFT,
                          .obj = unit->id, .pc = pc };

    hd_gate_make_room();
    hd_gate_record(&e, unit);
    if (HD_UNLIKELY(hd.special))
        hd_callbacks.special_event(hd.cur, &e, unit, !write);
}

void hd_note_channel(struct hd_obj *channel, unsigned told, uint64_t pc)
{
    struct hd_event e = { .tid = hd.cur->tid, .kind = HD_EV_CHANNEL, .peer = HD_NO_TID,
                          .aux = (uint16_t)told, .obj = channel->id, .pc = pc };

    hd_gate_make_room();
    hd_gate_record(&e, channel);
}

uint32_t hd_choose_as(enum hd_kind kind, uint32_t n, uint32_t obj, uint32_t what, uint64_t pc)
{
    struct hd_event e = { .tid = hd.cur->tid, .kind = (uint8_t)kind, .flags = HD_EVF_CHOICE,
                          .peer = HD_NO_TID, .aux = (uint16_t)n, .obj = obj, .obj2 = what, .pc = pc };

    if (n <= 1)
        return 0;
    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    if (hd.cur->in_section)
        hd_fact(HD_FACT_CHOICE); /* a reduction treats the code after the choice as a step that touches
                                  * nothing */
    if (HD_UNLIKELY(hd.exec->nsteps >= hd.next_check))
        hd_callbacks.look_at_limits();
    /* The last decision has set these fields for the thread that ran before it. */
    hd.point.step = hd.exec->nsteps;
    hd.point.last = hd.cur->tid;
    hd.point.last_enabled = true;
    hd.point.last_yielded = hd.cur->just_yielded;
    hd.point.transaction = kind == HD_EV_TX_OUTCOME;
    uint32_t got = hd_search_choose(&hd.search, &hd.point, n);

    if (got == HD_NO_ALTERNATIVE)
        hd_callbacks.stopped();
    e.value = got;
    hd.cur->progress++;
    hd_gate_record(&e, NULL);
    return got;
}

uint32_t hd_choose(uint32_t n, uint64_t pc)
{
    return hd_choose_as(HD_EV_CHOOSE, n, 0, 0, pc);
}
