/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.c - finds the order of two operations that makes an execution fail, by running
 * neighbours of the failing execution.  A neighbour reverses one pair of operations on the
 * same object and keeps everything else as far as possible.  The nearest passing neighbour
 * is the one in which the fewest operations change places; the pair that it reverses is the
 * cause.
 *
 * A long execution has more pairs than can be tried, and most of them come after the point at which the failure
 * became inevitable.  So that point is searched first, by leaving more and more of the end unplanned, and pairs
 * near it are tried first.
 *
 * If the failure needs an operation to come between two operations of another thread, two pairs show it: moving
 * the operation before the first one, and moving it after the second one, both avoid the failure.
 *
 * If no such neighbour passes, each thread in turn is delayed as long as the others can run
 * without it, which reverses many pairs at once.  An order is named only if a passing
 * execution reversed it. */
#include "shrink/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shrink/steps.h"

enum {
    PER_THREAD = 3, /* for each other thread, this many earlier operations are tried first */
    FOR_PAIRS = HD_CAUSE_TRIES / 10 * 8, /* attempts reserved for pairs; the others are for the other methods */
    ROUNDS = 2,     /* when a thread is delayed, the others get this many rounds, because the first of them may
                     * wait for the last */
    LONGER = 16,    /* number of steps that a thread may make beyond the length of the failing execution */
};

struct pair {
    uint32_t i, j;     /* two operations, i before j */
    uint64_t distance; /* number of operation pairs that change places */
    struct hd_cause_part x, y;
};

struct finder {
    hd_try_fn *try;
    void *ctx;
    struct hd_shrink_steps steps;
    struct hd_decision *plan;
    uint32_t nplan;
    uint32_t tried, limit;
    bool passes; /* the last execution that was tried passed */
    bool over;   /* no more attempts until the limit is raised */
};

/* ---- one neighbour ---------------------------------------------------------------------------- */

static bool passes(struct finder *f, struct hd_tried *t)
{
    uint32_t n = f->nplan;

    f->nplan = 0;
    if (f->over || f->tried == f->limit || !f->try(f->ctx, f->plan, n, t)) {
        f->over = true;
        return false;
    }
    f->tried++;
    f->passes |= t->clean;
    return t->clean;
}

static bool is_of(const struct finder *f, uint32_t step, unsigned slot)
{
    const struct hd_decision *d = f->steps.of->steps;

    while (d[step].alternatives != 0 && step > 0)
        step--; /* a choice belongs to the thread that ran before it */
    return d[step].chosen == slot;
}

static void put_if(struct finder *f, uint32_t from, uint32_t end, unsigned slot, bool its)
{
    for (uint32_t k = from; k < end; k++)
        if (is_of(f, k, slot) == its)
            f->plan[f->nplan++] = f->steps.of->steps[k];
}

static void put(struct finder *f, uint32_t from, uint32_t end)
{
    if (end > from)
        memcpy(f->plan + f->nplan, f->steps.of->steps + from, (end - from) * sizeof *f->plan);
    f->nplan += end > from ? end - from : 0;
}

/* Plans the execution in which the thread of a is delayed before a until b is done.  If `open` is set, the rest
 * is not planned; the thread of b then continues as far as it can, because its operations after b may belong
 * together with b. */
static void plan_reversal(struct finder *f, const struct hd_shrink_op *a, const struct hd_shrink_op *b,
                          bool open)
{
    uint32_t n = f->steps.of->nsteps, end = b->step < n ? b->step + 1 : n;

    put(f, 0, a->step);
    put_if(f, a->step, end, a->slot, false);
    if (b->step == n)
        f->plan[f->nplan++] = (struct hd_decision){ .chosen = b->slot };
    if (open)
        return;
    put_if(f, a->step, end, a->slot, true);
    put(f, end, n);
}

/* Returns the position, in the execution t, of the step of operation a; UINT32_MAX if it was not executed. */
static uint32_t position(const struct hd_tried *t, const struct hd_shrink_op *a)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->nsteps; i++)
        if (t->steps[i].alternatives == 0 && t->steps[i].chosen == a->slot && n++ == a->nth)
            return i;
    return UINT32_MAX;
}

static bool reversal_passes(struct finder *f, uint32_t i, uint32_t j)
{
    const struct hd_shrink_op *a = &f->steps.op[i], *b = &f->steps.op[j];
    struct hd_tried t;

    for (int open = 0; open < 2; open++) {
        plan_reversal(f, a, b, open != 0);
        if (passes(f, &t) && position(&t, b) < position(&t, a))
            return true;
    }
    return false;
}

