/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minpreempt.h - the least number of preemptions among all sequences that are equivalent to a given one.
 *
 * A dynamic programme computes it.  Its states, called cells, consist of a cut and the thread that ran last.  A
 * cut is a set of steps that is closed under happens-before, given by a number of steps for each thread.
 * Continuing with a thread costs nothing.  Leaving it (switching to another thread) costs 1 if it could
 * continue at that cut and has not just yielded.  Whether it could is a property of the cut, not of the
 * observed sequence: the automata of the objects decide (model/automaton.h).  Cells whose cost exceeds the
 * bound are not visited.
 *
 * P1  The query may be about an execution that will still grow.  Then leaving a thread that has no further
 *     steps is free if its pending operation could still come directly after its last step, that is, unless it
 *     conflicts with a step outside the cut.  This rule uses the pending operations only of threads whose last
 *     step happens before another thread's step.  Those of the other threads count as unknown: one of these
 *     threads ran last, and the number must not depend on which one.  With this rule the number never falls
 *     when an execution grows, and it is the same for all sequences of a class.
 * P2  The query may be about a complete sequence (a finished execution, or a prefix that is counted as if it
 *     were one).  Then leaving a thread that has no further steps is free only if its pending operation cannot
 *     run at that cut.
 * P4  A thread that has not yielded is not left before a step that can be made at once and that enables no
 *     other thread.  Leaving it there would cost 1; making the step first and leaving afterwards costs no more,
 *     and respects happens-before.  The steps that other threads make in between cost no more either, because
 *     the step enables none of them.  So cells are needed only where a thread may or must be left, and a long
 *     run of a thread is one move.
 * P5  A step is quiet if it changes nothing that another thread may wait for.  A thread that has been left is
 *     not resumed for quiet steps alone, unless another thread's step, or a pending operation that counts (P1),
 *     happens after one of them.  Making these steps when the thread is resumed the next time respects
 *     happens-before and saves a switch, and the steps that other threads make in between cost the same.  P4
 *     moves steps forward and P5 moves them back.  But P4 never increases the number of blocks in a sequence
 *     and P5 reduces it, so some cheapest sequence obeys both.
 * P6  An operation of a waiting loop counts as blocked while its location has a value with which it would only
 *     begin another round (model/awaits.h).  The writes to the location are ordered, so the latest access in
 *     the cut determines the value.  If the outcome is unknown, leaving the thread counts as free.
 * P7  Some preemptions are certain: every sequence leaves the thread at that step although it could continue.
 *     They are counted before the programme runs, which then finds the least number of the others; so cells do
 *     not differ in cost only because their sequences have passed different numbers of certain preemptions.  If
 *     there are no others, the first complete sequence found is the answer.
 * P8  A place is a position in the trace.  The steps before it that happen before every step after it form a
 *     cut, which each sequence completes before it makes any step from after the place.  So later queries need
 *     to know only in which cells sequences complete this cut, and at which least costs.  These cells are kept
 *     if they are few.  Among cells that differ only in the thread that ran last, those with the least cost
 *     suffice, because switching to another thread costs at most 1.  The cells are valid for another query if
 *     its cut is the same and if leaving each thread at its last step before the place costs the same, which
 *     hashes decide.  Threads in waiting loops (P6) may become cheaper to leave later, so nothing is kept if
 *     there are any.
 * P3  If there are too many cuts, the result is a lower bound and `estimated` is set.  Cutting executions only
 *     if a lower bound exceeds the bound loses nothing. */
#ifndef HD_SEARCH_POR_MINPREEMPT_H
#define HD_SEARCH_POR_MINPREEMPT_H

#include "search/por/chains.h"
#include "search/por/reversal.h"
#include "search/por/thread_steps.h"

#define HD_MINPREEMPT_CELLS 1000000u

/* A step that follows those of the trace. */
struct hd_minpreempt_extra {
    const struct hd_step *step;
    const struct hd_step *other; /* the same step with the other outcome, or NULL */
    hd_tid tid;
    uint32_t before; /* its thread's previous step, or the step that created the thread, or HD_NO_STEP */
    const struct hd_event *op;
};

struct hd_minpreempt_query {
    uint32_t nsteps;   /* use the first nsteps steps of the trace */
    uint32_t nthreads;
    hd_tid first;      /* the thread that counts as having run last at the start */
    uint32_t bound;    /* results above this need not be exact */
    const struct hd_minpreempt_extra *extra; /* NULL: none */
    const struct hd_event *pending; /* [nthreads]: pending operations after these steps */
    bool real;         /* the query is about a complete sequence (P2); otherwise about one that may grow (P1) */
};

/* A stored answer (P5): whether resuming a thread after `from` steps achieves nothing up to step `to`. */
struct hd_minpreempt_vain {
    uint32_t from, to;
    bool is;
};

