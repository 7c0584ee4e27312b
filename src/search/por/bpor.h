/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor.h - the state shared by the parts of bounded partial-order reduction: bpor.c runs
 * executions, bpor_races.c derives the branches to try next, and bpor_bound.c computes
 * their cost.
 *
 * Frame k belongs to decision k.  A branch is one thread to run at a frame.  A choice of the program has a
 * frame of its own; all its alternatives are tried.
 *
 * B1  Each execution changes one decision of the previous one.  The frames before that decision stay as they
 *     are; `pick` and `choose` rewrite the others.
 * B2  `end` only adds threads to `todo` and `over` and writes the next branch to the cursor; `begin` only does
 *     what the cursor says.  Both may be repeated.  So a worker may be killed at any instruction.
 * B3  The trace is extended only as far as needed. `building` is set while it changes: a process that finds it
 *     set builds the trace again.
 * B4  With several workers the frames before share.floor are shared by all of them (frames_share.h).  The
 *     shared tree may list a thread that a worker's own `todo` lacks; adding the thread again changes nothing.
 * B5  Whether an operation of a waiting loop can run may be known only when it is due (model/awaits.h).  If it
 *     cannot, its branch is given up.  Its step is not put to sleep, because nothing was explored after it.
 *     bpor and bpor-source, which had added the thread because it seemed enabled, add all other threads
 *     instead.  Once such threads can only go on waiting (hd_point.only_waits), the analysed part of the execution
 *     ends.  For the bound, a thread that waits in a loop counts as blocked: switching away from it is free. */
#ifndef HD_SEARCH_POR_BPOR_H
#define HD_SEARCH_POR_BPOR_H

#include "search/core/strategy.h"
#include "search/por/conflicts.h"
#include "search/por/frames_share.h"
#include "search/por/minpreempt.h"

enum hd_bpor_kind {
    HD_BPOR_NAIVE,  /* source sets and sleep sets, bound on the execution's own preemptions: incomplete */
    HD_BPOR_FULL,   /* adds branches at the race and at the start of its block, for the racing thread or all */
    HD_BPOR_SOURCE, /* like FULL, with source sets at the race itself */
    HD_BPOR_LAZY,   /* source sets and sleep sets, bound on the least preemptions of the class */
};

/* Threads that could continue when another thread was chosen, but whose preemption hd_bpor_frame.shown does not
 * count yet (bpor_bound.c). */
struct hd_bpor_owing {
    struct hd_set all;
    struct hd_set overtaken; /* a later step may conflict with the pending operation */
    struct hd_set followed;  /* a later step may conflict with the thread's last step */
};

static inline void hd_bpor_owe_nothing(struct hd_bpor_owing *o)
{
    hd_set_clear(&o->all);
    hd_set_clear(&o->overtaken);
    hd_set_clear(&o->followed);
}

static inline void hd_bpor_owe_same(struct hd_bpor_owing *to, const struct hd_bpor_owing *from)
{
    hd_set_copy(&to->all, &from->all);
    hd_set_copy(&to->overtaken, &from->overtaken);
    hd_set_copy(&to->followed, &from->followed);
}

struct hd_bpor_frame {
    struct hd_set enabled;
    struct hd_set todo;    /* threads to try, and those already tried */
    struct hd_set done;    /* threads explored completely; the one being explored is `chosen` */
    struct hd_set over;    /* threads whose step here would exceed the bound */
    struct hd_step step;   /* the chosen thread's step; complete when the next decision is due */
    uint32_t first_event;  /* first event of that step */
    uint32_t sleep;        /* the sleep set: nsleep entries of hd_bpor.sleep, first the inherited steps, then
                            * the explored ones */
    uint32_t nsleep;
    uint32_t cost;         /* preemptions before this decision; see hd_bpor_compute_cost */
    uint32_t shown;        /* like cost, but an upper limit of the least number for the class (bpor-lazy; see
                            * bpor_bound.c) */
    struct hd_bpor_owing owing;
    uint64_t born;         /* serial number of the decision in the campaign, from 1; the steps before a decision
                            * are the same as long as it keeps its number */
    hd_tid last;           /* the thread that ran last */
    bool goes_on;          /* choosing another thread than `last` is a preemption */
    bool exceeds;          /* in every order, the steps before this decision exceed the bound (P2 of
                            * minpreempt.h) */
    bool yielded;          /* the step before this decision yielded */
    hd_tid chosen;         /* chosen thread; for a choice, its thread */
    uint16_t alternatives; /* 0: a thread is chosen here; n: a choice of n alternatives */
    uint16_t alt;
};

/* A search for an earlier frame at which a step may run, which found none; see try_earlier. */
struct hd_bpor_walk {
    uint64_t number;     /* value of hd_bpor.walks when the search was made; 0: no entry */
    uint32_t from, to;   /* the step must not run at the frames `from` to `to` - 1 */
    uint32_t before;
    struct hd_step step;
    struct hd_event op;
    bool both;
};

/* A stored answer: whether the least number of preemptions allows this step to run at this frame. */
struct hd_bpor_answer {
    uint64_t born;       /* serial number of the frame; 0: no entry */
    struct hd_step step;
    struct hd_event op;
    bool both;           /* the answer is for both outcomes of the operation */
    bool may;
};