/* Returns the number of pairs of operations that change places. */
static uint64_t distance(const struct finder *f, uint32_t i, uint32_t j)
{
    const struct hd_shrink_op *op = f->steps.op;
    uint64_t waiting = 0, sum = 0;

    for (uint32_t k = i; k <= j; k++)
        if (op[k].slot == op[i].slot)
            waiting++;
        else if (k < f->steps.nran || k == j)
            sum += waiting;
    return sum;
}

/* ---- pairs -------------------------------------------------------------------------------------- */

static bool may_reverse(const struct finder *f, uint32_t i, uint32_t j, struct pair *p)
{
    const struct hd_shrink_op *op = f->steps.op;

    *p = (struct pair){ .i = i, .j = j };
    return op[i].slot != op[j].slot &&
           hd_shrink_conflict(&f->steps, &op[i], &op[j], &p->x, &p->y);
}

/* Finds the nearest passing pair (i, j) for this j, if it is nearer than the best one so far.  With `few`,
 * considers only the last few operations of each thread; otherwise only those before them. */
static void look_before(struct finder *f, uint32_t j, bool few, struct pair *best, bool *found)
{
    uint32_t seen[HD_MAX_THREADS] = { 0 };
    uint32_t from = j < f->steps.nran ? j : f->steps.nran;
    struct pair p;

    for (uint32_t i = from; i-- > 0 && !f->over;) {
        hd_tid tid = f->steps.op[i].tid;

        if (!may_reverse(f, i, j, &p) || (seen[tid]++ < PER_THREAD) != few)
            continue;
        p.distance = distance(f, i, j);
        if ((*found && p.distance >= best->distance) || !reversal_passes(f, i, j))
            continue;
        *best = p;
        *found = true;
    }
}

/* True if there are more pairs of the last few operations than can be tried. */
static bool are_too_many(const struct finder *f)
{
    uint32_t n = 0;
    struct pair p;

    for (uint32_t j = f->steps.nops; j-- > 0 && 2 * n <= f->limit;) {
        uint32_t seen[HD_MAX_THREADS] = { 0 };

        for (uint32_t i = j < f->steps.nran ? j : f->steps.nran; i-- > 0 && 2 * n <= f->limit;)
            n += may_reverse(f, i, j, &p) && seen[f->steps.op[i].tid]++ < PER_THREAD;
    }
    return 2 * n > f->limit;
}

static bool passes_up_to(struct finder *f, uint32_t i)
{
    struct hd_tried t;

    put(f, 0, f->steps.op[i].step);
    return passes(f, &t);
}

/* Returns an operation such that the execution passes if everything from that operation on is left unplanned,
 * and fails if it is planned; nops if it never passes. */
