/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder.c - computes a topological order of the operations, greedily.  An operation comes after the earlier
 * operations of its thread, and after the earlier ones of other threads that conflict with it. */
#include "shrink/reorder.h"

#include <stdlib.h>

#include "base/memory.h"
#include "shrink/steps.h"

enum { WORD = 64 };

struct order {
    struct hd_shrink_steps steps;
    uint32_t n;        /* number of operations that ran */
    uint32_t *waits;   /* by operation: number of earlier conflicting operations of other threads that are not
                        * yet placed */
    uint32_t *next;    /* by operation: the next operation of its thread; n: none */
    uint64_t *after;   /* by operation: the set of later operations that wait for it */
    size_t words;      /* number of words of such a set */
    uint32_t head[HD_MAX_THREADS]; /* by thread: its first operation that is not yet placed; n: none */
    uint32_t left;     /* number of operations that are not yet placed */
};

static void find_conflicts(struct order *o)
{
    const struct hd_shrink_op *op = o->steps.op;
    struct hd_cause_part x, y;

    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t j = i + 1; j < o->n; j++)
            if (op[i].tid != op[j].tid && hd_shrink_conflict(&o->steps, &op[i], &op[j], &x, &y)) {
                o->after[i * o->words + j / WORD] |= UINT64_C(1) << j % WORD;
                o->waits[j]++;
            }
}

static void link_threads(struct order *o)
{
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        o->head[t] = o->n;
    for (uint32_t i = o->n; i-- > 0;) {
        hd_tid tid = o->steps.op[i].tid;

        o->next[i] = o->head[tid];
        o->head[tid] = i;
    }
}

/* True if operation i can be placed now.  The operation in which the execution failed must stay the last one,
 * because it may depend on more than the recorded events show. */
static bool is_ready(const struct order *o, uint32_t i)
{
    return i < o->n && o->waits[i] == 0 && (i + 1 < o->n || o->left == 1);
}

static uint32_t run_length(const struct order *o, uint32_t i)
{
    uint32_t length = 0;

    for (; is_ready(o, i); i = o->next[i])
        length++;
    return length;
}

static uint32_t choose(const struct order *o, enum hd_reorder how)
{
    uint32_t best = o->n, longest = 0;

    for (uint32_t t = 0; t < o->steps.of->nthreads; t++) {
        uint32_t i = o->head[t], length = run_length(o, i);

        if (length > 0 && (best == o->n || (how == HD_REORDER_LONGEST ? length > longest : i < best))) {
            best = i;
            longest = length;
        }
    }
    return best;
}

/* Writes the step of the operation, and the choices that its thread made in it.  Returns the number of steps
 * written. */
static uint32_t place(struct order *o, uint32_t i, struct hd_decision *out)
{
    const struct hd_failure *f = o->steps.of;
    uint32_t step = o->steps.op[i].step, n = 0;

    do
        out[n++] = f->steps[step++];
    while (step < f->nsteps && f->steps[step].alternatives != 0);
    for (size_t w = 0; w < o->words; w++)
        for (uint64_t set = o->after[i * o->words + w]; set != 0; set &= set - 1)
            o->waits[w * WORD + (unsigned)__builtin_ctzll(set)]--;
    o->head[o->steps.op[i].tid] = o->next[i];
    o->left--;
    return n;
}

static bool prepare(struct order *o, const struct hd_failure *f)
{
    hd_shrink_steps_init(&o->steps, f);
    o->n = o->left = o->steps.nran;
    for (uint32_t i = 0; i < o->n; i++)
        if (o->steps.op[i].tid == HD_NO_TID)
            return false;
    o->words = (o->n + WORD - 1) / WORD;
    o->waits = hd_zeroed((size_t)o->n + 1, sizeof *o->waits);
    o->next = hd_zeroed((size_t)o->n + 1, sizeof *o->next);
    o->after = hd_zeroed((size_t)o->n * o->words + 1, sizeof *o->after);
    find_conflicts(o);
    link_threads(o);
    return true;
}

uint32_t hd_reorder(const struct hd_failure *f, enum hd_reorder how, struct hd_decision *out)
{
    struct order o = { 0 };
    uint32_t n = 0;

    if (f->nsteps > HD_REORDER_MAX || f->nevents == 0)
        return 0;
    if (prepare(&o, f)) {
        while (n < f->nsteps && f->steps[n].alternatives != 0) { /* choices before the first operation */
            out[n] = f->steps[n];
            n++;
        }
        for (uint32_t i = choose(&o, how); i < o.n; i = is_ready(&o, o.next[i]) ? o.next[i] : choose(&o, how))
            n += place(&o, i, out + n);
    }
    hd_shrink_steps_free(&o.steps);
    free(o.waits);
    free(o.next);
    free(o.after);
    return n;
}