struct hd_bpor {
    enum hd_bpor_kind kind;
    int64_t last_bound;    /* the last bound to explore; INT64_MAX: continue until nothing exceeds the bound */
    bool deepens;          /* iterates the bound from 0 */
    bool oldest;           /* a free choice prefers the oldest thread, not the last one */
    uint32_t bound;        /* bound of this execution */
    const struct hd_execution *exec;
    struct hd_decision *decisions;
    struct hd_bpor_frame *frames; /* [HD_TRACE_STEPS] */
    struct hd_step *sleep;        /* [HD_BPOR_SLEEP] */
    struct hd_trace trace;
    uint64_t *beat;               /* incremented to show that the search makes progress */
    struct hd_execution view;     /* the part of the execution that the trace covers; its nthreads is an upper
                                   * limit */
    bool building, traced;
    struct hd_reversal reversal;
    struct hd_step certain; /* the accesses that the last step of the reversal certainly makes */
    bool sections;          /* the execution has atomic sections (rule R6 of bpor_races.c) */
    struct hd_minpreempt least;
    uint64_t births;
    struct hd_bpor_answer *answer; /* [HD_BPOR_ANSWERS]: hash table; a new answer replaces the old one */
    uint64_t walks;        /* number of executions whose races were analysed */
    struct hd_bpor_walk walk[HD_MAX_THREADS];
    uint32_t *seen;        /* [HD_TRACE_STEPS]: equals seen_stamp if the step was already found to race with the
                            * current one */
    uint32_t seen_stamp;
    uint64_t work;         /* accesses examined; tests check this */
    struct hd_frames_share share; /* used with several workers */
    uint64_t flags;        /* flags in the cursor of this execution */
    uint32_t resume;       /* the decision that this execution changes */
    uint32_t over;         /* decision at which the analysed part ends (B5); UINT32_MAX: it does not */
    uint32_t over_events;  /* number of events before that decision */
    uint32_t nwaiting;     /* number of threads at that decision */
    struct hd_event waiting[HD_MAX_THREADS]; /* pending operations there */
    struct hd_event pending[HD_MAX_THREADS]; /* result of pending_at (bpor_bound.c) */
    bool choices;          /* the program has made a choice; never reset */
    bool abandons;         /* a thread has ended while it held a robust mutex; never reset */
    bool stopped;          /* the races being analysed are those of hd_conflicts_of_stopped */
    bool pruned;           /* in this execution something exceeded the bound */
    bool pruned_before;    /* value of `pruned` before the last decision */
    bool in_vain;          /* the step to be tried cannot run (B5) */
    bool misled;           /* in this execution a branch could not be taken, or there were too many steps */
    bool estimated;        /* in this execution a cost was only a lower bound */
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

/* Adds the thread to those to run at frame k. */
void hd_bpor_want(struct hd_bpor *d, uint32_t k, hd_tid t);

/* True if the execution went on after the part that is analysed (B5). */
static inline bool hd_bpor_ran_on(const struct hd_bpor *d)
{
    return d->over < d->exec->nsteps;
}

/* Returns the pending operations at the end of the analysed part. */
static inline const struct hd_event *hd_bpor_at_end(const struct hd_bpor *d)
{
    return hd_bpor_ran_on(d) ? d->waiting : d->exec->pending;
}

/* ---- bpor_bound.c ---- */

/* True if the thread has yielded after its step (ctx is the struct hd_bpor). */
bool hd_bpor_yields(const void *ctx, uint32_t step);

/* Builds the trace of the first n decisions, whose events end before index `end`.  Returns false if there are
 * too many. */
bool hd_bpor_trace(struct hd_bpor *d, uint32_t n, uint32_t end);

/* Computes the execution's cost before decision k, and sets cost, last and goes_on of the frame. */
void hd_bpor_compute_cost(struct hd_bpor *d, uint32_t k, const struct hd_point *at);

/* True if the thread may run at frame k.  If it exceeds the bound, the frame's `over` records that. */
bool hd_bpor_may_run(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x);

/* True if both are the same step as far as the least number of preemptions is concerned.  False if one of them
 * does not list all its accesses. */
bool hd_bpor_same_step(const struct hd_step *a, const struct hd_event *op, const struct hd_minpreempt_extra *x);

/* The pending operation of an enabled thread as a step after the trace.  If the operation can succeed or fail,
 * `other` is the step with the other outcome. */
struct hd_bpor_pending {
    struct hd_step step, other;
    struct hd_minpreempt_extra x;
};
void hd_bpor_pending(const struct hd_bpor *d, hd_tid t, const struct hd_event *op,
                     struct hd_bpor_pending *p);

/* True if the thread may be chosen at frame k, the last frame. */
bool hd_bpor_may_pick(struct hd_bpor *d, uint32_t k, hd_tid t, const struct hd_event *op);

/* Returns the preemptions of the finished execution of n decisions, or bound + 1 if they exceed the bound. */
uint32_t hd_bpor_total(struct hd_bpor *d, uint32_t n, const struct hd_event *pending);

/* ---- bpor_races.c ---- */

/* Adds to the frames the branches that the races of the trace require. */
void hd_bpor_races(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending);

#endif
