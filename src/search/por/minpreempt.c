/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt.c - the dynamic programme of minpreempt.h.  Makes no libc calls.
 *
 * A cell is a cut together with the thread that ran last, or without one if the cost of switching away from
 * that thread has already been added.  A move costs 0 or 1 (P7), so all cells of one cost are processed before
 * those of the next.  Nothing in the tables survives a query: each query uses a new stamp. */
#include "search/por/minpreempt_cut.h"

#include "base/check.h"
#include "base/hash.h"

#define BUCKETS (1u << 21)
#define FEW_BUCKETS (1u << 7) /* BUCKETS is this times a power of 4 */
#define CUT_WORDS (1u << 24)
#define MAX_BOUND 250u
#define UNKNOWN_COST 255u
#define APART 4u    /* initial value of hd_minpreempt.apart (P8) */
#define PATIENCE 96u
#define SOON 8u      /* if the query starts at a place, PATIENCE is divided by this */
#define REST 64u     /* after failing to make a place, the next REST queries do not try */

struct hd_minpreempt_bucket {
    uint32_t stamp;
    uint32_t cut;
};

_Static_assert(BUCKETS > HD_MINPREEMPT_CELLS, "the table is never full");

void hd_minpreempt_init(struct hd_minpreempt *m, struct hd_trace *t, struct hd_arena *arena)
{
    m->trace = t;
    hd_thread_steps_init(&m->steps, t, arena);
    hd_chains_init(&m->chains, t, arena);
    if (m->cut != NULL)
        return;
    m->limit = HD_MINPREEMPT_CELLS;
    m->apart = APART;
    m->patience = PATIENCE;
    m->follows = hd_arena_alloc(arena, HD_MAX_THREADS * HD_MAX_THREADS * sizeof *m->follows);
    m->extra_clock = hd_arena_alloc(arena, HD_MAX_THREADS * sizeof *m->extra_clock);
    m->touching = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *m->touching);
    m->place = hd_arena_alloc(arena, (HD_TRACE_STEPS / APART + 1) * sizeof *m->place);
    m->cost = hd_arena_alloc(arena, HD_MINPREEMPT_CELLS * sizeof *m->cost);
    m->bucket = hd_arena_alloc(arena, BUCKETS * sizeof *m->bucket);
    for (int i = 0; i < 2; i++)
        m->list[i] = hd_arena_alloc(arena, 2 * HD_MINPREEMPT_CELLS * sizeof *m->list[i]);
    m->cut = hd_arena_alloc(arena, CUT_WORDS * sizeof *m->cut);
}

/* ---- the partial order ----------------------------------------------------------------- */

static void count_steps(struct hd_minpreempt *m)
{
    const struct hd_minpreempt_query *q = m->q;

    hd_thread_steps_reach(&m->steps, q->nsteps);
    hd_chains_reach(&m->chains);
    for (uint32_t t = 0; t < q->nthreads; t++)
        m->count[t] = m->known[t] = hd_thread_steps_before(&m->steps, (hd_tid)t, q->nsteps);
    if (q->extra != NULL)
        m->count[q->extra->tid]++;
}

static void join(struct hd_minpreempt *m, uint32_t step)
{
    const uint32_t *other = hd_trace_clock(m->trace, step);

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        if (other[i] > m->extra_clock[i])
            m->extra_clock[i] = other[i];
}

/* True if step s certainly conflicts with x; only then may s make x more expensive.  The trace knows all
 * accesses of its steps, also where a step has no room to list them. */
static bool surely_conflicts(const struct hd_minpreempt *m, uint32_t s, const struct hd_step *x)
{
    const struct hd_trace_step *step = &m->trace->step[s];

    if (((step->step.flags | x->flags) & (HD_STEP_MANY | HD_STEP_ALL)) == 0 ||
        step->step.slot == x->slot)
        return hd_step_conflict(&step->step, x);
    if (x->flags & (HD_STEP_MANY | HD_STEP_ALL))
        return false;
    for (uint32_t i = step->access; i < step->access + step->naccesses; i++)
        for (unsigned k = 0; k < x->naccesses; k++)
            if (m->trace->access[i].obj == x->on[k].obj &&
                hd_access_conflict(m->trace->access[i].access, x->on[k].access))
                return true;
    return false;
}

