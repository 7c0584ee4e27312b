/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_steps.h - the steps of a trace by thread, with the facts that minpreempt.h needs about each.  The
 * index grows and shrinks with the trace, so for each execution only the steps after the prefix that it shares
 * with the previous one are examined.
 *
 * A run is a sequence of steps of one thread in which each step but the first one happens after the same steps of
 * other threads as the step before it, enables no operation, and does not follow a yield: once its first step is
 * done, nothing prevents the other steps. */
#ifndef HD_SEARCH_POR_THREAD_STEPS_H
#define HD_SEARCH_POR_THREAD_STEPS_H

#include "search/por/trace.h"

#define HD_THREAD_STEPS_BLOCK 64u

struct hd_thread_step {
    uint32_t run;  /* number, within the thread, of the first step of its run */
    uint32_t end;  /* for the first step of a run: number of the last step of the run so far */
    uint32_t due;  /* number of certain preemptions of its thread up to this step (P7) */
    uint32_t loud; /* number of steps of its thread, up to this one, that are not quiet (P5) */
    bool stays;    /* the thread need not be left before this step (P4): it has not yielded, and the step
                    * enables nothing */
};

struct hd_thread_steps {
    const struct hd_trace *trace;
    bool (*yields)(const void *ctx, uint32_t step); /* true if the thread has yielded after this step */
    const void *ctx;
    bool changing;                   /* set while the index changes; a process that finds it set builds the
                                      * index again */
    uint32_t n;                      /* number of steps of the trace in the index */
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

/* Extends the index to the first n steps of the trace. */
void hd_thread_steps_reach(struct hd_thread_steps *s, uint32_t n);

/* Returns step number `nth` (from 0) of the thread. */
static inline uint32_t hd_thread_steps_at(const struct hd_thread_steps *s, hd_tid t, uint32_t nth)
{
    uint32_t block = s->block[(uint64_t)t * (HD_TRACE_STEPS / HD_THREAD_STEPS_BLOCK) +
                              nth / HD_THREAD_STEPS_BLOCK];

    return s->at[block * HD_THREAD_STEPS_BLOCK + nth % HD_THREAD_STEPS_BLOCK];
}

/* Returns how many of the first n steps of the trace belong to the thread. */
uint32_t hd_thread_steps_before(const struct hd_thread_steps *s, hd_tid t, uint32_t n);

/* True if the operation can run directly after step `before` of its thread, in every order: it never blocks, or
 * it takes the lock or the semaphore count that this step has released. */
bool hd_thread_steps_runs_after(const struct hd_thread_steps *s, uint32_t before, const struct hd_event *op);

/* True if the event cannot enable a blocked operation: it releases nothing and makes nothing possible. */
bool hd_event_enables_nothing(const struct hd_trace *t, const struct hd_event *e);
/* True if the event changes nothing that an operation may have to wait for. */
bool hd_event_is_quiet(const struct hd_trace *t, const struct hd_event *e);

#endif
