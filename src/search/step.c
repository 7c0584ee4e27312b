/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step.c - conflicts between steps.  Pure memory: no libc. */
#include "search/step.h"

#include <stddef.h>

bool hd_step_conflict(const struct hd_step *a, const struct hd_step *b)
{
    if (a->slot == b->slot || (a->flags | b->flags) & HD_STEP_MANY)
        return true;
    for (unsigned i = 0; i < a->naccesses; i++)
        for (unsigned k = 0; k < b->naccesses; k++)
            if (a->on[i].obj == b->on[k].obj &&
                hd_access_conflict(a->on[i].access, b->on[k].access))
                return true;
    return false;
}

/* What conflicts with one of two different accesses to an object conflicts with a write. */
static void add_access(struct hd_step *s, struct hd_access_of on)
{
    for (unsigned i = 0; i < s->naccesses; i++)
        if (s->on[i].obj == on.obj) {
            if (s->on[i].access != on.access)
                s->on[i].access = HD_ACC_W;
            return;
        }
    if (s->naccesses == HD_STEP_ACCESSES)
        s->flags |= HD_STEP_MANY;
    else
        s->on[s->naccesses++] = on;
}

struct hd_step hd_step_make(uint16_t slot, const struct hd_event *events, uint32_t n)
{
    struct hd_step s = { .slot = slot };
    struct hd_access_of on[2];

    for (uint32_t i = 0; i < n; i++) {
        unsigned m = hd_event_accesses(&events[i], on);

        for (unsigned k = 0; k < m; k++)
            add_access(&s, on[k]);
    }
    if (n > 0 && events[0].flags & HD_EVF_CHOICE) {
        s.flags |= HD_STEP_CHOICE;
        s.alt = (uint16_t)events[0].value;
        s.n = events[0].aux;
    }
    return s;
}

/* q's thread comes first in v at `at`: is that q?  Other alternatives are other steps. */
static bool same_step(const struct hd_step *q, const struct hd_step *at)
{
    return !(q->flags & HD_STEP_CHOICE) || at->alt == q->alt;
}

uint32_t hd_step_first_of(const struct hd_step *const *v, uint32_t nv, uint16_t slot)
{
    uint32_t i = 0;

    while (i < nv && v[i]->slot != slot)
        i++;
    return i;
}

static bool initial_at(const struct hd_step *q, const struct hd_step *const *v, uint32_t at)
{
    for (uint32_t k = 0; k < at; k++)
        if (hd_step_conflict(v[k], v[at]))
            return false;
    return same_step(q, v[at]);
}

bool hd_step_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv)
{
    uint32_t at = hd_step_first_of(v, nv, q->slot);

    return at < nv && initial_at(q, v, at);
}

bool hd_step_weak_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv)
{
    uint32_t at = hd_step_first_of(v, nv, q->slot);

    if (at < nv)
        return initial_at(q, v, at);
    for (uint32_t i = 0; i < nv; i++)
        if (hd_step_conflict(q, v[i]))
            return false;
    return true;
}