/* Joins to the clock of x the clocks of the steps that conflict with its access to the object, for every
 * outcome of x.  The loop ends at a write, because that comes after all accesses before it. */
static void join_conflicts(struct hd_minpreempt *m, const struct hd_minpreempt_extra *x,
                           struct hd_access_of on)
{
    struct hd_trace_followed followed = HD_TRACE_FOLLOWS_NONE;

    for (uint32_t i = hd_cut_last_conflict(m, on); i != 0;) {
        const struct hd_trace_access *a = &m->trace->access[i - 1];

        if (hd_trace_follows_rest(&followed, a))
            return;
        if (x->other == NULL || surely_conflicts(m, a->step, x->other)) {
            join(m, a->step);
            if (a->access == HD_ACC_W)
                return;
            hd_trace_follow(m->trace, &followed, a);
        }
        i = hd_cut_conflict(m, a->previous, on);
    }
}

/* Computes the clock of the extra step: it includes every step with which the extra step conflicts whatever its
 * outcome. */
static void clock_of_extra(struct hd_minpreempt *m)
{
    const struct hd_minpreempt_extra *x = m->q->extra;

    for (uint32_t i = 0; i < m->q->nthreads; i++)
        m->extra_clock[i] = 0;
    if (x->before != HD_NO_STEP)
        join(m, x->before);
    if (x->step->flags & (HD_STEP_MANY | HD_STEP_ALL))
        return;
    for (unsigned k = 0; k < x->step->naccesses; k++)
        join_conflicts(m, x, x->step->on[k]);
}

/* Rule P4: true if the thread, which has made `done` steps, need not be left before its next one. */
static bool stays(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    uint32_t step = hd_cut_step(m, t, done);

    if (step != HD_CUT_EXTRA)
        return m->steps.of[step].stays;
    return !(m->q->extra->step->flags & (HD_STEP_MANY | HD_STEP_ALL)) &&
           hd_event_enables_nothing(m->trace, m->q->extra->op) && (done == 0 || !hd_cut_yields(m, hd_cut_step(m, t, done - 1)));
}

/* Rule P4: true if the thread is not left at the cut, because its next step can be made at once. */
static bool must_go_on(const struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    return cut[t] != hd_cut_steps_of(m, t) && stays(m, t, cut[t]) && hd_cut_is_next(m, cut, t);
}

/* ---- the lower bound --------------------------------------------------------------------- */

/* True if another thread's step must come between the extra step and the step before it in the same thread. */
static bool extra_is_interrupted(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (u != t && m->extra_clock[u] > 0 &&
            hd_cut_clock(m, hd_cut_step(m, (hd_tid)u, m->extra_clock[u] - 1))[t] >= done)
            return true;
    return false;
}

/* Like is_compulsory in thread_steps.c, for the extra step. */
static bool extra_is_compulsory(const struct hd_minpreempt *m)
{
    hd_tid t = m->q->extra->tid;
    uint32_t done = hd_cut_steps_of(m, t) - 1;

    if (done == 0)
        return false;
    struct hd_racer next = hd_cut_next_operation(m, t, done);

    if (next.op == NULL || hd_cut_yields(m, hd_cut_step(m, t, done - 1)))
        return false;
    struct hd_event op = hd_reversal_normal(m->trace, &next);

    return hd_thread_steps_runs_after(&m->steps, next.before, &op) && extra_is_interrupted(m, t, done);
}

bool hd_cut_is_due(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    if (done == hd_cut_steps_of(m, t))
        return hd_set_has(&m->due_at_end, t);
    uint32_t step = hd_cut_step(m, t, done);

    if (step == HD_CUT_EXTRA)
        return m->extra_is_due;
    return done > 0 && m->steps.of[step].due != m->steps.of[hd_cut_step(m, t, done - 1)].due;
}

