/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.c - the neighbours of a failing execution: in each of them one pair of operations
 * that touch the same object has the other order, and all else is as it was, as far as it
 * fits.  Of those that pass, the nearest is the one in which the fewest operations changed
 * places; what it reversed is what matters.
 *
 * An operation that came between two of another thread shows in two pairs: moved before
 * the first, or behind the second, it does no harm. */
#include "shrink/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "shrink/steps.h"

enum { PER_THREAD = 3 }; /* earlier operations of each other thread that are tried */

struct pair {
    uint32_t i, j;     /* operations, i before j */
    uint64_t distance; /* operations that change places */
    struct hd_cause_part x, y;
};

struct finder {
    hd_try_fn *try;
    void *ctx;
    struct hd_shrink_steps steps;
    struct hd_decision *plan;
    uint32_t nplan;
    uint32_t tried;
    bool over;
};

/* ---- one neighbour ---------------------------------------------------------------------------- */

static bool passes(struct finder *f, struct hd_tried *t)
{
    uint32_t n = f->nplan;

    f->nplan = 0;
    if (f->over || f->tried == HD_CAUSE_TRIES || !f->try(f->ctx, f->plan, n, t)) {
        f->over = true;
        return false;
    }
    f->tried++;
    return t->clean;
}

static bool is_of(const struct finder *f, uint32_t step, unsigned slot)
{
    const struct hd_decision *d = f->steps.of->steps;

    while (d[step].alternatives != 0 && step > 0)
        step--; /* a choice is made by who ran before it */
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

/* Everything as it was, but the thread of a stands still before it until b is done; or, and
 * then the rest is left open, until the thread of b can go no further: what it does behind b
 * may belong together. */
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

/* At which step the thread made its nth; UINT32_MAX: it did not. */
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

/* Pairs of operations that change places. */
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

/* The nearest pair (i, j) with that j that passes, if nearer than the best one. */
static void look_before(struct finder *f, uint32_t j, struct pair *best, bool *found)
{
    uint8_t seen[HD_MAX_THREADS] = { 0 };
    uint32_t from = j < f->steps.nran ? j : f->steps.nran;
    struct pair p;

    for (uint32_t i = from; i-- > 0 && !f->over;) {
        hd_tid tid = f->steps.op[i].tid;

        if (!may_reverse(f, i, j, &p) || seen[tid] == PER_THREAD)
            continue;
        seen[tid]++;
        p.distance = distance(f, i, j);
        if ((*found && p.distance >= best->distance) || !reversal_passes(f, i, j))
            continue;
        *best = p;
        *found = true;
    }
}

static bool find_pair(struct finder *f, struct pair *best)
{
    bool found = false;

    for (uint32_t j = f->steps.nops; j-- > 0 && !f->over;)
        look_before(f, j, best, &found);
    return found;
}

/* The operation of that thread, before or behind another one, that conflicts with it. */
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
    } else {
        out->how = HD_CAUSE_BEFORE;
        out->part[0] = p->x;
        out->part[1] = p->y;
    }
}

/* ---- where no pair tells ---------------------------------------------------------------------- */

/* Another value of a choice. */
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

/* What threads do to each other without any object that both touch: what one does up to a
 * switch against what the other does behind it. */
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
        out->part[0] = hd_shrink_part(&op[k - 1]);
        out->part[1] = hd_shrink_part(&op[k]);
        return true;
    }
    return false;
}

void hd_cause_find(hd_try_fn *try, void *ctx, const struct hd_failure *of, struct hd_cause *out)
{
    struct finder f = { .try = try, .ctx = ctx };
    struct pair best;

    *out = (struct hd_cause){ .how = HD_CAUSE_UNKNOWN };
    hd_shrink_steps_init(&f.steps, of);
    f.plan = calloc((size_t)of->nsteps + 2, sizeof *f.plan);
    HD_INVARIANT(f.plan != NULL, "out of memory");
    if (find_pair(&f, &best))
        tell_pair(&f, &best, out);
    else if (!find_choice(&f, out) && !find_switch(&f, out) && f.tried > 0)
        out->how = HD_CAUSE_ALWAYS;
    out->tried = f.tried;
    free(f.plan);
    hd_shrink_steps_free(&f.steps);
}
