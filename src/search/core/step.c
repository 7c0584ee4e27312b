/* SPDX-License-Identifier: BSD-2-Clause
 *
 * step.c - conflicts between steps.  Makes no libc calls. */
#include "search/core/step.h"

typedef uint64_t __attribute__((may_alias)) step_head;
typedef uint32_t __attribute__((may_alias)) access_word;

/* Writes one whole word, because the step is soon copied; hd_access_of explains why.  Called once per decision. */
static void set_head(struct hd_step *s, uint16_t slot, unsigned naccesses, unsigned flags, uint32_t near)
{
    _Static_assert(offsetof(struct hd_step, naccesses) == 2 && offsetof(struct hd_step, flags) == 3 &&
                       offsetof(struct hd_step, near) == 4 && offsetof(struct hd_step, on) == 8,
                   "layout of a step");
    *(step_head *)(void *)s =
        slot | (uint64_t)naccesses << 16 | (uint64_t)flags << 24 | (uint64_t)near << 32;
}

/* Adds an access.  Two different accesses to one object together conflict with the same accesses as a write
 * does, so they are merged into a write. */
static inline unsigned add_access(struct hd_step *s, unsigned n, uint32_t word)
{
    access_word *on = (access_word *)(void *)s->on;

    for (unsigned i = 0; i < n && i < HD_STEP_ACCESSES; i++)
        if ((on[i] ^ word) << 2 == 0) {
            if (on[i] != word)
                on[i] = (word & 0x3fffffffu) | (uint32_t)HD_ACC_W << 30;
            return n;
        }
    if (n < HD_STEP_ACCESSES)
        on[n] = word;
    return n + 1;
}

static void touch(struct hd_touched *t, struct hd_access_of on)
{
    t->reads |= on.access != HD_ACC_A ? HD_TOUCHED_BIT(on.obj) : 0;
    t->updates |= on.access != HD_ACC_R ? HD_TOUCHED_BIT(on.obj) : 0;
}

static void set_many(struct hd_step *s, const struct hd_event *events, uint32_t n)
{
    _Static_assert(sizeof(struct hd_touched) == sizeof s->on, "in the place of the accesses");
    struct hd_touched t = { 0, 0 };
    struct hd_access_of on[2];

    for (uint32_t i = 0; i < n; i++)
        for (unsigned k = hd_event_accesses(&events[i], on); k > 0; k--)
            touch(&t, on[k - 1]);
    __builtin_memcpy(s->on, &t, sizeof t);
}

struct hd_touched hd_step_touched(const struct hd_step *s)
{
    struct hd_touched t = { 0, 0 };

    if (s->flags & HD_STEP_ALL)
        return (struct hd_touched){ UINT64_MAX, UINT64_MAX };
    if (s->flags & HD_STEP_MANY)
        __builtin_memcpy(&t, s->on, sizeof t);
    else
        for (unsigned i = 0; i < s->naccesses; i++)
            touch(&t, s->on[i]);
    return t;
}

/* A step with HD_STEP_ALL conflicts even with a step that touches nothing, because its accesses are unknown. */
bool hd_step_conflict_of_many(const struct hd_step *a, const struct hd_step *b)
{
    unsigned flags = a->flags | b->flags;

    if (flags & HD_STEP_ALL)
        return true;
    return flags & HD_STEP_MANY ? hd_touched_conflict(hd_step_touched(a), hd_step_touched(b)) :
                                  hd_step_accesses_conflict(a, b);
}

void hd_step_set(struct hd_step *s, uint16_t slot, const struct hd_event *events, uint32_t n)
{
    struct hd_access_of on[2];
    unsigned all = 0;
    uint32_t near = 0;

    for (uint32_t i = 0; i < n; i++) {
        unsigned m = hd_event_accesses(&events[i], on);

        for (unsigned k = 0; k < m; k++) {
            near |= UINT32_C(1) << on[k].obj % 32;
            all = add_access(s, all, hd_access_word(on[k]));
        }
    }
    if (all > HD_STEP_ACCESSES) {
        set_head(s, slot, HD_STEP_ACCESSES, HD_STEP_MANY, 0);
        set_many(s, events, n);
    } else {
        set_head(s, slot, all, 0, near);
    }
    if (n > 0 && events[0].flags & HD_EVF_CHOICE) {
        s->flags |= HD_STEP_CHOICE;
        s->alt = (uint16_t)events[0].value;
        s->n = events[0].aux;
    }
}

