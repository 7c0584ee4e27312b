/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shrink.c - greedy reduction by blocks.  A block is what one thread does between two
 * switches.
 *
 * The order of candidates only influences how long it takes.  First the end of the schedule is omitted, because
 * the default schedule that replaces it has no preemptions.  Then the steps are put into an equivalent order
 * with fewer switches (reorder.h).  Then sequences of blocks are removed, long ones first, as in delta
 * debugging.  Then each block is joined with the next one of its thread, by moving either of them (N. Jalbert
 * and K. Sen, "A trace simplification technique for effective debugging of concurrent programs", 2010);
 * finally single steps are removed.  Each better schedule becomes the new starting point. */
#include "shrink/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shrink/reorder.h"

struct block {
    uint32_t first, n;
    uint16_t slot;
};

struct shrinker {
    hd_try_fn *try;
    void *ctx;
    struct hd_shrunk best;
    struct block *block; /* blocks of the best schedule */
    uint32_t nblocks;
    struct hd_decision *plan; /* the candidate */
    uint32_t nplan;
    bool over;
};

static void *allocate(size_t n, size_t each)
{
    void *p = hd_zeroed(n + 1, each);

    return p;
}

/* ---- measuring ---------------------------------------------------------------------------- */

struct hd_measure hd_measure(const struct hd_tried *t)
{
    struct hd_measure m = { .preemptions = t->preemptions, .steps = t->nsteps };
    const struct hd_decision *last = NULL;

    for (const struct hd_decision *d = t->steps; d < t->steps + t->nsteps; d++) {
        if (d->alternatives != 0) {
            m.choices += d->chosen != 0;
            continue;
        }
        m.switches += last != NULL && last->chosen != d->chosen;
        last = d;
    }
    return m;
}

bool hd_measure_less(const struct hd_measure *a, const struct hd_measure *b)
{
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    if (a->switches != b->switches)
        return a->switches < b->switches;
    if (a->steps != b->steps)
        return a->steps < b->steps;
    return a->choices < b->choices;
}

/* ---- the best schedule so far ---- */

/* Divides the best schedule into blocks.  A choice belongs to the block in which it is made. */
static void find_blocks(struct shrinker *s)
{
    s->nblocks = 0;
    for (uint32_t i = 0; i < s->best.nsteps; i++) {
        const struct hd_decision *d = &s->best.steps[i];
        struct block *last = s->nblocks > 0 ? &s->block[s->nblocks - 1] : NULL;

        if (last != NULL && (d->alternatives != 0 || last->slot == d->chosen))
            last->n++;
        else
            s->block[s->nblocks++] = (struct block){ i, 1, d->alternatives == 0 ? d->chosen : 0 };
    }
}

static void adopt(struct shrinker *s, const struct hd_tried *t, const struct hd_measure *m)
{
    free(s->best.steps);
    free(s->block);
    free(s->plan);
    s->best = (struct hd_shrunk){ allocate(t->nsteps, sizeof *t->steps), t->nsteps, *m };
    memcpy(s->best.steps, t->steps, t->nsteps * sizeof *t->steps);
    s->block = allocate(t->nsteps, sizeof *s->block);
    s->plan = allocate(t->nsteps, sizeof *s->plan);
    find_blocks(s);
}

/* ---- candidates ---------------------------------------------------------------------------- */

static void put(struct shrinker *s, uint32_t first, uint32_t n)
{
    memcpy(s->plan + s->nplan, s->best.steps + first, n * sizeof *s->plan);
    s->nplan += n;
}

static void put_blocks(struct shrinker *s, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        put(s, s->block[i].first, s->block[i].n);
}

/* Runs the candidate.  Returns true if it is better than the best one, which it then replaces. */
static bool is_better(struct shrinker *s)
{
    struct hd_tried t;
    uint32_t n = s->nplan;

    s->nplan = 0;
    if (s->over || !s->try(s->ctx, s->plan, n, &t)) {
        s->over = true;
        return false;
    }
    struct hd_measure m = hd_measure(&t);

    if (!t.same || !hd_measure_less(&m, &s->best.measure))
        return false;
    adopt(s, &t, &m);
    return true;
}

/* Finds the shortest prefix that fails without the rest.  If there are many, tries only some lengths. */
static bool leave_off_end(struct shrinker *s)
{
    for (uint32_t n = 0; n < s->nblocks && !s->over; n = n < 8 ? n + 1 : n + n / 4) {
        put_blocks(s, 0, n);
        if (is_better(s))
            return true;
    }
    return false;
}

/* Runs the best schedule again to obtain its events.  Computes both orders before either one is run, because a
 * run overwrites the events. */
