/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_cover.c - finds initials of v from the trace, without building v.  Makes no libc calls. */
#include "search/por/race_cover.h"

#include "search/por/reversal.h"

void hd_cover_init(struct hd_cover *c, const struct hd_path *p, struct hd_arena *arena)
{
    c->path = p;
    c->trace = &p->trace;
    if (c->taken != NULL)
        return;
    hd_beside_init(&c->beside, c->trace, arena);
    c->taken = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *c->taken);
}

/* Call when the stamp wraps around, so that old entries do not match new stamps. */
static void forget_stamps(struct hd_cover *c)
{
    for (uint32_t s = 0; s < HD_TRACE_STEPS; s++)
        c->taken[s] = 0;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        c->listed[t] = 0;
    c->stamp = 1;
}

void hd_cover_start(struct hd_cover *c, uint32_t e, uint32_t racer)
{
    c->e = e;
    c->tid = c->trace->step[e].tid;
    c->nth = c->trace->step[e].nth;
    c->racer = racer;
    c->steps = hd_reversal_steps(c->trace);
    if (++c->stamp == 0)
        forget_stamps(c);
    c->latest = racer;
    c->loose = false;
}

/* True if step s, which comes after e, is in v and has not been removed. */
static inline bool is_left(const struct hd_cover *c, uint32_t s)
{
    if (c->taken[s] == c->stamp || s >= c->steps)
        return false;
    return s == c->racer || hd_trace_clock(c->trace, s)[c->tid] < c->nth;
}

/* An obstacle of an access is a step that is still in v and conflicts with the access.  Looks for one in the
 * object's chain, from access chain - 1 back, and returns the latest; HD_NO_STEP: none.  Stops at a write that
 * was removed from v (C4): all earlier accesses to the object conflict with it, so they were removed before it.
 * So the cost per step does not grow along a long path. */
static uint32_t obstacle(const struct hd_cover *c, uint32_t chain, unsigned access)
{
    const struct hd_trace *t = c->trace;

    while (chain != 0) {
        const struct hd_trace_access *a = &t->access[chain - 1];

        if (a->step <= c->e)
            break;
        if (!hd_access_conflict(a->access, access)) {
            chain = a->other;
            continue;
        }
        if (is_left(c, a->step))
            return a->step;
        if (a->access == HD_ACC_W && c->taken[a->step] == c->stamp)
            break;
        chain = a->previous;
    }
    return HD_NO_STEP;
}

/* Returns an obstacle of a step of v, other than the latest step that it conflicts with. */
static __attribute__((noinline)) uint32_t earlier_obstacle(const struct hd_cover *c,
                                                           const struct hd_trace_step *step)
{
    const struct hd_trace_access *a = &c->trace->access[step->access];
    uint32_t found = HD_NO_STEP;

    if (step->before != HD_NO_STEP && step->before > c->e && is_left(c, step->before))
        return step->before;
    for (uint32_t i = 0; i < step->naccesses && found == HD_NO_STEP; i++)
        found = obstacle(c, a[i].previous, a[i].access);
    return found;
}

/* Returns a step of v that keeps step s of v from coming first; HD_NO_STEP if there is none. */
static inline uint32_t obstacle_of_step(const struct hd_cover *c, uint32_t s)
{
    const struct hd_trace_step *step = &c->trace->step[s];

    if (step->latest <= c->e + 1)
        return HD_NO_STEP;
    if (is_left(c, step->latest - 1))
        return step->latest - 1;
    return earlier_obstacle(c, step);
}

/* Returns a step of v with which q conflicts; HD_NO_STEP: none. q is not in v, and does not list all its
 * accesses. */
static uint32_t obstacle_beside_many(const struct hd_cover *c, const struct hd_step *q)
{
    for (uint32_t s = c->e + 1; s < c->steps; s++)
        if (is_left(c, s) && hd_step_conflict(q, &c->trace->step[s].step))
            return s;
    return HD_NO_STEP;
}

/* Returns a step of v with which q, which is not in v, conflicts; HD_NO_STEP: none. */
static uint32_t obstacle_beside(const struct hd_cover *c, const struct hd_step *q)
{
    uint32_t found = HD_NO_STEP;

    if (q->flags & HD_STEP_MANY)
        return obstacle_beside_many(c, q);
    for (unsigned i = 0; i < q->naccesses && found == HD_NO_STEP; i++)
        found = obstacle(c, hd_trace_last_access(c->trace, q->on[i].obj), q->on[i].access);
    return found;
}

bool hd_cover_initial(const struct hd_cover *c, uint32_t s)
{
    return obstacle_of_step(c, s) == HD_NO_STEP;
}

/* Finds a thread's first step after e (HD_NO_STEP: none) and its latest step that does not happen after e.
 * These are the results of hd_trace_thread_after and hd_trace_thread_beside, obtained in one short walk.
 * Returns false if the thread has too many steps after e. */
