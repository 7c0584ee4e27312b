/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linux_races.c - data races of Linux: two tasks of the test stand before conflicting accesses at the same time.
 *
 * A task is preempted right before an access.  If another task performs a conflicting access before the first one
 * continues with its own, then nothing has ordered the two: no lock that both take, for the second task could not have
 * had it.  So there are no guesses from happens-before, but only races are seen whose two accesses were
 * tried in this way.
 *
 * R1  The task stands before the access if preemption was enabled between the instruction of the point and the one
 *     that accesses, and this one follows directly.
 * R2  Two atomic instructions do not race.  Marks of the source (READ_ONCE) cannot be seen in instructions. */
#include <string.h>

#include "kernel/plugin/state.h"

#define SLOTS (1u << 16)
#define TRIES 8
#define LONGEST 15  /* bytes of an instruction */
#define RETURNS 5000 /* maximum number of the scheduler's instructions until a preempted task is back in its own code */

struct slot {
    uint64_t unit;
    uint32_t execution;
    struct hd_k_access last[2]; /* [0]: load, [1]: store */
};

static struct slot slots[SLOTS];
static uint32_t execution;

static struct {
    uint64_t site, since; /* site 0: the task does not stand before an access */
    unsigned steps;
} before[HD_K_CONTEXTS];

void hd_races_begin(void)
{
    execution++;
    memset(before, 0, sizeof before);
}

void hd_races_leave(uint64_t site)
{
    before[hd_kp.current].site = site;
    before[hd_kp.current].since = hd_kp.link->instructions;
    before[hd_kp.current].steps = 0;
}

void hd_races_step(void)
{
    if (before[hd_kp.current].site != 0 && ++before[hd_kp.current].steps > RETURNS)
        before[hd_kp.current].site = 0;
}

static struct slot *slot_of(uint64_t unit)
{
    for (uint32_t at = (uint32_t)hd_hash_mix(0, unit), n = 0; n < TRIES; n++, at++) {
        struct slot *s = &slots[at % SLOTS];

        if (s->execution != execution)
            *s = (struct slot){ .unit = unit, .execution = execution };
        if (s->unit == unit)
            return s;
    }
    return NULL; /* the table is full: the location is ignored */
}

static bool conflict(const struct hd_k_access *a, const struct hd_k_access *b)
{
    return a->pc != 0 && a->context != b->context && (a->store || b->store) && !(a->atomic && b->atomic) &&
           a->address < b->address + b->bytes && b->address < a->address + a->bytes;
}

static bool is_same(const struct hd_k_access *a, const struct hd_k_access *b)
{
    return a->pc == b->pc && a->store == b->store;
}

/* The interrupts of this execution so far; the last one is that before the second access. */
static void keep_ticks(struct hd_k_race *r)
{
    const struct hd_klink *l = hd_kp.link;

    r->nticks = 0;
    for (uint32_t k = 0; k < l->nticks; k++)
        if (l->ticks[k].window == l->window && r->nticks < HD_K_RACE_TICKS)
            r->tick[r->nticks++] = l->ticks[k];
}

static void add(const struct hd_k_access *first, const struct hd_k_access *second)
{
    struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nraces; k++) {
        struct hd_k_race *r = &l->race[k];

        if (!is_same(&r->first, first) || !is_same(&r->second, second))
            continue;
        r->count += !l->recorded;
        r->seen = true;
        return;
    }
    if (l->recorded || l->nraces == HD_K_RACES)
        return;
    l->race[l->nraces] = (struct hd_k_race){ .first = *first, .second = *second, .count = 1, .seen = true };
    keep_ticks(&l->race[l->nraces++]);
}

void hd_races_access(const struct hd_k_access *a, bool preemptible)
{
    struct slot *s = slot_of(a->address / 8);
    uint64_t site = before[a->context].site, since = before[a->context].since;

    if (s == NULL)
        return;
    if (site != 0 && preemptible && a->pc > site && a->pc - site <= LONGEST) { /* R1 */
        for (unsigned k = 0; k < 2; k++)
            if (s->last[k].at > since && conflict(&s->last[k], a))
                add(&s->last[k], a);
        before[a->context].site = 0;
    }
    s->last[a->store] = *a;
}
