/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt.h - the least number of preemptions with which a partial order can be
 * executed, over all sequences that are equivalent to a given one.
 *
 * A dynamic programme over cuts (sets of steps closed under happens-before, one number per thread) and the thread
 * that ran last.  Continuing with a thread costs nothing.  Leaving it (switching to another thread) costs 1 if it
 * could continue at that cut and has not just yielded.  Whether it could is a property of the cut, not of the
 * observed sequence: the automata of the objects decide.  Only cuts within the bound are visited.
 *
 * P1  For a prefix: leaving a thread without further steps is free if its pending operation
 *     may still follow directly in a longer execution, that is, unless the operation
 *     conflicts with a step after the cut.  This holds only for threads whose last step
 *     happens before another one.  The pending operations of the others count as unknown,
 *     since one of these threads ran last and the number must not depend on which one.  So
 *     the number never falls when an execution grows, and it is the same for all sequences
 *     of a class.
 * P2  For a real sequence (a finished execution, or one to be counted as it is): leaving
 *     such a thread is free only if its pending operation cannot run at that cut.
 * P4  A thread that has not yielded is not left before a step that may come next and enables no other thread.
 *     Leaving it there costs 1.  Making the step first and leaving afterwards costs no more and respects the order.
 *     The steps of other threads in between cost no more either, because the step enables none of them.  So cells are
 *     needed only where a thread may or must be left, and a long run of a thread is one move.
 * P5  A thread that has been left is not resumed only to be left again after steps that change nothing that others
 *     may have to wait for (quiet steps), unless another thread's step, or the pending operation of one that waits
 *     (P1), follows one of them.  Making these steps when the thread is resumed the next time respects the order and
 *     saves a switch, and the steps of other threads in between cost the same.  P4 makes steps earlier and P5 later,
 *     but P4 adds no block of steps to a sequence and P5 removes one, so some cheapest sequence obeys both.
 * P6  An operation of a waiting loop cannot run while its location has a value with which it would only begin another
 *     round (model/awaits.h).  The writes in the cut are ordered, so the latest access in it determines the value.
 *     If the outcome is unknown, leaving the thread counts as free.
 * P7  Some preemptions are certain: every sequence leaves the thread there although it could continue.  They are
 *     counted at once, and the programme finds the least number of others.  So cells that differ only in how many
 *     certain preemptions lie behind them have the same cost.  If there are no others, the first complete sequence is
 *     the answer.
 * P8  At a place of the trace, the steps before it that every later step follows are a cut.  Each sequence completes
 *     this cut before it makes a step from behind the place.  So the cells in which sequences complete it, with their
 *     least costs, are all that later queries need of the steps before the place.  They are kept if they are few.  Of
 *     cells that differ only in the thread that ran last, those with the least cost suffice, because switching to
 *     another thread costs at most 1.  They are valid for another query if its cut is the same and if each thread
 *     costs the same to leave at its last step before the place, which hashes decide.  The threads of waiting loops
 *     (P6) may cost less later, so nothing is kept if there are any.
 * P3  If there are too many cuts, the result is a lower bound and `estimated` is set.
 *     Pruning by a lower bound loses nothing. */
#ifndef HD_SEARCH_POR_MINPREEMPT_H
#define HD_SEARCH_POR_MINPREEMPT_H

#include "search/por/chains.h"
#include "search/por/reversal.h"
#include "search/por/thread_steps.h"

#define HD_MINPREEMPT_CELLS 1000000u

/* A step after those of the trace. */
struct hd_minpreempt_extra {
    const struct hd_step *step;
    const struct hd_step *other; /* the same step with the other outcome, or NULL */
    hd_tid tid;
    uint32_t before; /* its thread's previous step, or the one that created the thread;
                      * HD_NO_STEP */
    const struct hd_event *op;
};

struct hd_minpreempt_query {
    uint32_t nsteps;   /* use the first nsteps steps of the trace */
    uint32_t nthreads;
    hd_tid first;      /* the thread that counts as last at the start */
    uint32_t bound;    /* results above this are not distinguished */
    const struct hd_minpreempt_extra *extra; /* NULL: none */
    const struct hd_event *pending; /* [nthreads]: pending operations after the nsteps */
    bool real;         /* P2; else P1 */
};

/* P5, a stored answer: whether a thread that is resumed after `from` steps makes no progress up to `to`. */
struct hd_minpreempt_vain {
    uint32_t from, to;
    bool is;
};

