/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_state.c - visible operations on state that threads share inside libc and the kernel. */
#include "runtime/kernel/shared_state.h"

#include "runtime/core/entry.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"

/* Addresses for the objects; they have no other purpose. */
static const char places[HD_STATE_PLACES];

enum { SEVERAL = UINT16_MAX }; /* instead of a tid: more than one thread uses it */

struct hd_obj *hd_shared_place(unsigned place)
{
    return hd_object(&places[place], HD_OBJ_STATE);
}

hd_cname hd_shared_name(uintptr_t addr)
{
    uintptr_t place = addr - (uintptr_t)places;

    return place < HD_STATE_PLACES ? hd_state_name(place) : hd_object_name(addr);
}

/* A loop that changes kernel state is never in the same state twice, even if its memory is the same
 * (poll.h, cycle.h).  This also holds for a thread that is alone. */
static void note_change(enum hd_kind kind)
{
    if (hd.cur != NULL && kind != HD_EV_STATE_READ)
        hd.cur->loop.opaque++;
}

bool hd_shared_may_conflict(void)
{
    if (hd.cur == NULL)
        return false;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (i != hd.cur->tid && !hd.thread[i].joined)
            return true;
    return false;
}

/* U2: true if this use is an operation.  The object reuses fields of barriers: limit counts the uses, round is the
 * user (tid + 1). */
static bool is_operation(struct hd_obj *o)
{
    uint32_t user = hd.cur->tid + 1u;

    if (o->user == 0)
        o->user = user;
    if (o->user == user)
        return ++o->uses <= HD_SHARED_USES;
    if (o->user != SEVERAL && o->uses > HD_SHARED_USES)
        hd_fact(HD_FACT_PRIVATE);
    o->user = SEVERAL;
    return true;
}

/* Input from outside is not a write to the object, so a thread must never be parked until the object is written
 * (poll.h, P1).  Clearing the caller's registers prevents that. */
bool hd_shared_begin(enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    bool counts = hd_shared_may_conflict() && is_operation(o);

    if (counts) {
        hd_entry.rsp = 0;
        hd_op(kind, o, NULL, pc);
    }
    note_change(kind);
    return counts;
}

bool hd_state_begin(enum hd_kind kind, unsigned place, uint64_t pc)
{
    if (hd_shared_may_conflict())
        return hd_shared_begin(kind, hd_shared_place(place), pc);
    note_change(kind);
    return false;
}

void hd_state_also(bool begun, unsigned place, bool write, uint64_t pc)
{
    if (hd_shared_may_conflict())
        hd_shared_also(begun, hd_shared_place(place), write, pc);
}

void hd_state_use(enum hd_kind kind, unsigned place, uint64_t pc)
{
    hd_shared_end(hd_state_begin(kind, place, pc), false);
}

void hd_shared_end(bool begun, bool failed)
{
    if (begun)
        hd_done(0, failed ? HD_EVF_FAILED : 0);
}

void hd_shared_also(bool begun, struct hd_obj *o, bool write, uint64_t pc)
{
    if (o == NULL || !hd_shared_may_conflict())
        return;
    bool counts = is_operation(o);

    if (begun && counts)
        hd_touch_unit(o, write, pc);
    if (begun)
        return;
    if (o->user == SEVERAL) /* other threads use the object, but this call was not an operation */
        hd_fact(HD_FACT_PRIVATE);
    else
        o->uses = HD_SHARED_USES + 1;
}
