/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trace.c - builds the partial order of an execution.
 *
 * The accesses to an object form a chain from the latest to the first.  The clock of a step is the join of the
 * clocks of the steps that it conflicts with.  Walking the chain back ends where the accesses joined so far
 * happen after all earlier ones (struct hd_trace_followed).  Makes no libc calls. */
#include "search/por/trace.h"

#include "search/por/sections.h"

#include <stdatomic.h>

void hd_trace_init(struct hd_trace *t, struct hd_arena *arena)
{
    if (t->step != NULL)
        return;
    t->access = hd_arena_alloc(arena, HD_TRACE_ACCESSES * sizeof *t->access);
    t->clock = hd_arena_alloc(arena, HD_TRACE_CLOCKS * sizeof *t->clock);
    t->object = hd_arena_alloc(arena, HD_TRACE_OBJECTS * sizeof *t->object);
    t->step = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *t->step);
}

/* Object numbers are assigned consecutively, so objects created one after the other are neighbours in the
 * table, too. */
static struct hd_trace_object *find(const struct hd_trace *t, uint32_t obj)
{
    uint32_t i = obj % HD_TRACE_OBJECTS;

    while (t->object[i].stamp == t->stamp && t->object[i].obj != obj)
        i = (i + 1) % HD_TRACE_OBJECTS;
    return &t->object[i];
}

static void start_from_begin(struct hd_trace *t, uint32_t nthreads)
{
    t->nsteps = 0;
    t->nthreads = nthreads;
    t->width = (nthreads + HD_TRACE_LANES - 1) / HD_TRACE_LANES * HD_TRACE_LANES;
    t->naccesses = 0;
    t->nmany = t->nlong = 0;
    t->stamp++;
    for (uint32_t i = 0; i < nthreads; i++) {
        t->last_of[i] = t->first_of[i] = HD_NO_STEP;
        t->steps_of[i] = 0;
    }
}

static void forget_last(struct hd_trace *t)
{
    const struct hd_trace_step *s = &t->step[--t->nsteps];

    while (t->naccesses > s->access) {
        const struct hd_trace_access *a = &t->access[--t->naccesses];

        find(t, a->obj)->last = a->previous;
    }
    t->nmany -= (s->step.flags & (HD_STEP_MANY | HD_STEP_ALL)) != 0;
    t->nlong -= s->is_long;
    t->steps_of[s->tid]--;
    t->last_of[s->tid] = s->before;
    if (s->nth == 1)
        t->first_of[s->tid] = HD_NO_STEP;
    else
        t->step[s->before].next = HD_NO_STEP;
}

uint32_t hd_trace_start(struct hd_trace *t, const struct hd_execution *exec, uint32_t keep)
{
    bool usable = t->valid == exec->index && t->nthreads == exec->nthreads && exec->index > 0;

    t->valid = 0;
    atomic_signal_fence(memory_order_release);
    t->exec = exec;
    if (!usable)
        start_from_begin(t, exec->nthreads);
    while (t->nsteps > keep)
        forget_last(t);
    t->kept = t->nsteps;
    t->unchanged = t->kept < t->unchanged ? t->kept : t->unchanged;
    return t->nsteps;
}

void hd_trace_finish(struct hd_trace *t)
{
    atomic_signal_fence(memory_order_release);
    t->valid = t->exec->index + 1;
}

uint32_t hd_trace_last_access(const struct hd_trace *t, uint32_t obj)
{
    const struct hd_trace_object *o = find(t, obj);

    return o->stamp == t->stamp ? o->last : 0;
}

/* Returns the number of clock words as an obvious multiple of HD_TRACE_LANES, so that the compiler can
 * vectorise loops without a remainder. */
static inline uint32_t whole_lanes(const struct hd_trace *t)
{
    return t->width & ~(uint32_t)(HD_TRACE_LANES - 1);
}

/* Joins the step's clock to `clock`.  Without branches, so that the compiler vectorises it. */
static void join(const struct hd_trace *t, uint32_t *restrict clock, uint32_t step)
{
    const uint32_t *restrict other = hd_trace_clock(t, step);
    uint32_t n = whole_lanes(t);

    for (uint32_t i = 0; i < n; i++)
        clock[i] = other[i] > clock[i] ? other[i] : clock[i];
}