static bool reorder(struct shrinker *s)
{
    struct hd_tried t;
    struct hd_decision *plan[HD_REORDERS];
    uint32_t n[HD_REORDERS];
    bool better = false;

    if (s->over || !s->try(s->ctx, s->best.steps, s->best.nsteps, &t)) {
        s->over = true;
        return false;
    }
    struct hd_failure f = { .steps = s->best.steps, .nsteps = s->best.nsteps, .events = t.events,
                            .nevents = t.same ? t.nevents : 0, .threads = t.threads, .nthreads = t.nthreads };

    for (int how = 0; how < HD_REORDERS; how++) {
        plan[how] = allocate(f.nsteps, sizeof *plan[how]);
        n[how] = hd_reorder(&f, (enum hd_reorder)how, plan[how]);
    }
    for (int how = 0; how < HD_REORDERS; how++) {
        if (n[how] > 0) {
            s->plan = hd_resized(s->plan, n[how], sizeof *s->plan);
            memcpy(s->plan, plan[how], n[how] * sizeof *s->plan);
            s->nplan = n[how];
            better |= is_better(s);
        }
        free(plan[how]);
    }
    return better;
}

static bool leave_out(struct shrinker *s, uint32_t first, uint32_t n)
{
    put_blocks(s, 0, first);
    put_blocks(s, first + n, s->nblocks);
    return is_better(s);
}

static bool leave_out_blocks(struct shrinker *s)
{
    bool better = false;

    for (uint32_t n = s->nblocks / 2; n > 0 && !s->over; n /= 2)
        for (uint32_t i = 0; i + n <= s->nblocks && !s->over;)
            if (leave_out(s, i, n))
                better = true;
            else
                i += n;
    return better;
}

static uint32_t next_of_thread(const struct shrinker *s, uint32_t i)
{
    uint32_t k = i + 1;

    while (k < s->nblocks && s->block[k].slot != s->block[i].slot)
        k++;
    return k;
}

/* Moves the next block of the thread directly after this one or, with `wait`, this one directly before the
 * next. */
static bool join(struct shrinker *s, uint32_t i, bool wait)
{
    uint32_t next = next_of_thread(s, i);

    if (next == s->nblocks)
        return false;
    put_blocks(s, 0, i);
    if (wait) {
        put_blocks(s, i + 1, next);
        put_blocks(s, i, i + 1);
        put_blocks(s, next, next + 1);
    } else {
        put_blocks(s, i, i + 1);
        put_blocks(s, next, next + 1);
        put_blocks(s, i + 1, next);
    }
    put_blocks(s, next + 1, s->nblocks);
    return is_better(s);
}

static bool join_blocks(struct shrinker *s)
{
    bool better = false;

    for (uint32_t i = 0; i < s->nblocks && !s->over;)
        if (join(s, i, false) || join(s, i, true))
            better = true;
        else
            i++;
    return better;
}

/* Removes the last steps of a block: half of them, a quarter, and so on down to one. */
static bool shorten(struct shrinker *s, uint32_t i)
{
    for (uint32_t n = s->block[i].n / 2; n > 0 && !s->over; n /= 2) {
        put_blocks(s, 0, i);
        put(s, s->block[i].first, s->block[i].n - n);
        put_blocks(s, i + 1, s->nblocks);
        if (is_better(s))
            return true;
    }
    return false;
}

static bool shorten_blocks(struct shrinker *s)
{
    bool better = false;

    for (uint32_t i = 0; i < s->nblocks && !s->over;)
        if (shorten(s, i))
            better = true;
        else
            i++;
    return better;
}

static bool clear_choices(struct shrinker *s)
{
    bool better = false;

    for (uint32_t i = 0; i < s->best.nsteps && !s->over; i++) {
        if (s->best.steps[i].alternatives == 0 || s->best.steps[i].chosen == 0)
            continue;
        put(s, 0, s->best.nsteps);
        s->plan[i].chosen = 0;
        better |= is_better(s);
    }
    return better;
}

/* Tries each reduction once.  Returns false if nothing changed or the time is over. */
static bool improve(struct shrinker *s)
{
    bool better = reorder(s);

    better |= leave_out_blocks(s);
    better |= join_blocks(s);
    better |= shorten_blocks(s);
    better |= clear_choices(s);
    return better && !s->over;
}

void hd_shrink(hd_try_fn *try, void *ctx, const struct hd_decision *plan, uint32_t n,
               struct hd_shrunk *out)
{
    struct shrinker s = { .try = try, .ctx = ctx };
    struct hd_tried t;

    if (try(ctx, plan, n, &t) && t.same) {
        struct hd_measure m = hd_measure(&t);

        adopt(&s, &t, &m);
        while (leave_off_end(&s))
            ;
        while (improve(&s))
            ;
    }
    free(s.block);
    free(s.plan);
    *out = s.best;
}
