/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signature.c - decides which findings a user would call the same.
 *
 * The signature covers kind, place and message.  For a deadlock or livelock it also covers where each thread is
 * and what it waits for; if there is a cycle, only the cycle counts.  For a race it covers the two places, in any
 * order.  For an invalid access to memory it covers only the place: the message contains the offset in the block,
 * and one copy loop that fails at different words is one finding.  Canonical names and places are the same in
 * every process that runs the program, and so are signatures. */
#include "runtime/report/signature.h"

#include "base/hash.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "wire/wire.h"

/* Returns the name that counts for the signature.  A variable of the program counts by itself.  The heap and the
 * stacks have many objects of one kind, and a finding about one of them counts as a finding about all, so their
 * name is 0. */
static hd_cname named(hd_cname name)
{
    return hd_cname_region(name) == HD_REG_MODULE ? name : 0;
}

static hd_cname named_object(uint32_t obj)
{
    return obj != 0 ? named(hd.wire->common->objects[obj].name) : 0;
}

/* Adds what the thread waits for: the same code may take different locks. */
static uint64_t awaited_signature(uint64_t h, unsigned tid)
{
    const struct hd_event *e = &hd.exec->pending[tid];

    h = hd_hash_mix(h, named_object(e->obj));
    return hd_kind_info[e->kind].acc2 != HD_ACC_N ? hd_hash_mix(h, named_object(e->obj2)) : h;
}

/* Returns the same number for cycles of the same places and variables, whatever the other threads
 * do.  Returns 0 if there is no cycle. */
static uint64_t cycle_signature(const struct hd_signed *of)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < of->nstands; i++)
        if (of->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE)
            sum += awaited_signature(hd_hash_mix(hd.exec->pending[of->stands[i].tid].pc, 1),
                                     of->stands[i].tid);
    return sum;
}

/* Adds the polled variables.  The pending operation of a polling thread is mostly on the variable that it polls.
 * Otherwise (plain memory) the first variable in its list counts, because the later ones depend on values. */
static uint64_t polled_signature(uint64_t h, const struct hd_signed *of)
{
    const struct hd_polled *p = of->polled;

    for (uint32_t i = 0; p != NULL && i < of->npolled; i++)
        if ((i == 0 || p[i].tid != p[i - 1].tid) && hd.exec->pending[p[i].tid].obj == 0)
            h = hd_hash_mix(h, named(p[i].name));
    return h;
}

/* Adds where each thread is and, if it cannot run, what it waits for. */
static uint64_t standing_signature(uint64_t h, const struct hd_signed *of)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++) {
        bool live = hd.exec->pending[i].kind != HD_EV_NONE;

        h = hd_hash_mix(h, live ? hd.exec->pending[i].pc : 0);
        if (live && !hd_set_has(&hd.point.enabled, i))
            h = awaited_signature(h, i);
    }
    return polled_signature(h, of);
}

/* Adds each place in the cycle once, because the number and order of its events depend on the schedule. */
static uint64_t round_signature(const struct hd_signed *of)
{
    enum { LOOKED_AT = 512 };
    uint32_t n = of->nround < LOOKED_AT ? of->nround : LOOKED_AT;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;

        while (k < i && of->round[k].pc != of->round[i].pc)
            k++;
        if (k == i)
            sum += hd_hash_mix(of->round[i].pc, 2);
    }
    return sum;
}

/* Adds the message without the ids of objects: a finding at one place is the same for all objects.
 * In a livelock the number of steps does not count either (numbers is false). */
static uint64_t message_signature(uint64_t h, const char *m, bool numbers)
{
    bool name = false;

    for (; *m != '\0'; m++) {
        name = *m == '\001' || (name && *m != '\002');
        if (!name && (numbers || *m < '0' || *m > '9'))
            h = hd_hash_mix(h, (unsigned char)*m);
    }
    return h;
}

static bool is_wrong_access(enum hd_finding_kind kind)
{
    return kind == HD_FK_USE_AFTER_FREE || kind == HD_FK_HEAP_OVERFLOW || kind == HD_FK_CRASH;
}

/* Returns the signature of an invalid access.  In the copy functions of libc and of the runtime the instruction
 * depends on the size, so their caller counts as the place. */
static uint64_t access_signature(const struct hd_finding *f)
{
    uint64_t caller = 0;

    if (f->kind == HD_FK_CRASH && hd.cur != NULL && !hd_program_is_instrumented(f->pc))
        hd_finding_calls(&caller, 1);
    return hd_hash_mix(hd_hash_mix(f->kind, f->signal), caller != 0 ? caller : f->pc);
}

uint64_t hd_signature(const struct hd_finding *f, const struct hd_race *race,
                      const struct hd_signed *of)
{
    uint64_t h = hd_hash_mix(f->kind, f->pc);

    if (race != NULL)
        return hd_hash_mix(f->kind, hd_race_pair(race));
    if (is_wrong_access((enum hd_finding_kind)f->kind))
        return access_signature(f);
    uint64_t cycle = cycle_signature(of);

    if (cycle != 0)
        return hd_hash_mix(h, cycle);
    if (of->nround > 0)
        return hd_hash_mix(h, round_signature(of));
    h = message_signature(h, f->message, f->kind != HD_FK_LIVELOCK);
    return f->kind == HD_FK_DEADLOCK || f->kind == HD_FK_LIVELOCK ? standing_signature(h, of) : h;
}