static uint32_t turning_point(struct finder *f)
{
    uint32_t good = 0, bad = f->steps.nran;

    if (bad == 0 || !passes_up_to(f, 0))
        return f->steps.nops;
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;

        if (passes_up_to(f, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Searches from the end, or from the turning point in both directions. */
static bool find_pair(struct finder *f, bool few, struct pair *best)
{
    uint32_t n = f->steps.nops, turn = few && are_too_many(f) ? turning_point(f) : n;
    bool found = false;

    if (turn == n)
        for (uint32_t j = n; j-- > 0 && !f->over;)
            look_before(f, j, few, best, &found);
    for (uint32_t k = 0; turn < n && (k <= turn || turn + k < n) && !f->over; k++) {
        if (turn + k < n)
            look_before(f, turn + k, few, best, &found);
        if (k > 0 && k <= turn)
            look_before(f, turn - k, few, best, &found);
    }
    return found;
}

/* Finds the operation of the thread with that slot, before or after another operation, that conflicts with this
 * one. */
static bool partner(const struct finder *f, uint32_t of, unsigned slot, bool before, struct pair *p)
{
    const struct hd_shrink_op *op = f->steps.op;

    if (before) {
        for (uint32_t k = of; k-- > 0;)
            if (op[k].slot == slot && may_reverse(f, k, of, p))
                return true;
        return false;
    }
    for (uint32_t k = of + 1; k < f->steps.nops; k++)
        if (op[k].slot == slot && may_reverse(f, of, k, p))
            return true;
    return false;
}

/* True if an update came between two operations of another thread.  The operation of the update that conflicts
 * with the first of these need not conflict with the second, because the update first reads and later writes.
 * Then another operation of the update, between i and j, is tried. */
static bool is_framed(struct finder *f, const struct pair *p, bool before, struct pair *other)
{
    const struct hd_shrink_op *op = f->steps.op;
    unsigned slot = op[before ? p->i : p->j].slot, by = op[before ? p->j : p->i].slot;

    for (uint32_t n = 1; n < p->j - p->i; n++) {
        uint32_t k = before ? p->i + n : p->j - n;

        if (op[k].slot == slot && k < f->steps.nran && partner(f, k, by, before, other) &&
            (before ? other->i < p->i : other->j > p->j))
            return reversal_passes(f, other->i, other->j);
    }
    return false;
}

static void tell_pair(struct finder *f, const struct pair *p, struct hd_cause *out)
{
    const struct hd_shrink_op *op = f->steps.op;
    struct pair other;

    out->how = HD_CAUSE_BETWEEN;
    if (p->i < f->steps.nran && partner(f, p->i, op[p->j].slot, true, &other) &&
        reversal_passes(f, other.i, other.j)) {
        out->part[0] = other.x;
        out->part[1] = p->x;
        out->part[2] = p->y;
    } else if (p->j < f->steps.nran && partner(f, p->j, op[p->i].slot, false, &other) &&
               reversal_passes(f, other.i, other.j)) {
        out->part[0] = p->x;
        out->part[1] = p->y;
        out->part[2] = other.y;
    } else if (is_framed(f, p, true, &other)) {
        out->part[0] = other.x;
        out->part[1] = other.y;
        out->part[2] = p->y;
    } else if (is_framed(f, p, false, &other)) {
        out->part[0] = p->x;
        out->part[1] = p->y;
        out->part[2] = other.y;
    } else {
        out->how = HD_CAUSE_BEFORE;
        out->part[0] = p->x;
        out->part[1] = p->y;
    }
}

/* ---- causes other than pairs ---- */

/* Tries other values of a choice. */
static bool find_choice(struct finder *f, struct hd_cause *out)
{
    const struct hd_failure *of = f->steps.of;
    struct hd_tried t;

    for (uint32_t i = of->nsteps; i-- > 0 && !f->over;)
        for (uint32_t v = 0; v < of->steps[i].alternatives && !f->over; v++) {
            uint32_t e = f->steps.choice_event[i];

            if (v == of->steps[i].chosen || e == HD_CAUSE_PENDING)
                continue;
            put(f, 0, of->nsteps);
            f->plan[i].chosen = (uint16_t)v;
            if (!passes(f, &t))
                continue;
            out->how = HD_CAUSE_CHOICE;
            out->part[0] = (struct hd_cause_part){ e, of->events[e].tid };
            return true;
        }
    return false;
}

/* Returns the most informative operation in one thread's sequence, searched from `from` to `to`.  Skips the
 * thread's start and end. */
static struct hd_cause_part telling(const struct finder *f, uint32_t from, uint32_t to)
{
    const struct hd_shrink_op *op = f->steps.op;
    uint32_t k = from;

    while (k != to && op[k].nevents > 0) {
        uint16_t kind = f->steps.of->events[op[k].event].kind;

        if (kind != HD_EV_THREAD_START && kind != HD_EV_THREAD_END)
            break;
        k += to > from ? 1 : -1u;
    }
    return hd_shrink_part(&op[k]);
}

/* For threads that influence each other without a common object: tries to reverse one thread's operations
 * before a switch and the other's after it. */
static bool find_switch(struct finder *f, struct hd_cause *out)
{
    const struct hd_shrink_op *op = f->steps.op;

    for (uint32_t k = f->steps.nran; k-- > 1 && !f->over;) {
        uint32_t i = k - 1, j = k;

        if (op[i].slot == op[j].slot)
            continue;
        while (i > 0 && op[i - 1].slot == op[i].slot)
            i--;
        while (j + 1 < f->steps.nran && op[j + 1].slot == op[j].slot)
            j++;
        if (!reversal_passes(f, i, j))
            continue;
        out->how = HD_CAUSE_BEFORE;
        out->part[0] = telling(f, k - 1, i);
        out->part[1] = telling(f, k, j);
        return true;
    }
    return false;
}

/* ---- delaying one thread ---- */

/* Plans the execution up to a, then the other threads as long as they can run, and only then the thread of a. */
static void plan_others_first(struct finder *f, const struct hd_shrink_op *a, bool upwards)
{
    const struct hd_failure *of = f->steps.of;
    uint32_t most = (HD_MAX_STEPS - of->nsteps) / (ROUNDS * of->nthreads);
    uint32_t n = of->nsteps + LONGER < most ? of->nsteps + LONGER : most;

    put(f, 0, a->step);
    for (uint32_t k = 0; k < ROUNDS * of->nthreads; k++) {
        uint32_t t = upwards ? k % of->nthreads : of->nthreads - 1 - k % of->nthreads;

        for (uint32_t i = 0; i < n && of->threads[t].slot != a->slot; i++)
            f->plan[f->nplan++] = (struct hd_decision){ .chosen = of->threads[t].slot };
    }
}

/* Finds the first operation after i that conflicts with it and came before it in the execution t. */
static bool reversed_in(const struct finder *f, const struct hd_tried *t, uint32_t i, struct pair *p)
{
    for (uint32_t j = i + 1; j < f->steps.nops; j++)
        if (may_reverse(f, i, j, p) &&
            position(t, &f->steps.op[j]) < position(t, &f->steps.op[i]))
            return true;
    return false;
}

static bool find_held_back(struct finder *f, struct hd_cause *out)
{
    struct hd_tried t;
    struct pair p;

    for (uint32_t i = f->steps.nran; i-- > 0 && !f->over;)
        for (int upwards = 1; upwards >= 0; upwards--) {
            plan_others_first(f, &f->steps.op[i], upwards != 0);
            if (!passes(f, &t) || !reversed_in(f, &t, i, &p))
                continue;
            out->how = HD_CAUSE_BEFORE;
            out->part[0] = p.x;
            out->part[1] = p.y;
            return true;
        }
    return false;
}

/* ---- memory freed too early ---- */

/* Returns the thread's last operation before that step; nops if there is none. */
static uint32_t last_before(const struct finder *f, hd_tid tid, uint32_t step)
{
    for (uint32_t i = f->steps.nran; i-- > 0;)
        if (f->steps.op[i].tid == tid && f->steps.op[i].step < step)
            return i;
    return f->steps.nops;
}

static bool find_freed(struct finder *f, struct hd_cause *out)
{
    const struct hd_failure *of = f->steps.of;
    uint32_t i, j;

    if (!of->used)
        return false;
    i = last_before(f, of->freer, of->freed_at);
    j = last_before(f, of->user, of->nsteps);
    if (j == f->steps.nops || i >= j || !reversal_passes(f, i, j))
        return false;
    out->how = HD_CAUSE_FREED;
    out->part[0] = hd_shrink_part(&f->steps.op[i]);
    out->part[1] = hd_shrink_part(&f->steps.op[j]);
    return true;
}

/* Allows more attempts for the other methods after the limit for pairs was reached. */
static void raise_limit(struct finder *f)
{
    f->over = f->over && f->tried < f->limit;
    f->limit = HD_CAUSE_TRIES;
}

static void find_any(struct finder *f, struct hd_cause *out)
{
    struct pair best;
    bool found;

    f->limit = FOR_PAIRS;
    if (find_freed(f, out))
        return;
    found = find_pair(f, true, &best);
    raise_limit(f);
    if (found)
        tell_pair(f, &best, out);
    else if (!find_choice(f, out) && !find_switch(f, out) && !find_held_back(f, out)) {
        if (find_pair(f, false, &best))
            tell_pair(f, &best, out);
        else if (f->tried > 0)
            out->how = HD_CAUSE_ALWAYS;
    }
}

static size_t longest_plan(const struct hd_failure *of)
{
    size_t n = of->nsteps + (size_t)ROUNDS * of->nthreads * (of->nsteps + LONGER);

    return (n < HD_MAX_STEPS ? n : HD_MAX_STEPS) + 2; /* plus 2 for plan_others_first */
}

void hd_cause_find(hd_try_fn *try, void *ctx, const struct hd_failure *of, struct hd_cause *out)
{
    struct finder f = { .try = try, .ctx = ctx };

    *out = (struct hd_cause){ .how = HD_CAUSE_UNKNOWN };
    hd_shrink_steps_init(&f.steps, of);
    f.plan = hd_zeroed(longest_plan(of), sizeof *f.plan);
    find_any(&f, out);
    out->tried = f.tried;
    out->cut = f.over;
    out->passes = f.passes;
    free(f.plan);
    hd_shrink_steps_free(&f.steps);
}
