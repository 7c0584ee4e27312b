/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpor.h - the state that the parts of bounded partial-order reduction share:
 * bpor.c runs executions, bpor_races.c finds what is to be tried next, and
 * bpor_bound.c says what it would cost.
 *
 * Frame k belongs to decision k.  Branches are single steps: a thread at a frame.
 * A choice is a frame of its own, of which every alternative is tried.
 *
 * B1  Frames below the changed decision are those of the execution before; pick and
 *     choose write the others anew.
 * B2  end only adds threads to `todo` and `over`, which can be repeated, and chooses
 *     the next one in the cursor; begin does what the cursor says and can be repeated.
 *     So a worker may be killed at any instruction.
 * B3  The trace is made as far as it is needed.  `building` is set while it is being
 *     changed: whoever finds it set starts anew.
 * B4  With several workers the frames before share.floor are common (frames_share.h).
 *     The thread that a frame's `todo` lacks may be in the tree all the same; asking for
 *     it again changes nothing. */
#ifndef HD_SEARCH_POR_BPOR_H
#define HD_SEARCH_POR_BPOR_H

#include "search/core/strategy.h"
#include "search/por/frames_share.h"
#include "search/por/minpreempt.h"

enum hd_bpor_kind {
    HD_BPOR_NAIVE,  /* source sets, sleep sets, the execution's own preemptions: no proof */
    HD_BPOR_FULL,   /* conservative branches; the racing thread or all */
    HD_BPOR_SOURCE, /* conservative branches; source sets for the others */
    HD_BPOR_LAZY,   /* source sets, sleep sets, least preemptions of the class */
};

struct hd_bpor_frame {
    struct hd_set enabled;
    struct hd_set todo;    /* to be tried; also what was tried */
    struct hd_set done;    /* tried completely; the one being tried is `chosen` */
    struct hd_set over;    /* cost too much */
    struct hd_step step;   /* of the chosen thread, when it is over */
    uint32_t first_event;  /* of that step */
    uint32_t sleep;        /* range in hd_bpor.sleep: inherited, then done ones */
    uint32_t nsleep;
    uint32_t cost;         /* preemptions before this decision, see hd_bpor_reckon */
    hd_tid last;           /* whoever is chosen instead of it ... */
    bool goes_on;          /* ... preempts it */
    bool yielded;          /* by the step before this decision */
    hd_tid chosen;         /* of a choice: whose it is */
    uint16_t alternatives; /* 0: threads; n: a choice of n */
    uint16_t alt;
};

struct hd_bpor {
    enum hd_bpor_kind kind;
    int64_t last_bound;    /* INT64_MAX: until nothing costs more */
    bool deepens;          /* from 0 on, one more at a time */
    uint32_t bound;        /* of this execution */
    const struct hd_execution *exec;
    struct hd_decision *decisions;
    struct hd_bpor_frame *frames; /* [HD_TRACE_STEPS] */
    struct hd_step *sleep;        /* [HD_BPOR_SLEEP] */
    struct hd_trace trace;
    struct hd_execution view;     /* what the trace sees; nthreads is an upper limit */
    bool building, traced;
    struct hd_reversal reversal;
    struct hd_step certain; /* what the last step of the reversal touches in any case */
    bool sections;          /* the execution has atomic sections (R6) */
    struct hd_minpreempt least;
    uint32_t *seen;        /* [HD_TRACE_STEPS]: race candidates of the step in hand */
    uint32_t seen_stamp;
    struct hd_frames_share share; /* several workers */
    uint64_t flags;        /* of the cursor, for this execution */
    uint32_t resume;       /* decision at which this execution leaves the one before */
    struct hd_event pending[HD_MAX_THREADS]; /* see bpor_bound.c */
    bool pruned;           /* this execution: something cost too much */
    bool misled;           /* ... a branch could not be taken, or there were too many steps */
    bool estimated;        /* ... a lower bound was used */
    bool unmodelled;       /* ... something happened that automaton.h knows nothing of */
};

#define HD_BPOR_SLEEP (1u << 20)

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

/* The thread is to be tried at frame k. */
void hd_bpor_want(struct hd_bpor *d, uint32_t k, hd_tid t);

/* ---- bpor_bound.c ---- */

/* Make the trace of the first n decisions; their events end before `end`.  False: too
 * many. */
bool hd_bpor_trace(struct hd_bpor *d, uint32_t n, uint32_t end);

/* What the execution has cost before decision k, with these operations pending; sets
 * cost, last and goes_on of the frame. */
void hd_bpor_reckon(struct hd_bpor *d, uint32_t k, const struct hd_point *at);

/* May the thread run at frame k?  Remembers that it costs too much. */
bool hd_bpor_may_run(struct hd_bpor *d, uint32_t k, const struct hd_minpreempt_extra *x);

/* A pending operation as a step behind the trace; it may end either way. */
struct hd_bpor_pending {
    struct hd_step step, other;
    struct hd_minpreempt_extra x;
};
void hd_bpor_pending(const struct hd_bpor *d, hd_tid t, const struct hd_event *op,
                     struct hd_bpor_pending *p);

/* May the thread be picked at frame k, the last one? */
bool hd_bpor_may_pick(struct hd_bpor *d, uint32_t k, hd_tid t, const struct hd_event *op);

/* Preemptions of the execution of n decisions that is over (bound + 1: more). */
uint32_t hd_bpor_total(struct hd_bpor *d, uint32_t n, const struct hd_event *pending);

/* ---- bpor_races.c ---- */

/* Add to the frames what the races of the trace ask for. */
void hd_bpor_races(struct hd_bpor *d, const struct hd_event *pending, uint32_t npending);

#endif
