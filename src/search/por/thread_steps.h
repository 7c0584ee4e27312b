/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_steps.h - the steps of a trace by thread, and what minpreempt.h asks about each of
 * them.  Grows and shrinks with the trace, so only the steps that are new after the common
 * prefix of two executions are examined.
 *
 * A run is a sequence of steps of one thread in which each step but the first one happens
 * after the same steps of other threads as the step before it, enables no operation, and
 * does not follow a yield: once its first step is over, nothing prevents the others. */
#ifndef HD_SEARCH_POR_THREAD_STEPS_H
#define HD_SEARCH_POR_THREAD_STEPS_H

#include "search/por/trace.h"

#define HD_THREAD_STEPS_BLOCK 64u

struct hd_thread_step {
    uint32_t run;  /* number of the first step of its run */
    uint32_t end;  /* if it is the first step of a run: number of the last one so far */
    uint32_t due;  /* compulsory preemptions of its thread up to this step */
    uint32_t loud; /* steps of its thread up to this one that may change what others can do */
    bool stays;    /* its thread need not be left before it (P4): it has not yielded, and the step
                    * enables nothing */
};

struct hd_thread_steps {
    const struct hd_trace *trace;
    bool (*yields)(const void *ctx, uint32_t step); /* had the step's thread yielded after it? */
    const void *ctx;
    bool changing;                   /* a process that finds it set begins anew */
    uint32_t n;                      /* steps taken over from the trace */
    uint32_t count[HD_MAX_THREADS];
    uint32_t nblocks;
    uint32_t *block;                 /* [HD_MAX_THREADS][HD_TRACE_STEPS / BLOCK] */
    uint32_t *at;                    /* [nblocks][BLOCK]: steps of one thread */
    struct hd_thread_step *of;       /* [HD_TRACE_STEPS] */
    uint64_t work;                   /* steps examined; tests check this */
};

void hd_thread_steps_init(struct hd_thread_steps *s, const struct hd_trace *t, struct hd_arena *arena);

/* The trace keeps only its first n steps.  To be called before it grows again. */
void hd_thread_steps_keep(struct hd_thread_steps *s, uint32_t n);

/* Take over the first n steps of the trace. */
void hd_thread_steps_reach(struct hd_thread_steps *s, uint32_t n);

/* Step number `nth` (from 0) of the thread. */
static inline uint32_t hd_thread_steps_at(const struct hd_thread_steps *s, hd_tid t, uint32_t nth)
{
    uint32_t block = s->block[(uint64_t)t * (HD_TRACE_STEPS / HD_THREAD_STEPS_BLOCK) +
                              nth / HD_THREAD_STEPS_BLOCK];

    return s->at[block * HD_THREAD_STEPS_BLOCK + nth % HD_THREAD_STEPS_BLOCK];
}

/* How many of the first n steps of the trace are the thread's. */
uint32_t hd_thread_steps_before(const struct hd_thread_steps *s, hd_tid t, uint32_t n);

/* Can the operation run directly after the thread's step before it, in every order?  It never
 * blocks, or it takes a lock that this step gives back, or what this step adds to a semaphore. */
bool hd_thread_steps_runs_after(const struct hd_thread_steps *s, uint32_t before, const struct hd_event *op);

/* Does the event neither give anything back nor make anything possible?  Then no operation
 * that is blocked becomes enabled by it. */
bool hd_event_enables_nothing(const struct hd_trace *t, const struct hd_event *e);
/* Does the event change nothing that an operation may have to wait for? */
bool hd_event_is_quiet(const struct hd_trace *t, const struct hd_event *e);

#endif
