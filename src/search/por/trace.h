/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trace.h - a finished execution as a partial order: its steps, what each of them
 * touches, and the happens-before relation as vector clocks, from the event table
 * only.  Scratch memory: made anew from the events after each execution. */
#ifndef HD_SEARCH_POR_TRACE_H
#define HD_SEARCH_POR_TRACE_H

#include "base/arena.h"
#include "model/execution.h"
#include "search/core/step.h"

#define HD_TRACE_STEPS (1u << 17)
#define HD_TRACE_ACCESSES (1u << 19)
#define HD_TRACE_CLOCKS (1u << 25)
#define HD_TRACE_OBJECTS (1u << 20)
#define HD_TRACE_LANES 4 /* words that are joined at once, and lie in one cache line */
#define HD_TRACE_LONG 8  /* events of a step that is long */
#define HD_NO_STEP UINT32_MAX

struct hd_sections;

struct hd_trace_step {
    struct hd_step step;
    hd_tid tid;
    bool is_long;          /* nobody knows what it does elsewhere: an atomic section, of several
                            * operations whose outcomes may change, or too many events */
    uint32_t nth;          /* of its thread, from 1 */
    uint32_t before;       /* the thread's step before, or the one that created it; HD_NO_STEP */
    uint32_t event, nevents;
    uint32_t latest;       /* of all that it conflicts with and comes after, + 1; 0 none */
    uint32_t access, naccesses; /* all of them, where `step` holds the first few */
};

struct hd_trace_access {
    uint32_t obj;
    uint32_t step;
    uint32_t previous; /* access to the same object + 1; 0 none */
    uint32_t other;    /* the latest of them with another class + 1; 0 none */
    uint32_t access;   /* enum hd_access */
};

struct hd_trace_object {
    uint32_t obj;
    uint32_t stamp; /* of the trace that it belongs to */
    uint32_t last;  /* access + 1 */
};

struct hd_trace {
    const struct hd_execution *exec;
    const struct hd_sections *lazy;     /* mutexes that order nothing here; NULL: all do */
    uint32_t nsteps;
    uint32_t kept;                      /* steps that are those of the trace before */
    uint32_t nthreads;
    uint32_t width;                     /* of a clock: nthreads, to whole HD_TRACE_LANES */
    uint32_t naccesses;
    uint32_t nmany;                     /* steps that touch more than they can name */
    uint32_t nlong;                     /* steps that are long */
    uint32_t stamp;
    uint64_t valid;                     /* index + 1 of the execution it is complete for */
    struct hd_trace_step *step;         /* [HD_TRACE_STEPS] */
    struct hd_trace_access *access;     /* [HD_TRACE_ACCESSES] */
    uint32_t *clock;                    /* [nsteps][width], beyond nthreads 0 */
    struct hd_trace_object *object;     /* hash table [HD_TRACE_OBJECTS] */
    uint32_t last_of[HD_MAX_THREADS];   /* step, or the creating one; HD_NO_STEP */
    uint32_t steps_of[HD_MAX_THREADS];
};

void hd_trace_init(struct hd_trace *t, struct hd_arena *arena);

/* Go over to exec, whose first `keep` steps are those of the execution before: as far
 * as they are known, they stay.  Returns how many do; the others are to be added. */
uint32_t hd_trace_start(struct hd_trace *t, const struct hd_execution *exec, uint32_t keep);
/* A step of tid, which consists of these events.  False: too long to be kept. */
bool hd_trace_add(struct hd_trace *t, const struct hd_step *step, hd_tid tid, uint32_t event,
                  uint32_t nevents);
/* All steps were added.  Until then the trace is no base for the next (rule S4). */
void hd_trace_finish(struct hd_trace *t);

/* What step s knows of each thread: how many of its steps happen before it, or are it. */
static inline uint32_t *hd_trace_clock(const struct hd_trace *t, uint32_t s)
{
    return &t->clock[(uint64_t)s * t->width];
}

/* Does step a happen before (or is it) the last thing that step b knows of?
 * b may be HD_NO_STEP: nothing. */
static inline bool hd_trace_before(const struct hd_trace *t, uint32_t a, uint32_t b)
{
    const struct hd_trace_step *s = &t->step[a];

    return b != HD_NO_STEP && hd_trace_clock(t, b)[s->tid] >= s->nth;
}

/* Latest access to the object + 1; 0 when there is none. */
uint32_t hd_trace_last_access(const struct hd_trace *t, uint32_t obj);

#endif
