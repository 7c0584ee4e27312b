/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor.h - the state shared by the parts of bounded partial-order reduction: bpor.c runs
 * executions, bpor_races.c derives the branches to try next, and bpor_bound.c computes
 * their cost.
 *
 * Frame k belongs to decision k.  Branches are single steps: a thread at a frame.  A choice
 * is a frame of its own; all its alternatives are tried.
 *
 * B1  Frames below the changed decision are those of the previous execution; pick and
 *     choose rewrite the others.
 * B2  end only adds threads to `todo` and `over`, which may be repeated, and stores the
 *     next one in the cursor; begin does what the cursor says and may be repeated.  So a
 *     worker may be killed at any instruction.
 * B3  The trace is built as far as needed.  `building` is set while it changes: a process
 *     that finds it set builds the trace again.
 * B4  With several workers the frames before share.floor are common (frames_share.h).  A
 *     thread that is missing in a frame's `todo` may be in the tree nevertheless; adding it
 *     again changes nothing.
 * B5  A step of a waiting loop may turn out to be impossible when it is due (model/awaits.h).  It
 *     is given up, and does not sleep: nothing was explored after it.  The strategies that wanted
 *     its thread because it seemed to be enabled want all others then.  Where the threads of such
 *     loops only run on (hd_point.astray), the part of the execution that is analysed ends.  For
 *     the bound, a thread that waits is blocked: leaving it is free. */
#ifndef HD_SEARCH_POR_BPOR_H
#define HD_SEARCH_POR_BPOR_H

#include "search/core/strategy.h"
#include "search/por/conflicts.h"
#include "search/por/frames_share.h"
#include "search/por/minpreempt.h"

enum hd_bpor_kind {
    HD_BPOR_NAIVE,  /* source sets, sleep sets, counts the execution's own preemptions:
                     * incomplete */
    HD_BPOR_FULL,   /* conservative branches; the racing thread or all threads */
    HD_BPOR_SOURCE, /* conservative branches; source sets at the race itself */
    HD_BPOR_LAZY,   /* source sets, sleep sets, least preemptions of the class */
};

/* Threads that hd_bpor_frame.shown does not count as preempted, although they could continue when other threads were
 * chosen (bpor_bound.c). */
struct hd_bpor_owing {
    struct hd_set all;
    struct hd_set overtaken; /* a step since then may conflict with the pending operation */
    struct hd_set followed;  /* a step since then may conflict with the last step */
};

struct hd_bpor_frame {
    struct hd_set enabled;
    struct hd_set todo;    /* threads to try, including those tried */
    struct hd_set done;    /* threads explored completely; the current one is `chosen` */
    struct hd_set over;    /* threads that exceed the bound */
    struct hd_step step;   /* the chosen thread's step, once it is over */
    uint32_t first_event;  /* first event of that step */
    uint32_t sleep;        /* range in hd_bpor.sleep: inherited, then explored steps */
    uint32_t nsleep;
    uint32_t cost;         /* preemptions before this decision; see hd_bpor_compute_cost */
    uint32_t shown;        /* the same for the bound of bpor-lazy: an upper limit (bpor_bound.c) */
    struct hd_bpor_owing owing;
    uint64_t born;         /* number of the decision in the campaign, from 1: the steps before it
                            * do not change as long as it lives */
    hd_tid last;           /* the thread that ran last */
    bool goes_on;          /* choosing another thread than `last` is a preemption */
    bool exceeds;          /* every order of the steps before this decision exceeds the bound, as
                            * they are (P2 of minpreempt.h) */
    bool yielded;          /* the step before this decision yielded */
    hd_tid chosen;         /* chosen thread; for a choice, its thread */
    uint16_t alternatives; /* 0: threads; n: a choice of n */
    uint16_t alt;
};

/* A step that was searched for at earlier frames without success; see try_earlier. */
struct hd_bpor_walk {
    uint64_t number;     /* of hd_bpor.walks; 0: none */
    uint32_t from, to;   /* it may not run at these frames (`to` excluded) */
    uint32_t before;
    struct hd_step step;
    struct hd_event op;
    bool both;
};

/* Whether the least number of preemptions allows a step to run at a frame. */
struct hd_bpor_answer {
    uint64_t born;       /* of the frame; 0: none */
    struct hd_step step;
    struct hd_event op;
    bool both;           /* with the other outcome as well */
    bool may;
};