static uint32_t latest_of_another_class(const struct hd_trace *t, uint32_t last, unsigned access)
{
    if (last == 0 || t->access[last - 1].access != access)
        return last;
    return t->access[last - 1].other;
}

/* Returns the threads (as bits) whose accesses of this class come after the latest access of another class. */
static uint32_t threads_of_class(const struct hd_trace *t, uint32_t last, unsigned access, hd_tid tid)
{
    uint32_t own = UINT32_C(1) << tid % 32;

    return last != 0 && t->access[last - 1].access == access ? t->access[last - 1].threads | own : own;
}

/* Joins the clocks of the earlier conflicting accesses, then adds the new one to the chain.  Values are read
 * into locals once, because the compiler must assume that stores to the clock change them. */
static inline void add_access(struct hd_trace *t, struct hd_trace_step *s, uint32_t *clock,
                              struct hd_access_of on)
{
    struct hd_trace_object *o = find(t, on.obj);
    struct hd_trace_followed followed = HD_TRACE_FOLLOWS_NONE;
    uint32_t now = t->nsteps, latest = s->latest;

    if (o->stamp != t->stamp)
        *o = (struct hd_trace_object){ .obj = on.obj, .stamp = t->stamp };
    for (uint32_t i = o->last; i != 0;) {
        const struct hd_trace_access *a = &t->access[i - 1];
        uint32_t step = a->step, class = a->access;
        bool conflict = hd_access_conflict(class, on.access);

        t->work++;
        if (hd_trace_follows_rest(&followed, a))
            break;
        i = conflict ? a->previous : a->other;
        if (!conflict || step == now)
            continue;
        join(t, clock, step);
        latest = step >= latest ? step + 1 : latest;
        if (class == HD_ACC_W)
            break;
        hd_trace_follow(t, &followed, a);
    }
    s->latest = latest;
    t->access[t->naccesses++] = (struct hd_trace_access){
        on.obj, now, o->last, latest_of_another_class(t, o->last, on.access), on.access,
        threads_of_class(t, o->last, on.access, s->tid) };
    o->last = t->naccesses;
}

static __attribute__((noinline)) void add_from_events(struct hd_trace *t, struct hd_trace_step *s,
                                                      uint32_t *clock)
{
    struct hd_access_of on[2];

    for (uint32_t i = 0; i < s->nevents; i++) {
        const struct hd_event *e = &t->exec->events[s->event + i];
        unsigned n = hd_event_accesses(e, on);

        for (unsigned k = t->lazy != NULL && hd_sections_lazy(t->lazy, e) != 0; k < n; k++)
            add_access(t, s, clock, on[k]);
    }
}

/* Uses the accesses that the step stores if they are complete and no mutex is ignored; otherwise uses the
 * events. */
static inline void add_accesses(struct hd_trace *t, struct hd_trace_step *s, uint32_t *clock)
{
    if (t->lazy != NULL || s->step.flags & HD_STEP_MANY)
        add_from_events(t, s, clock);
    else
        for (unsigned i = 0; i < s->step.naccesses; i++)
            add_access(t, s, clock, s->step.on[i]);
}

static void note_creation(struct hd_trace *t, const struct hd_event *e)
{
    if (e->kind == HD_EV_THREAD_CREATE && !(e->flags & HD_EVF_FAILED) && e->value < t->nthreads)
        t->last_of[e->value] = t->nsteps;
}

/* Sets `clock` to the thread's clock before the step. */
static void start_clock(const struct hd_trace *t, uint32_t *restrict clock, uint32_t before)
{
    static const uint32_t nothing[HD_MAX_THREADS];
    const uint32_t *restrict from = before != HD_NO_STEP ? hd_trace_clock(t, before) : nothing;

    uint32_t n = whole_lanes(t);

    for (uint32_t i = 0; i < n; i++)
        clock[i] = from[i];
}

/* The first steps of a thread have no jump link, because most threads are short and walking back over them is
 * quick. */
#define WITHOUT_JUMP 16

/* Returns the target of the jump link.  The steps of a thread form a skew-binary list, like the entries of
 * history.h (H2). */
