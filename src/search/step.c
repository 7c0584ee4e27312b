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

typedef uint64_t __attribute__((may_alias)) step_head;

/* Once per decision, and copied soon: one word, for the reason of hd_access_of. */
static void set_head(struct hd_step *s, uint16_t slot, unsigned naccesses, unsigned flags)
{
    _Static_assert(offsetof(struct hd_step, naccesses) == 2 && offsetof(struct hd_step, flags) == 3 &&
                       offsetof(struct hd_step, on) == 8,
                   "layout of a step");
    *(step_head *)(void *)s = slot | (uint64_t)naccesses << 16 | (uint64_t)flags << 24;
}

static inline unsigned add_access(struct hd_step *s, unsigned n, struct hd_access_of on)
{
    for (unsigned i = 0; i < n && i < HD_STEP_ACCESSES; i++)
        if (hd_access_same(s->on[i], on))
            return n;
    if (n < HD_STEP_ACCESSES)
        s->on[n] = on;
    return n + 1;
}

void hd_step_set(struct hd_step *s, uint16_t slot, const struct hd_event *events, uint32_t n)
{
    struct hd_access_of on[2];
    unsigned all = 0;

    for (uint32_t i = 0; i < n; i++) {
        unsigned m = hd_event_accesses(&events[i], on);

        for (unsigned k = 0; k < m; k++)
            all = add_access(s, all, on[k]);
    }
    if (all > HD_STEP_ACCESSES)
        set_head(s, slot, HD_STEP_ACCESSES, HD_STEP_MANY);
    else
        set_head(s, slot, all, 0);
    if (n > 0 && events[0].flags & HD_EVF_CHOICE) {
        s->flags |= HD_STEP_CHOICE;
        s->alt = (uint16_t)events[0].value;
        s->n = events[0].aux;
    }
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
