/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt.h - the least number of preemptions with which a partial order can be
 * executed: over all sequences that are equivalent to a given one.
 *
 * A dynamic programme over cuts (sets of steps that are closed under happens-before,
 * one number per thread) and the thread that ran last.  Going on with a thread costs
 * nothing; leaving it costs 1 if it could go on at that cut and has not just yielded.
 * Whether it could is a property of the cut, not of the sequence that was observed:
 * the automata of the objects decide.  Only cuts that cost no more than the bound are
 * visited.
 *
 * P1  Of a prefix: a thread without further steps in it is left for nothing where its
 *     pending operation may still follow at once in a longer execution: unless that
 *     conflicts with something behind the cut.  This holds only for threads whose last
 *     step happens before another one; what the others have pending counts as unknown,
 *     since one of them is the thread that ran last, and the number must be the same
 *     whichever it was.  So it never falls when an execution grows, and is the same for
 *     all sequences of a class.
 * P2  Of a real sequence (an execution that is over, or one that is to be counted as
 *     it stands): such a thread is left for nothing only if its pending operation
 *     cannot run at that cut.
 * P3  When there are too many cuts, a lower bound takes its place, and `estimated`
 *     says so: whoever prunes by it loses nothing. */
#ifndef HD_SEARCH_POR_MINPREEMPT_H
#define HD_SEARCH_POR_MINPREEMPT_H

#include "search/por/reversal.h"

#define HD_MINPREEMPT_CELLS 1000000u

/* A step that comes behind those of the trace. */
struct hd_minpreempt_extra {
    const struct hd_step *step;
    const struct hd_step *other; /* what it does if its attempt ends the other way, or NULL */
    hd_tid tid;
    uint32_t before; /* its thread's step before it, or its creation; HD_NO_STEP */
    const struct hd_event *op;
};

struct hd_minpreempt_query {
    uint32_t nsteps;   /* the first so many of the trace */
    uint32_t nthreads;
    hd_tid first;      /* the thread that counts as last at the start */
    uint32_t bound;    /* more than this is all that is to be known */
    const struct hd_minpreempt_extra *extra; /* NULL none */
    const struct hd_event *pending; /* [nthreads], behind the nsteps */
    bool real;         /* P2; else P1 */
    /* Had the thread of this step yielded after it? */
    bool (*yields)(const void *ctx, uint32_t step);
    const void *ctx;
};

struct hd_minpreempt {
    struct hd_trace *trace;
    const struct hd_minpreempt_query *q;
    struct hd_automaton lock, queue;
    uint32_t limit;       /* of cells; tests make it small */
    bool estimated;       /* the answer is a lower bound (P3) */
    hd_tid last;          /* the thread that ran last in a cheapest sequence; HD_NO_TID unknown */
    uint32_t base[HD_MAX_THREADS + 1]; /* of a thread's steps in `at` */
    uint32_t *at;         /* [HD_TRACE_STEPS + 1]: steps by thread */
    struct hd_set awaits; /* threads without further steps whose pending operation is known */
    uint32_t *follows;    /* [nthreads][nthreads]: of each of them, the last step of each
                           * thread that conflicts with that operation, from 1 */
    uint32_t *extra_clock; /* [HD_MAX_THREADS] */
    uint32_t *touching;   /* [HD_TRACE_STEPS]: steps in the cut with the objects in question */
    uint32_t ncuts;
    uint16_t *cut;        /* [ncuts][nthreads] */
    uint8_t *cost;        /* [ncuts][nthreads + 1] */
    struct hd_minpreempt_bucket *bucket;
    uint32_t stamp;
    uint32_t *list[2];    /* cells of this cost, at `now`, and of the next */
    uint32_t nlist[2];
    uint32_t now;
};

void hd_minpreempt_init(struct hd_minpreempt *m, struct hd_trace *t, struct hd_arena *arena);

/* The least number, or bound + 1 when it is more than the bound. */
uint32_t hd_minpreempt(struct hd_minpreempt *m, const struct hd_minpreempt_query *q);

#endif