static uint32_t jump_from(const struct hd_trace *t, const struct hd_trace_step *s)
{
    if (s->nth <= WITHOUT_JUMP)
        return HD_NO_STEP;
    const struct hd_trace_step *p = &t->step[s->before];
    const struct hd_trace_step *middle = p->jump != HD_NO_STEP ? &t->step[p->jump] : NULL;
    uint32_t far = middle != NULL ? middle->jump : HD_NO_STEP;
    uint32_t to_middle = p->nth - (middle != NULL ? middle->nth : 0);
    uint32_t beyond = (middle != NULL ? middle->nth : 0) -
                      (far != HD_NO_STEP ? t->step[far].nth : 0);

    return to_middle == beyond ? far : s->before;
}

/* True if step s comes too late to be the result: it is not before `limit`, or it happens after e.  If it is
 * not, no earlier step of the thread is either. */
static inline bool is_beyond(const struct hd_trace *t, uint32_t s, uint32_t limit, uint32_t e)
{
    return s >= limit || (e != HD_NO_STEP && s > e && hd_trace_before(t, e, s));
}

static uint32_t go_back(const struct hd_trace *t, hd_tid tid, uint32_t limit, uint32_t e)
{
    uint32_t s = t->steps_of[tid] > 0 ? t->last_of[tid] : HD_NO_STEP;

    while (s != HD_NO_STEP && is_beyond(t, s, limit, e)) {
        const struct hd_trace_step *step = &t->step[s];
        bool jumps = step->jump != HD_NO_STEP && is_beyond(t, step->jump, limit, e);

        if (step->nth == 1)
            return HD_NO_STEP;
        s = jumps ? step->jump : step->before;
    }
    return s;
}

uint32_t hd_trace_thread_before(const struct hd_trace *t, hd_tid tid, uint32_t s)
{
    return go_back(t, tid, s, HD_NO_STEP);
}

uint32_t hd_trace_thread_beside(const struct hd_trace *t, hd_tid tid, uint32_t e, uint32_t s)
{
    return go_back(t, tid, s, e);
}

uint32_t hd_trace_thread_after(const struct hd_trace *t, hd_tid tid, uint32_t e)
{
    uint32_t before = go_back(t, tid, e + 1, HD_NO_STEP);

    return before == HD_NO_STEP ? t->first_of[tid] : t->step[before].next;
}

/* True if the step has many events or is an atomic section.  The event that starts the thread may come before
 * the section's first event.  Precondition: n >= 2. */
static bool is_long(const struct hd_event *e, uint32_t n)
{
    return hd_kind_begins_section(e[0].kind) || hd_kind_begins_section(e[1].kind) ||
           n >= HD_TRACE_LONG;
}

bool hd_trace_add(struct hd_trace *t, const struct hd_step *step, hd_tid tid, uint32_t event,
                  uint32_t nevents)
{
    uint64_t words = (uint64_t)(t->nsteps + 1) * t->width;

    if (t->nsteps == HD_TRACE_STEPS || words > HD_TRACE_CLOCKS ||
        t->naccesses + 2 * nevents > HD_TRACE_ACCESSES ||
        t->naccesses + 2 * nevents > HD_TRACE_OBJECTS / 2)
        return false;
    struct hd_trace_step *s = &t->step[t->nsteps];
    uint32_t *clock = hd_trace_clock(t, t->nsteps);

    *s = (struct hd_trace_step){ .step = *step, .tid = tid, .nth = ++t->steps_of[tid],
                                 .before = t->last_of[tid], .event = event, .nevents = nevents,
                                 .latest = t->last_of[tid] + 1, .next = HD_NO_STEP,
                                 .access = t->naccesses };
    s->jump = jump_from(t, s);
    if (s->nth == 1)
        t->first_of[tid] = t->nsteps;
    else
        t->step[s->before].next = t->nsteps;
    start_clock(t, clock, s->before);
    add_accesses(t, s, clock);
    clock[tid] = s->nth;
    s->naccesses = t->naccesses - s->access;
    t->nmany += (step->flags & (HD_STEP_MANY | HD_STEP_ALL)) != 0;
    if (nevents > 1) {
        s->is_long = is_long(&t->exec->events[event], nevents);
        t->nlong += s->is_long;
    }
    t->last_of[tid] = t->nsteps;
    for (uint32_t i = 0; i < nevents; i++)
        note_creation(t, &t->exec->events[event + i]);
    t->nsteps++;
    return true;
}