/* Returns the number of certain preemptions (P7). */
static uint32_t compulsory(struct hd_minpreempt *m)
{
    uint32_t all = 0;

    m->extra_is_due = m->q->extra != NULL && extra_is_compulsory(m);
    hd_set_clear(&m->due_at_end);
    for (uint32_t t = 0; t < m->q->nthreads; t++) {
        uint32_t n = m->known[t];

        all += n > 0 ? m->steps.of[hd_cut_step(m, (hd_tid)t, n - 1)].due : 0;
        if (!hd_cut_end_is_due(m, (hd_tid)t))
            continue;
        hd_set_add(&m->due_at_end, t);
        all++;
    }
    return all + m->extra_is_due;
}

/* ---- quiet steps (P5) --------------------------------------------------------------------- */

/* True if some step of thread u happens after a step of t that is after number `from` and not after number
 * `to`, and that step of u happens after no later step of t.  The clocks of a thread only grow, so only the
 * first step of u that happens after any step of t after `from` needs to be examined. */
static bool follows_one_of(const struct hd_minpreempt *m, hd_tid u, hd_tid t, uint32_t from, uint32_t to)
{
    uint32_t low = 0, high = hd_cut_steps_of(m, u);

    if (high == 0 || hd_cut_clock(m, hd_cut_step(m, u, high - 1))[t] <= from)
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (hd_cut_clock(m, hd_cut_step(m, u, middle))[t] <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return hd_cut_clock(m, hd_cut_step(m, u, low))[t] <= to;
}

/* True if the steps of t after number `from`, up to `to`, are quiet, and the first step to happen after any of
 * them is t's own next one. */
static bool are_postponed(const struct hd_minpreempt *m, hd_tid t, uint32_t from, uint32_t to)
{
    uint32_t before = from == 0 ? 0 : m->steps.of[hd_cut_step(m, t, from - 1)].loud;

    if (m->steps.of[hd_cut_step(m, t, to - 1)].loud != before)
        return false;
    for (uint32_t u = 0; u < m->q->nthreads; u++)
        if (u != t && follows_one_of(m, (hd_tid)u, t, from, to))
            return false;
    HD_SET_EACH(u, &m->awaits) {
        uint32_t follows = m->follows[u * m->q->nthreads + t];

        if (follows > from && follows <= to)
            return false;
    }
    return true;
}

/* Rule P5: true if resuming thread t after `from` steps achieves nothing up to step `to`.  The answer does not
 * depend on the other threads' steps in the cut. */
static bool is_in_vain(struct hd_minpreempt *m, hd_tid t, uint32_t from, uint32_t to)
{
    struct hd_minpreempt_vain *v = &m->vain[t][to % 2];

    if (to >= m->goal[t]) /* steps that this query does not see may follow (P8) */
        return false;
    if (v->from != from || v->to != to)
        *v = (struct hd_minpreempt_vain){ from, to, are_postponed(m, t, from, to) };
    return v->is;
}

/* ---- cells ------------------------------------------------------------------------------- */

static bool same_cut(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Returns the bucket of the cut in the hash table, or the free one in which to put it. */
static struct hd_minpreempt_bucket *bucket_of(struct hd_minpreempt *m, const uint32_t *cut)
{
    uint32_t n = m->q->nthreads;
    uint64_t h = 0;

    for (uint32_t i = 0; i < n; i++)
        h = hd_hash_mix(h, cut[i]);
    uint32_t b = (uint32_t)h & (m->nbuckets - 1);

    while (m->bucket[b].stamp == m->stamp && !same_cut(&m->cut[(uint64_t)m->bucket[b].cut * n], cut, n))
        b = (b + 1) & (m->nbuckets - 1);
    return &m->bucket[b];
}

/* Enlarges the table.  It starts small, because most queries have few cuts and a small table stays in the
 * cache. */
static void enlarge(struct hd_minpreempt *m)
{
    m->nbuckets *= 4;
    m->stamp++;
    for (uint32_t i = 0; i < m->ncuts; i++)
        *bucket_of(m, &m->cut[(uint64_t)i * m->q->nthreads]) = (struct hd_minpreempt_bucket){ m->stamp, i };
}

/* Returns the number of the cut, or UINT32_MAX if there are too many. */
static uint32_t find_cut(struct hd_minpreempt *m, const uint32_t *cut)
{
    uint32_t n = m->q->nthreads;
    struct hd_minpreempt_bucket *b = bucket_of(m, cut);

    if (b->stamp == m->stamp)
        return b->cut;
    if (m->ncuts >= m->few || (uint64_t)(m->ncuts + 1) * (n + 1) > m->limit || (uint64_t)(m->ncuts + 1) * n > CUT_WORDS)
        return UINT32_MAX;
    *b = (struct hd_minpreempt_bucket){ m->stamp, m->ncuts };
    for (uint32_t i = 0; i < n; i++)
        m->cut[(uint64_t)m->ncuts * n + i] = cut[i];
    for (uint32_t i = 0; i <= n; i++)
        m->cost[m->ncuts * (n + 1) + i] = UNKNOWN_COST;
    m->ncuts++;
    if (m->ncuts > m->nbuckets / 2 && m->nbuckets < BUCKETS)
        enlarge(m);
    return m->ncuts - 1;
}

/* Records that the cell can be reached at this cost. `more` is 1 if that is one more than the current cost,
 * otherwise 0. */
static void reach(struct hd_minpreempt *m, uint32_t cell, uint32_t cost, uint32_t more)
{
    if (m->cost[cell] <= cost)
        return;
    m->cost[cell] = (uint8_t)cost;
    more ^= m->now;
    m->list[more][m->nlist[more]++] = cell;
}

/* Returns how many steps the thread has made at the end of the run (thread_steps.h) to which its next step
 * belongs. */
static uint32_t end_of_run(const struct hd_minpreempt *m, hd_tid t, uint32_t done)
{
    uint32_t step = hd_cut_step(m, t, done);

    if (step == HD_CUT_EXTRA)
        return done + 1;
    uint32_t end = m->steps.of[hd_cut_step(m, t, m->steps.of[step].run - 1)].end;

    if (end > m->known[t])
        end = m->known[t];
    return done < m->goal[t] && end > m->goal[t] ? m->goal[t] : end;
}

static bool is_reached(const struct hd_minpreempt *m, const uint32_t *cut)
{
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        if (cut[t] < m->goal[t])
            return false;
    return true;
}

/* Rule P4: lets the thread make steps as long as it need not be left.  Stops where the goal is reached. */
static void advance(struct hd_minpreempt *m, uint32_t *cut, hd_tid t)
{
    do {
        cut[t] = end_of_run(m, t, cut[t]);
        m->work++;
    } while (must_go_on(m, cut, t) && !is_reached(m, cut));
}

/* Rule P5: true if resuming the thread would achieve nothing in its first run. */
static bool is_useless(struct hd_minpreempt *m, const uint32_t *cut, hd_tid t)
{
    uint32_t end = end_of_run(m, t, cut[t]);

    return is_in_vain(m, t, cut[t], end) && !hd_cut_is_ready(m, cut, t, end);
}

/* Lets thread t continue from the cut, and records the cell that it reaches.  Returns false if there are too
 * many cuts. */
static bool go_on(struct hd_minpreempt *m, uint32_t from, hd_tid t, bool resumed, uint32_t cost)
{
    uint32_t n = m->q->nthreads;
    static uint32_t cut[HD_MAX_THREADS]; /* the stacks of the program's threads are to stay small */

    m->work++;
    if (!hd_cut_is_next(m, &m->cut[(uint64_t)from * n], t) ||
        (resumed && is_useless(m, &m->cut[(uint64_t)from * n], t)))
        return true;
    uint32_t done = m->cut[(uint64_t)from * n + t];

    for (uint32_t i = 0; i < n; i++)
        cut[i] = m->cut[(uint64_t)from * n + i];
    cut[t] = done; /* repeated, because the compiler does not know that t < n */
    advance(m, cut, t);
    while (resumed && is_in_vain(m, t, done, cut[t])) {
        if (!hd_cut_is_next(m, cut, t))
            return true;
        advance(m, cut, t);
    }
    uint32_t to = find_cut(m, cut);

    if (to == UINT32_MAX)
        return false;
    reach(m, to * (n + 1) + t, cost, 0);
    return true;
}

/* Finds the cells that can be reached directly from this one.  Returns false if there are too many cuts. */
static bool expand(struct hd_minpreempt *m, uint32_t cell, uint32_t cost)
{
    uint32_t n = m->q->nthreads;
    uint32_t cut = cell / (n + 1), who = cell % (n + 1);

    if (who < n) {
        if (must_go_on(m, &m->cut[(uint64_t)cut * n], (hd_tid)who)) /* only at the first cell of a query */
            return go_on(m, cut, (hd_tid)who, false, cost);
        uint32_t price = hd_cut_price(m, &m->cut[(uint64_t)cut * n], (hd_tid)who);
        uint32_t more = price == 1 && !hd_cut_is_due(m, (hd_tid)who, m->cut[(uint64_t)cut * n + who]);

        if (price != HD_CUT_NEVER && cost + more <= m->most)
            reach(m, cut * (n + 1) + n, cost + more, more);
        if (price == 0)
            return true; /* the thread can be resumed from the cell without a last thread */
        return go_on(m, cut, (hd_tid)who, false, cost);
    }
    for (uint32_t t = 0; t < n; t++)
        if (!go_on(m, cut, (hd_tid)t, true, cost))
            return false;
    return true;
}

enum passed { NOT_YET, REACHED, TOO_MANY_CUTS, TOO_MANY_CELLS };

/* Processes all cells of this cost.  If the goal is the cut of a place, its cells are added to m->next. */
static enum passed one_cost(struct hd_minpreempt *m, uint32_t cost, bool place)
{
    uint32_t n = m->q->nthreads;

    while (m->nlist[m->now] > 0) {
        uint32_t cell = m->list[m->now][--m->nlist[m->now]], who = cell % (n + 1);
        const uint32_t *cut = &m->cut[(uint64_t)(cell / (n + 1)) * n];

        if (m->cost[cell] != cost)
            continue; /* the cell was also reached at a lower cost */
        if (who < n && is_reached(m, cut)) {
            m->last = (hd_tid)who;
            if (!place)
                return REACHED;
            if (!hd_cut_add_cell(m, cut, (hd_tid)who, cost))
                return TOO_MANY_CELLS;
            continue;
        }
        if (m->cost[cell - who + n] <= cost && who < n)
            continue; /* the cell without a last thread has at most the same cost, and can resume the thread */
        if (!expand(m, cell, cost))
            return TOO_MANY_CUTS;
    }
    m->now ^= 1;
    return place && m->next.n > 0 && (m->next.nloose == 0 || cost == m->most) ? REACHED : NOT_YET;
}

static void empty_table(struct hd_minpreempt *m)
{
    m->ncuts = m->now = m->nlist[0] = m->nlist[1] = 0;
    m->nbuckets = FEW_BUCKETS;
    if (++m->stamp != 0)
        return;
    for (uint32_t i = 0; i < BUCKETS; i++)
        m->bucket[i].stamp = 0;
    m->stamp = 1;
}

/* Starts from those cells of m->now_at that have this cost.  Returns false if there are too many cuts. */
static bool start(struct hd_minpreempt *m, uint32_t cost)
{
    const struct hd_minpreempt_place *p = &m->now_at;
    static uint32_t cut[HD_MAX_THREADS];

    for (uint32_t i = 0; i < p->n; i++) {
        if (p->cell[i].cost != cost)
            continue;
        for (uint32_t t = 0; t < m->q->nthreads; t++)
            cut[t] = m->from[t];
        for (uint32_t k = 0; k < p->nloose; k++)
            cut[p->loose[k]] -= p->cell[i].lacks[k];
        uint32_t at = find_cut(m, cut);

        if (at == UINT32_MAX)
            return false;
        HD_SET_EACH(t, &p->cell[i].last)
            reach(m, at * (m->q->nthreads + 1) + t, cost, 0);
    }
    return true;
}

/* Finds the cheapest way from m->now_at to the goal, and stores its cost in *cost. `place` tells that the goal
 * is the cut of a place. */
static enum passed pass(struct hd_minpreempt *m, bool place, uint32_t *cost)
{
    enum passed passed = NOT_YET;

    empty_table(m);
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->vain[t][0].from = m->vain[t][1].from = UINT32_MAX;
    for (*cost = m->now_at.cell[0].cost; *cost <= m->most; ++*cost) {
        passed = start(m, *cost) ? one_cost(m, *cost, place) : TOO_MANY_CUTS;
        if (passed != NOT_YET)
            break;
    }
    return passed;
}

/* Finds the cheapest way from m->now_at to the end, using at most `few` cuts. */
static enum passed finish(struct hd_minpreempt *m, uint32_t few, uint32_t *cost)
{
    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->goal[t] = m->count[t];
    m->few = few;
    enum passed passed = pass(m, false, cost);

    m->few = UINT32_MAX;
    return passed;
}

/* Makes all places (P8) after m->now_at, which comes after `steps` steps of the trace, and stores their cells.
 * After a place with too many cells, the distance to the next one is doubled. */
static enum passed make_places(struct hd_minpreempt *m, uint32_t steps)
{
    uint32_t cost, far = m->apart;

    for (uint32_t to = steps + far; to <= m->q->nsteps - (m->q->extra == NULL); to += far) {
        for (; steps < to; steps++)
            m->all[m->trace->step[steps].tid]++;
        enum passed passed = hd_cut_aim(m) ? pass(m, true, &cost) : TOO_MANY_CELLS;

        if (passed == TOO_MANY_CUTS || passed == NOT_YET)
            return passed;
        if (passed == TOO_MANY_CELLS) {
            far *= 2;
            m->rest = REST;
            continue;
        }
        far = m->apart;
        hd_cut_keep_place(m, to);
        for (uint32_t t = 0; t < m->q->nthreads; t++)
            m->from[t] = m->all[t];
    }
    return REACHED;
}

static uint32_t programme(struct hd_minpreempt *m)
{
    uint32_t cost, at = hd_cut_find_start(m);
    bool places = !m->forgets && m->trace->exec->waits == 0 && m->rest == 0 &&
                  m->q->nsteps > at + 2 * m->apart;
    uint32_t patience = at == 0 || m->q->nsteps > at + m->patience ? m->patience : m->patience / SOON;

    for (uint32_t t = 0; t < m->q->nthreads; t++)
        m->from[t] = m->all[t];
    m->rest -= m->rest > 0;
    enum passed passed = finish(m, places ? patience : UINT32_MAX, &cost);

    if (passed == TOO_MANY_CUTS && places) {
        passed = make_places(m, at);
        if (passed == REACHED)
            passed = finish(m, UINT32_MAX, &cost);
    }
    return passed == TOO_MANY_CUTS ? UINT32_MAX : passed == REACHED ? cost : m->most + 1;
}

uint32_t hd_minpreempt(struct hd_minpreempt *m, const struct hd_minpreempt_query *q)
{
    HD_INVARIANT(q->nsteps <= m->trace->nsteps && q->nthreads <= m->trace->nthreads,
                 "a query about more than the trace has");
    m->q = q;
    m->estimated = m->unsure = false;
    m->last = HD_NO_TID;
    count_steps(m);
    if (q->extra != NULL)
        clock_of_extra(m);
    hd_cut_look_at_pending(m);
    uint32_t least = compulsory(m);

    if (least > q->bound)
        return q->bound + 1;
    m->most = q->bound - least;
    uint32_t more = m->most <= MAX_BOUND ? programme(m) : UINT32_MAX;

    m->estimated = more == UINT32_MAX || m->unsure;
    return more == UINT32_MAX ? least : least + more;
}