void hd_step_set_accesses(struct hd_step *s, uint16_t slot, const struct hd_access_of *on,
                          uint32_t n)
{
    struct hd_touched t = { 0, 0 };
    unsigned all = 0;
    uint32_t near = 0;

    for (uint32_t i = 0; i < n; i++) {
        near |= UINT32_C(1) << on[i].obj % 32;
        all = add_access(s, all, hd_access_word(on[i]));
        touch(&t, on[i]);
    }
    if (all > HD_STEP_ACCESSES)
        __builtin_memcpy(s->on, &t, sizeof t);
    set_head(s, slot, all > HD_STEP_ACCESSES ? HD_STEP_ACCESSES : all,
             all > HD_STEP_ACCESSES ? HD_STEP_MANY : 0, near);
}

uint32_t hd_step_first_of(const struct hd_step *const *v, uint32_t nv, uint16_t slot)
{
    uint32_t i = 0;

    while (i < nv && v[i]->slot != slot)
        i++;
    return i;
}

/* True if q, which is the step v[at], can come first in v.  If the accesses of v[at] are unknown, those of q,
 * the same step executed first, are used: if q conflicts with nothing before v[at], both make the same
 * accesses. */
static bool initial_at(const struct hd_step *q, const struct hd_step *const *v, uint32_t at)
{
    const struct hd_step *step = v[at]->flags & HD_STEP_ALL && q->naccesses > 0 ? q : v[at];

    for (uint32_t k = 0; k < at; k++)
        if (hd_step_conflict(v[k], step))
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

static uint32_t near_of_many(const struct hd_step *step)
{
    uint32_t near = step->flags & (HD_STEP_MANY | HD_STEP_ALL) ? UINT32_MAX : 0;

    for (unsigned k = 0; k < step->naccesses; k++)
        near |= UINT32_C(1) << step->on[k].obj % 32;
    return near;
}

static void note(struct hd_sequence *s)
{
    uint64_t slots = 0;
    uint32_t near = 0;

    for (uint32_t i = 0; i + 1 < s->n; i++) {
        const struct hd_step *step = s->v[i];

        slots |= HD_TOUCHED_BIT(step->slot);
        near |= __builtin_expect(step->flags != 0, 0) ? near_of_many(step) : step->near;
    }
    s->slots = slots;
    s->near = near;
    s->noted = true;
}

static void note_classes(struct hd_sequence *s)
{
    for (uint32_t i = 0; i + 1 < s->n; i++) {
        const struct hd_step *step = s->v[i];

        if (step->flags & (HD_STEP_MANY | HD_STEP_ALL)) {
            struct hd_touched t = hd_step_touched(step);

            s->touched[HD_ACC_R] |= t.reads;
            s->touched[HD_ACC_A] |= t.updates;
            continue;
        }
        for (unsigned k = 0; k < step->naccesses; k++)
            s->touched[step->on[k].access] |= HD_TOUCHED_BIT(step->on[k].obj);
    }
    s->noted_classes = true;
}

/* True if q, whose thread does not occur in s, is certainly independent of all steps but the last. */
static bool is_far(const struct hd_step *q, struct hd_sequence *s)
{
    if (q->flags & (HD_STEP_MANY | HD_STEP_ALL))
        return false;
    if (!(q->flags & HD_STEP_CHOICE) && (q->near & s->near) == 0)
        return true;
    if (!s->noted_classes)
        note_classes(s);
    for (unsigned k = 0; k < q->naccesses; k++) {
        unsigned access = q->on[k].access;
        uint64_t others = s->touched[HD_ACC_W];

        others |= access != HD_ACC_R ? s->touched[HD_ACC_R] : 0;
        others |= access != HD_ACC_A ? s->touched[HD_ACC_A] : 0;
        if (others & HD_TOUCHED_BIT(q->on[k].obj))
            return false;
    }
    return true;
}

uint32_t hd_sequence_find(const struct hd_step *q, struct hd_sequence *s)
{
    const struct hd_step *last = s->v[s->n - 1];
    uint32_t at = s->n;
    bool fits;

    if (!s->noted)
        note(s);
    if (s->slots & HD_TOUCHED_BIT(q->slot))
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

/* Records only the later one of two conflicting steps, because its clock includes the other one. */
void hd_sequence_depends_on_obstacle(struct hd_sequence *s, const struct hd_step *q)
{
    uint32_t at = hd_step_first_of(s->v, s->n, q->slot), i = 0;
    const struct hd_step *step = at < s->n ? s->v[at] : q;

    if (at < s->n)
        hd_sequence_depends_on(s, step);
    if (at < s->n && step != s->own)
        return;
    while (i < at && !hd_step_conflict(step, s->v[i]))
        i++;
    if (i < at)
        hd_sequence_depends_on(s, s->v[i]);
}