#define HD_MINPREEMPT_KEPT 8
#define HD_MINPREEMPT_LOOSE 4

/* P8: a cell that is kept: all steps before the place, but for some of its loose threads. */
struct hd_minpreempt_cell {
    uint32_t lacks[HD_MINPREEMPT_LOOSE]; /* steps that are missing */
    uint32_t cost;
    struct hd_set last; /* threads that may have run last at this cost */
};

/* P8: what is kept for the place after the first steps of the trace. */
struct hd_minpreempt_place {
    uint64_t hash;      /* of the cut, and of what the costs of leaving threads depend on */
    uint32_t upto;      /* all cells up to this cost are known */
    uint32_t n;         /* number of cells; 0: nothing is known */
    hd_tid loose[HD_MINPREEMPT_LOOSE]; /* threads with steps before the place that not all later steps follow */
    uint32_t nloose;
    struct hd_minpreempt_cell cell[HD_MINPREEMPT_KEPT];
};

struct hd_minpreempt {
    struct hd_trace *trace;
    const struct hd_minpreempt_query *q;
    struct hd_automaton lock, queue;
    uint32_t limit;       /* maximum number of cells; tests make it small */
    bool forgets;         /* nothing is kept (P8) */
    bool estimated;       /* the answer is a lower bound (P3) */
    bool unsure;          /* it is unknown whether an operation of a waiting loop would only begin another round (P6) */
    hd_tid last;          /* thread that runs last in a cheapest sequence; HD_NO_TID: unknown */
    struct hd_thread_steps steps;
    struct hd_chains chains;
    struct hd_history *history;
    uint32_t known[HD_MAX_THREADS]; /* steps of each thread in question */
    uint32_t count[HD_MAX_THREADS]; /* the same with the extra one */
    uint32_t goal[HD_MAX_THREADS];  /* the cut to reach: that of the next place (P8), or all steps */
    struct hd_minpreempt_place *place; /* by the number of steps before it, in units of `apart` */
    uint32_t nplaces;               /* the entries from here on are not set */
    struct hd_minpreempt_place now_at, next; /* the place from which the query goes on, and the next one */
    uint32_t all[HD_MAX_THREADS];   /* steps of each thread before the next place */
    uint32_t from[HD_MAX_THREADS];  /* the same for now_at */
    uint32_t apart;                 /* number of steps from place to place; tests make it small */
    uint32_t patience;              /* a query with more cuts makes places; tests make it small */
    uint32_t few;                   /* number of cuts allowed for this pass */
    uint32_t rest;                  /* number of queries that do not try to make places */
    bool extra_is_due;              /* P7: its thread is certainly preempted before the extra step */
    struct hd_set due_at_end;       /* threads that are certainly preempted after their last step */
    uint32_t most;                  /* number of preemptions allowed besides the certain ones */
    struct hd_minpreempt_vain vain[HD_MAX_THREADS][2]; /* the latest answers for each thread */
    struct hd_set awaits; /* threads without further steps whose pending operation is known */
    uint32_t *follows;    /* [nthreads][nthreads]: for each such thread, the last step (from 1) of
                           * each thread that conflicts with that operation */
    uint32_t *extra_clock; /* [HD_MAX_THREADS] */
    uint32_t *touching;   /* [HD_TRACE_STEPS]: steps in the cut that touch the object in question,
                           * latest first */
    uint32_t ncuts;
    uint32_t *cut;        /* [ncuts][nthreads] */
    uint8_t *cost;        /* [ncuts][nthreads + 1] */
    struct hd_minpreempt_bucket *bucket;
    uint32_t nbuckets;    /* in use: a power of 2 */
    uint32_t stamp;
    uint32_t *list[2];    /* cells of the current cost, at index `now`, and of the next cost */
    uint32_t nlist[2];
    uint32_t now;
    uint64_t work;        /* runs and accesses visited, counted for tests */
};

/* The caller sets m->steps.yields, its ctx and m->history. */
void hd_minpreempt_init(struct hd_minpreempt *m, struct hd_trace *t, struct hd_arena *arena);

/* Call when the trace keeps only its first n steps, before it grows again. */
void hd_minpreempt_keep(struct hd_minpreempt *m, uint32_t n);

/* Returns the least number, or bound + 1 if it exceeds the bound. */
uint32_t hd_minpreempt(struct hd_minpreempt *m, const struct hd_minpreempt_query *q);

#endif
