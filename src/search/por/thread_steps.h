/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_steps.h - the steps of a trace by thread, with the facts that minpreempt.h needs about each.  Grows and
 * shrinks with the trace, so only the steps that are new after the common prefix of two executions are examined.
 *
 * A run is a sequence of steps of one thread in which each step but the first one happens after the same steps of
 * other threads as the step before it, enables no operation, and does not follow a yield: once its first step is
 * done, nothing prevents the other steps. */
#ifndef HD_SEARCH_POR_THREAD_STEPS_H
#define HD_SEARCH_POR_THREAD_STEPS_H

#include "search/por/trace.h"

#define HD_THREAD_STEPS_BLOCK 64u

struct hd_thread_step {
    uint32_t run;  /* number of the first step of its run */
    uint32_t end;  /* if it is the first step of a run: number of the last one so far */
    uint32_t due;  /* compulsory preemptions of its thread up to this step */
    uint32_t loud; /* steps of its thread up to this one that may change what others can do */
    bool stays;    /* its thread need not be left before it (P4): the thread has not yielded, and the step enables nothing */
};

struct hd_thread_steps {
    const struct hd_trace *trace;
    bool (*yields)(const void *ctx, uint32_t step); /* had the step's thread yielded after it? */
    const void *ctx;
    bool changing;                   /* if a process finds it set, it starts again */
    uint32_t n;                      /* steps taken over from the trace */
    uint32_t count[HD_MAX_THREADS];
    uint32_t nblocks;
    uint32_t *block;                 /* [HD_MAX_THREADS][HD_TRACE_STEPS / BLOCK] */
    uint32_t *at;                    /* [nblocks][BLOCK]: steps of one thread */
    struct hd_thread_step *of;       /* [HD_TRACE_STEPS] */
    uint64_t work;                   /* steps examined; tests check this */
};

void hd_thread_steps_init(struct hd_thread_steps *s, const struct hd_trace *t, struct hd_arena *arena);

/* Call when the trace keeps only its first n steps, before it grows again. */
void hd_thread_steps_keep(struct hd_thread_steps *s, uint32_t n);

/* Adds the first n steps of the trace. */
void hd_thread_steps_reach(struct hd_thread_steps *s, uint32_t n);

/* Step number `nth` (from 0) of the thread. */
static inline uint32_t hd_thread_steps_at(const struct hd_thread_steps *s, hd_tid t, uint32_t nth)
{
    uint32_t block = s->block[(uint64_t)t * (HD_TRACE_STEPS / HD_THREAD_STEPS_BLOCK) +
                              nth / HD_THREAD_STEPS_BLOCK];

    return s->at[block * HD_THREAD_STEPS_BLOCK + nth % HD_THREAD_STEPS_BLOCK];
}

/* Returns how many of the first n steps of the trace belong to the thread. */
uint32_t hd_thread_steps_before(const struct hd_thread_steps *s, hd_tid t, uint32_t n);

/* True if the operation can run directly after the previous step of its thread, in every order: it never blocks, or
 * it takes a lock or a semaphore count that this step has released. */
bool hd_thread_steps_runs_after(const struct hd_thread_steps *s, uint32_t before, const struct hd_event *op);

/* True if the event releases nothing and makes nothing possible.  Then it enables no blocked operation. */
bool hd_event_enables_nothing(const struct hd_trace *t, const struct hd_event *e);
/* True if the event changes nothing for which an operation may have to wait. */
bool hd_event_is_quiet(const struct hd_trace *t, const struct hd_event *e);

#endif
