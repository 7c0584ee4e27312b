/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_state.c - visible operations on what threads share inside libc and the kernel. */
#include "runtime/kernel/shared_state.h"

#include "runtime/core/object.h"

/* An object needs an address; these stand for nothing else. */
static const char places[HD_STATE_PLACES];

enum { SEVERAL = UINT16_MAX }; /* in place of the one thread that uses it */

struct hd_obj *hd_shared_place(unsigned place)
{
    return hd_object(&places[place], HD_OBJ_STATE);
}

hd_cname hd_shared_name(uintptr_t addr)
{
    uintptr_t place = addr - (uintptr_t)places;

    return place < HD_STATE_PLACES ? hd_state_name(place) : hd_object_name(addr);
}

/* Whether somebody is met or not: a loop that uses the kernel's state is not where it was
 * before, although its memory may be the same (poll.h, cycle.h). */
static void note_change(enum hd_kind kind)
{
    if (hd.cur != NULL && kind != HD_EV_STATE_READ)
        hd.cur->opaque++;
}

bool hd_shared_is_met(void)
{
    if (hd.cur == NULL)
        return false;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (i != hd.cur->tid && !hd.thread[i].joined)
            return true;
    return false;
}

/* U2.  The fields are those of barriers: limit is how often, round by whom (tid + 1). */
static bool is_operation(struct hd_obj *o)
{
    uint32_t user = hd.cur->tid + 1u;

    if (o->round == 0)
        o->round = user;
    if (o->round == user)
        return ++o->limit <= HD_SHARED_USES;
    if (o->round != SEVERAL && o->limit > HD_SHARED_USES)
        hd_fact(HD_FACT_PRIVATE);
    o->round = SEVERAL;
    return true;
}

/* What comes from outside is no write, so a thread must never be parked until there is
 * one: without the registers of the caller no thread is. */
bool hd_shared_begin(enum hd_kind kind, struct hd_obj *o, uint64_t pc)
{
    bool counts = hd_shared_is_met() && is_operation(o);

    if (counts) {
        hd_entry.rsp = 0;
        hd_op(kind, o, NULL, pc);
    }
    note_change(kind);
    return counts;
}

bool hd_state_begin(enum hd_kind kind, unsigned place, uint64_t pc)
{
    if (hd_shared_is_met())
        return hd_shared_begin(kind, hd_shared_place(place), pc);
    note_change(kind);
    return false;
}

void hd_state_also(bool begun, unsigned place, bool write, uint64_t pc)
{
    if (hd_shared_is_met())
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
    if (o == NULL || !hd_shared_is_met())
        return;
    bool counts = is_operation(o);

    if (begun && counts)
        hd_touch_unit(o, write, pc);
    if (begun)
        return;
    if (o->round == SEVERAL) /* others know of this, but the call was no operation */
        hd_fact(HD_FACT_PRIVATE);
    else
        o->limit = HD_SHARED_USES + 1;
}
