/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step.c - conflicts between steps.  Pure memory: no libc. */
#include "search/step.h"

typedef uint64_t __attribute__((may_alias)) step_head;

/* Once per decision, and copied soon: one word, for the reason of hd_access_of. */
static void set_head(struct hd_step *s, uint16_t slot, unsigned naccesses, unsigned flags)
{
    _Static_assert(offsetof(struct hd_step, naccesses) == 2 &&
                       offsetof(struct hd_step, flags) == 3 && offsetof(struct hd_step, on) == 8,
                   "layout of a step");
    *(step_head *)(void *)s = slot | (uint64_t)naccesses << 16 | (uint64_t)flags << 24;
}

/* What conflicts with one of two different accesses to an object conflicts with a write. */
static inline unsigned add_access(struct hd_step *s, unsigned n, struct hd_access_of on)
{
    for (unsigned i = 0; i < n && i < HD_STEP_ACCESSES; i++)
        if (s->on[i].obj == on.obj) {
            if (s->on[i].access != on.access)
                s->on[i] = hd_access_of(on.obj, HD_ACC_W);
            return n;
        }
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
    return hd_step_same(q, v[at]);
}

bool hd_step_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv)
{
    uint32_t at = hd_step_first_of(v, nv, q->slot);

    return at < nv && initial_at(q, v, at);
}

static bool is_beside(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv)
{
    for (uint32_t i = 0; i < nv; i++)
        if (hd_step_conflict(q, v[i]))
            return false;
    return true;
}

bool hd_step_weak_initial(const struct hd_step *q, const struct hd_step *const *v, uint32_t nv)
{
    uint32_t at = hd_step_first_of(v, nv, q->slot);

    return at < nv ? initial_at(q, v, at) : is_beside(q, v, nv);
}

#define BIT(number) (UINT64_C(1) << (number) % 64)

static void note(struct hd_sequence *s)
{
    for (uint32_t i = 0; i + 1 < s->n; i++) {
        const struct hd_step *step = s->v[i];

        s->slots |= BIT(step->slot);
        for (unsigned k = 0; k < step->naccesses; k++)
            s->touched[step->on[k].access] |= BIT(step->on[k].obj);
        if (step->flags & HD_STEP_MANY)
            s->touched[HD_ACC_W] = UINT64_MAX;
    }
    s->noted = true;
}

/* Is q, whose thread none of them is of, certainly independent of all but the last? */
static bool is_far(const struct hd_step *q, const struct hd_sequence *s)
{
    for (unsigned k = 0; k < q->naccesses; k++) {
        unsigned access = q->on[k].access;
        uint64_t others = s->touched[HD_ACC_W];

        others |= access != HD_ACC_R ? s->touched[HD_ACC_R] : 0;
        others |= access != HD_ACC_A ? s->touched[HD_ACC_A] : 0;
        if (others & BIT(q->on[k].obj))
            return false;
    }
    return !(q->flags & HD_STEP_MANY);
}

uint32_t hd_sequence_find(const struct hd_step *q, struct hd_sequence *s)
{
    const struct hd_step *last = s->v[s->n - 1];
    uint32_t at = s->n;
    bool fits;

    if (!s->noted)
        note(s);
    if (s->slots & BIT(q->slot))
        at = hd_step_first_of(s->v, s->n, q->slot);
    else if (last->slot == q->slot)
        at = s->n - 1;
    if (at + 1 < s->n)
        fits = initial_at(q, s->v, at);
    else if (at < s->n)
        fits = is_far(last, s) ? hd_step_same(q, last) : initial_at(q, s->v, at);
    else
        fits = is_far(q, s) ? !hd_step_conflict(q, last) : is_beside(q, s->v, s->n);
    return fits ? at : HD_NOT_INITIAL;
}

/* Of two steps in conflict the one that comes later is enough: it knows of the other. */
void hd_sequence_rests_on_obstacle(struct hd_sequence *s, const struct hd_step *q)
{
    uint32_t at = hd_step_first_of(s->v, s->n, q->slot), i = 0;
    const struct hd_step *step = at < s->n ? s->v[at] : q;

    if (at < s->n)
        hd_sequence_rests_on(s, step);
    if (at < s->n && step != s->own)
        return;
    while (i < at && !hd_step_conflict(step, s->v[i]))
        i++;
    if (i < at)
        hd_sequence_rests_on(s, s->v[i]);
}