struct hd_bpor {
    enum hd_bpor_kind kind;
    int64_t last_bound;    /* INT64_MAX: until nothing exceeds the bound */
    bool deepens;          /* iterates the bound from 0 */
    bool oldest;           /* a free choice prefers the oldest thread, not the last one */
    uint32_t bound;        /* bound of this execution */
    const struct hd_execution *exec;
    struct hd_decision *decisions;
    struct hd_bpor_frame *frames; /* [HD_TRACE_STEPS] */
    struct hd_step *sleep;        /* [HD_BPOR_SLEEP] */
    struct hd_trace trace;
    uint64_t *beat;               /* of the configuration */
    struct hd_execution view;     /* the execution as the trace sees it; nthreads is an upper
                                   * limit */
    bool building, traced;
    struct hd_reversal reversal;
    struct hd_step certain; /* the accesses that the last step of the reversal certainly makes */
    bool sections;          /* the execution has atomic sections (R6) */
    struct hd_minpreempt least;
    uint64_t births;
    struct hd_bpor_answer *answer; /* [HD_BPOR_ANSWERS]: hash table; a new one replaces an old one */
    uint64_t walks;        /* how often races were analysed */
    struct hd_bpor_walk walk[HD_MAX_THREADS];
    uint32_t *seen;        /* [HD_TRACE_STEPS]: stamps of the race candidates of the current step */
    uint32_t seen_stamp;
    uint64_t work;         /* accesses examined; tests check this */
    struct hd_frames_share share; /* used with several workers */
    uint64_t flags;        /* of the cursor, for this execution */
    uint32_t resume;       /* decision at which this execution leaves the previous one */
    uint32_t over;         /* decision from which on it only runs on (B5); UINT32_MAX: none */
    uint32_t over_events;  /* events before that decision */
    uint32_t nwaiting;     /* threads at that decision */
    struct hd_event waiting[HD_MAX_THREADS]; /* pending operations there */
    struct hd_event pending[HD_MAX_THREADS]; /* see bpor_bound.c */
    bool choices;          /* the program has made a choice; never reset */
    bool abandons;         /* a thread has ended with a robust mutex; never reset */
    bool stopped;          /* the races now are those of hd_conflicts_of_stopped */
    bool pruned;           /* in this execution something exceeded the bound */
    bool pruned_before;    /* the same, before the last decision */
    bool in_vain;          /* the step that was to be tried is impossible (B5) */
    bool misled;           /* in this execution a branch could not be taken, or there were too many
                            * steps */
    bool estimated;        /* in this execution a lower bound was used */
    bool unmodelled;       /* in this execution something happened that automaton.h does not
                            * model */
};

#define HD_BPOR_SLEEP (1u << 20)
#define HD_BPOR_ANSWERS HD_LIMIT(1u << 14, 2)

static inline bool hd_bpor_sleeps(const struct hd_bpor *d)
{
    return d->kind == HD_BPOR_NAIVE || d->kind == HD_BPOR_LAZY;
}

static inline bool hd_bpor_asleep(const struct hd_bpor *d, const struct hd_bpor_frame *f, hd_tid t)
{
    for (uint32_t i = 0; i < f->nsleep; i++)
        if (d->sleep[f->sleep + i].slot == d->exec->threads[t].slot)
            return true;
    return false;
}

/* ---- bpor.c ---- */

/* Add the thread to frame k. */
void hd_bpor_want(struct hd_bpor *d, uint32_t k, hd_tid t);

/* True if the execution has continued after the part that is analysed (B5). */
static inline bool hd_bpor_ran_on(const struct hd_bpor *d)
{
    return d->over < d->exec->nsteps;
}

/* The pending operations at the end of the analysed part. */
static inline const struct hd_event *hd_bpor_at_end(const struct hd_bpor *d)
{
    return hd_bpor_ran_on(d) ? d->waiting : d->exec->pending;
}

/* ---- bpor_bound.c ---- */

/* Had the step's thread yielded after it?  ctx: the struct hd_bpor. */
bool hd_bpor_yields(const void *ctx, uint32_t step);

/* Build the trace of the first n decisions; their events end before `end`.  False if there
 * are too many. */
bool hd_bpor_trace(struct hd_bpor *d, uint32_t n, uint32_t end);

/* Compute the execution's cost before decision k; sets cost, last and goes_on of the frame. */
void hd_bpor_compute_cost(struct hd_bpor *d, uint32_t k, const struct hd_point *at);

/* May the thread run at frame k?  Records it if it exceeds the bound. */
bool hd_bpor_may_run(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x);

/* True if these are the same step as far as the least number of preemptions is concerned.  False if they do not list
 * all their accesses. */
bool hd_bpor_same_step(const struct hd_step *a, const struct hd_event *op, const struct hd_minpreempt_extra *x);

/* A pending operation of an enabled thread as a step after the trace, with both outcomes if both are
 * possible. */
struct hd_bpor_pending {
    struct hd_step step, other;
    struct hd_minpreempt_extra x;
};
void hd_bpor_pending(const struct hd_bpor *d, hd_tid t, const struct hd_event *op,
                     struct hd_bpor_pending *p);

/* May the thread be picked at frame k, the last one? */
bool hd_bpor_may_pick(struct hd_bpor *d, uint32_t k, hd_tid t, const struct hd_event *op);

/* Preemptions of the finished execution of n decisions; bound + 1 if more. */
uint32_t hd_bpor_total(struct hd_bpor *d, uint32_t n, const struct hd_event *pending);

/* ---- bpor_races.c ---- */

/* Add the branches that the races of the trace require to the frames. */
void hd_bpor_races(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending);

#endif