#define HD_MINPREEMPT_KEPT 8
#define HD_MINPREEMPT_LOOSE 4

/* A kept cell (P8).  Its cut contains all steps before the place, except for some steps of the loose threads. */
struct hd_minpreempt_cell {
    uint32_t lacks[HD_MINPREEMPT_LOOSE]; /* for each loose thread, how many steps before the place are not in
                                          * the cut */
    uint32_t cost;
    struct hd_set last; /* threads that may have run last at this cost */
};

/* The cells that are kept for a place (P8). */
struct hd_minpreempt_place {
    uint64_t hash;      /* hash of the cut and of everything that the costs of leaving threads depend on */
    uint32_t upto;      /* all cells up to this cost are known */
    uint32_t n;         /* number of cells; 0: nothing is known */
    hd_tid loose[HD_MINPREEMPT_LOOSE]; /* threads that have steps before the place which not all later steps
                                        * happen after */
    uint32_t nloose;
    struct hd_minpreempt_cell cell[HD_MINPREEMPT_KEPT];
};

struct hd_minpreempt {
    struct hd_trace *trace;
    const struct hd_minpreempt_query *q;
    struct hd_automaton lock, queue;
    uint32_t limit;       /* maximum number of cells; tests make it small */
    bool forgets;         /* no cells are kept for later queries (P8) */
    bool estimated;       /* the answer is a lower bound (P3) */
    bool unsure;          /* for some operation of a waiting loop it was unknown whether it would only begin
                           * another round (P6) */
    hd_tid last;          /* the thread that runs last in a cheapest sequence; HD_NO_TID: unknown */
    struct hd_thread_steps steps;
    struct hd_chains chains;
    struct hd_history *history;
    uint32_t known[HD_MAX_THREADS]; /* number of steps of each thread that the query is about */
    uint32_t count[HD_MAX_THREADS]; /* the same, including the extra step */
    uint32_t goal[HD_MAX_THREADS];  /* the cut to reach: that of the next place (P8), or all steps */
    struct hd_minpreempt_place *place; /* indexed by the number of steps before the place, divided by `apart` */
    uint32_t nplaces;               /* number of entries that are set */
    struct hd_minpreempt_place now_at, next; /* the place at which the query starts or continues, and the next
                                              * one */
    uint32_t all[HD_MAX_THREADS];   /* number of steps of each thread before the next place */
    uint32_t from[HD_MAX_THREADS];  /* number of steps of each thread before now_at */
    uint32_t apart;                 /* number of steps between places; tests make it small */
    uint32_t patience;              /* a query that needs more cuts than this makes places; tests make it small */
    uint32_t few;                   /* number of cuts allowed in this pass */
    uint32_t rest;                  /* number of further queries that will not try to make places */
    bool extra_is_due;              /* P7: the thread is certainly preempted before the extra step */
    struct hd_set due_at_end;       /* threads that are certainly preempted after their last step */
    uint32_t most;                  /* number of preemptions allowed besides the certain ones */
    struct hd_minpreempt_vain vain[HD_MAX_THREADS][2]; /* two stored answers for each thread */
    struct hd_set awaits; /* threads without further steps whose pending operation counts (P1) */
    uint32_t *follows;    /* [nthreads][nthreads]: for each of these threads, the last step (from 1) of each
                           * other thread that must come before its pending operation */
    uint32_t *extra_clock; /* [HD_MAX_THREADS] */
    uint32_t *touching;   /* [HD_TRACE_STEPS]: scratch list of steps in a cut that touch an object, latest first */
    uint32_t ncuts;
    uint32_t *cut;        /* [ncuts][nthreads]: number of steps of each thread */
    uint8_t *cost;        /* [ncuts][nthreads + 1]: cost of each cell */
    struct hd_minpreempt_bucket *bucket;
    uint32_t nbuckets;    /* number of buckets in use: a power of 2 */
    uint32_t stamp;
    uint32_t *list[2];    /* list[now]: cells of the current cost; the other one: cells of the next cost */
    uint32_t nlist[2];
    uint32_t now;
    uint64_t work;        /* runs and accesses visited, counted for tests */
};

/* The caller sets m->steps.yields, m->steps.ctx and m->history. */
void hd_minpreempt_init(struct hd_minpreempt *m, struct hd_trace *t, struct hd_arena *arena);

/* Call when the trace keeps only its first n steps, before it grows again. */
void hd_minpreempt_keep(struct hd_minpreempt *m, uint32_t n);

/* Returns the least number of preemptions, or bound + 1 if it exceeds the bound. */
uint32_t hd_minpreempt(struct hd_minpreempt *m, const struct hd_minpreempt_query *q);

#endif