static inline bool walk_back(const struct hd_cover *c, hd_tid tid, uint32_t *first, uint32_t *last)
{
    const struct hd_trace *t = c->trace;
    uint32_t s = t->steps_of[tid] > 0 ? t->last_of[tid] : HD_NO_STEP;

    *first = *last = HD_NO_STEP;
    for (unsigned left = c->beside.few / 4; s != HD_NO_STEP && s > c->e; left--) {
        if (left == 0)
            return false;
        *first = s;
        if (*last == HD_NO_STEP && s < c->steps && hd_trace_clock(t, s)[c->tid] < c->nth)
            *last = s;
        s = t->step[s].nth > 1 ? t->step[s].before : HD_NO_STEP;
    }
    *last = *last != HD_NO_STEP ? *last : s;
    return true;
}

/* Finds the thread's first and last step in v.  Its steps in v are consecutive and begin with its first step
 * after e.  For the racing thread the operation is the last one: no earlier step of that thread happens after
 * e. */
static void list_thread(struct hd_cover *c, hd_tid tid)
{
    const struct hd_trace *t = c->trace;
    uint32_t first, last;

    if (!walk_back(c, tid, &first, &last)) {
        first = hd_trace_thread_after(t, tid, c->e);
        last = hd_trace_thread_beside(t, tid, c->e, c->steps);
    }
    if (tid == c->tid)
        last = HD_NO_STEP;
    else if (tid == t->step[c->racer].tid)
        last = c->racer;
    bool some = first != HD_NO_STEP && last != HD_NO_STEP && last >= first;

    c->first[tid] = some ? first : HD_NO_STEP;
    c->last[tid] = last;
    c->hidden[tid] = some ? t->step[last].next : first;
    c->listed[tid] = c->stamp;
}

static uint32_t first_of(struct hd_cover *c, uint16_t slot)
{
    hd_tid tid = hd_path_tid(c->path, slot, c->trace->nthreads);

    if (tid == HD_NO_TID)
        return HD_NO_STEP;
    if (c->listed[tid] != c->stamp)
        list_thread(c, tid);
    return c->first[tid];
}

uint32_t hd_cover_find(struct hd_cover *c, const struct hd_step *q)
{
    uint32_t s = first_of(c, q->slot);

    if (s != HD_NO_STEP)
        return hd_cover_initial(c, s) ? s : HD_COVER_NOT;
    if (q->flags & HD_STEP_ALL || obstacle_beside(c, q) != HD_NO_STEP)
        return HD_COVER_NOT;
    return HD_COVER_BESIDE;
}

static bool do_the_same(const struct hd_step *a, const struct hd_step *b)
{
    if (a->naccesses != b->naccesses || a->flags != 0 || b->flags != 0)
        return false;
    for (unsigned i = 0; i < a->naccesses; i++)
        if (hd_access_word(a->on[i]) != hd_access_word(b->on[i]))
            return false;
    return true;
}

/* Rule C5: returns the thread's next step after those in v if it makes the same accesses as q; otherwise
 * HD_NO_STEP.  Precondition: q is not in v. */
static uint32_t came_of(const struct hd_cover *c, const struct hd_step *q)
{
    hd_tid tid = hd_path_tid(c->path, q->slot, c->trace->nthreads);
    uint32_t s = tid != HD_NO_TID ? c->hidden[tid] : HD_NO_STEP;

    if (s == HD_NO_STEP || s >= c->steps || !do_the_same(q, &c->trace->step[s].step))
        return HD_NO_STEP;
    return s;
}

void hd_cover_depends_on_initial(struct hd_cover *c, const struct hd_step *q, uint32_t found)
{
    uint32_t s = found == HD_COVER_BESIDE ? came_of(c, q) : found;

    if (s == HD_NO_STEP)
        c->loose = true;
    else
        hd_cover_depends_on(c, s);
}

void hd_cover_take(struct hd_cover *c, const struct hd_step *q, uint32_t found)
{
    hd_cover_depends_on_initial(c, q, found);
    if (found == HD_COVER_BESIDE) {
        hd_tid tid = hd_path_tid(c->path, q->slot, c->trace->nthreads);

        if (tid != HD_NO_TID && c->hidden[tid] != HD_NO_STEP)
            c->hidden[tid] = c->trace->step[c->hidden[tid]].next;
        return;
    }
    const struct hd_trace_step *step = &c->trace->step[found];

    if (c->listed[step->tid] != c->stamp)
        list_thread(c, step->tid);
    c->taken[found] = c->stamp;
    c->first[step->tid] = found == c->last[step->tid] ? HD_NO_STEP : step->next;
}

uint32_t hd_cover_end(struct hd_cover *c)
{
    return hd_beside_end(&c->beside, c->e, c->steps);
}

uint32_t hd_cover_rest(struct hd_cover *c, const struct hd_step **v)
{
    const struct hd_trace *t = c->trace;
    uint32_t n = 0;

    hd_beside_find(&c->beside, c->e, c->steps);
    const uint32_t *step = c->beside.step, all = c->beside.n;

    for (uint32_t i = 0; i < all; i++)
        if (hd_trace_before(t, step[i], c->racer) && is_left(c, step[i]))
            v[n++] = &t->step[step[i]].step;
    if (is_left(c, c->racer))
        v[n++] = &t->step[c->racer].step;
    for (uint32_t i = 0; i < all; i++)
        if (!hd_trace_before(t, step[i], c->racer) && is_left(c, step[i]))
            v[n++] = &t->step[step[i]].step;
    return n;
}
