/* SPDX-License-Identifier: BSD-2-Clause
 *
 * trace.h - a finished execution as a partial order: its steps, their accesses, and the
 * happens-before relation as vector clocks.  Derived from the event table only; scratch
 * memory that is rebuilt after each execution. */
#ifndef HD_SEARCH_POR_TRACE_H
#define HD_SEARCH_POR_TRACE_H

#include "base/arena.h"
#include "model/execution.h"
#include "search/core/step.h"

#define HD_TRACE_STEPS (1u << 17)
#define HD_TRACE_ACCESSES (1u << 19)
#define HD_TRACE_CLOCKS (1u << 25)
#define HD_TRACE_OBJECTS (1u << 20)
#define HD_TRACE_LANES 4 /* clock words that are joined at once and share a cache line */
#define HD_TRACE_LONG 8  /* a step with at least this many events is long */
#define HD_NO_STEP UINT32_MAX

struct hd_sections;

struct hd_trace_step {
    struct hd_step step;
    hd_tid tid;
    bool is_long;          /* its accesses at another position of the schedule cannot be predicted: it is an
                            * atomic section, whose operations may have other outcomes there, or it has too many
                            * events */
    uint32_t nth;          /* number within its thread, from 1 */
    uint32_t before;       /* the thread's previous step, or the step that created the thread, or HD_NO_STEP */
    uint32_t jump;         /* an earlier step of the thread, for hd_trace_thread_before */
    uint32_t next;         /* the thread's next step; HD_NO_STEP: none */
    uint32_t event, nevents;
    uint32_t latest;       /* 1 + the latest earlier step that it conflicts with; 0: none */
    uint32_t access, naccesses; /* all its accesses; `step` may hold only the first few */
};

struct hd_trace_access {
    uint32_t obj;
    uint32_t step;
    uint32_t previous; /* 1 + the previous access to the object; 0: none */
    uint32_t other;    /* 1 + the latest previous access of another class; 0: none */
    uint32_t access;   /* enum hd_access */
    uint32_t threads;  /* bits: threads that have made an access of this class since `other` */
};

struct hd_trace_object {
    uint32_t obj;
    uint32_t stamp; /* the trace for which the entry is valid */
    uint32_t last;  /* 1 + the latest access */
};

struct hd_trace {
    const struct hd_execution *exec;
    const struct hd_sections *lazy;     /* mutexes whose order is ignored here; NULL: none */
    uint32_t nsteps;
    uint32_t kept;                      /* number of steps taken over from the previous trace */
    uint32_t unchanged;                 /* number of steps that have not changed since history.c last updated
                                         * its lists */
    uint32_t nthreads;
    uint32_t width;                     /* words per clock: nthreads rounded up to HD_TRACE_LANES */
    uint32_t naccesses;
    uint32_t nmany;                     /* number of steps that do not list all their accesses (HD_STEP_MANY or
                                         * HD_STEP_ALL) */
    uint32_t nlong;                     /* number of long steps */
    uint32_t stamp;
    uint64_t valid;                     /* 1 + the index of the execution for which the trace is complete */
    struct hd_trace_step *step;         /* [HD_TRACE_STEPS] */
    struct hd_trace_access *access;     /* [HD_TRACE_ACCESSES] */
    uint32_t *clock;                    /* [nsteps][width]; 0 beyond nthreads */
    struct hd_trace_object *object;     /* hash table [HD_TRACE_OBJECTS] */
    uint32_t last_of[HD_MAX_THREADS];   /* each thread's latest step, or the step that created the thread, or
                                         * HD_NO_STEP */
    uint32_t first_of[HD_MAX_THREADS];  /* each thread's first step; HD_NO_STEP: none */
    uint32_t steps_of[HD_MAX_THREADS];
    uint64_t work;                      /* accesses examined; tests check this */
};

void hd_trace_init(struct hd_trace *t, struct hd_arena *arena);

/* Starts the trace of exec, whose first `keep` steps are those of the previous execution.  Returns the number
 * of steps that are reused; the caller adds the others. */
uint32_t hd_trace_start(struct hd_trace *t, const struct hd_execution *exec, uint32_t keep);
/* Adds a step of thread tid that consists of these events.  Returns false if the trace is full. */
bool hd_trace_add(struct hd_trace *t, const struct hd_step *step, hd_tid tid, uint32_t event,
                  uint32_t nevents);
/* Call when all steps have been added.  Only then may the next trace reuse this one (rule S4). */
void hd_trace_finish(struct hd_trace *t);

/* Returns the vector clock of step s: for each thread, how many of its steps happen before s, or are s. */
static inline uint32_t *hd_trace_clock(const struct hd_trace *t, uint32_t s)
{
    return &t->clock[(uint64_t)s * t->width];
}

/* True if step a happens before step b, or is b.  If b is HD_NO_STEP, false. */
static inline bool hd_trace_before(const struct hd_trace *t, uint32_t a, uint32_t b)
{
    const struct hd_trace_step *s = &t->step[a];

    return b != HD_NO_STEP && hd_trace_clock(t, b)[s->tid] >= s->nth;
}

/* Used while walking back along the chain of an object's accesses: which accesses does the current step happen
 * after?  Two accesses of different classes conflict, so the later one happens after the earlier one.  So if
 * the step happens after an access, it also happens after all accesses of another class before that one, and
 * after all accesses of the same class by the same thread. */
struct hd_trace_followed {
    uint32_t class;   /* class of the access met last that the step happens after; UINT32_MAX: none yet */
    uint32_t threads; /* bits: threads whose accesses of this class the step happens after */
};
#define HD_TRACE_FOLLOWS_NONE { UINT32_MAX, 0 }

/* Records that the step happens after access a. */
static inline void hd_trace_follow(const struct hd_trace *t, struct hd_trace_followed *f,
                                   const struct hd_trace_access *a)
{
    f->class = a->access;
    if (t->nthreads <= 32) /* otherwise threads would share bits */
        f->threads |= UINT32_C(1) << t->step[a->step].tid;
}

/* True if the step happens after a and after all accesses before a. */
static inline bool hd_trace_follows_rest(const struct hd_trace_followed *f,
                                         const struct hd_trace_access *a)
{
    return f->class != UINT32_MAX && (f->class != a->access || (a->threads & ~f->threads) == 0);
}

/* Returns the latest step of the thread before step s; HD_NO_STEP if there is none. */
uint32_t hd_trace_thread_before(const struct hd_trace *t, hd_tid tid, uint32_t s);
/* Like hd_trace_thread_before, but only among the steps that do not happen after step e of another thread. */
uint32_t hd_trace_thread_beside(const struct hd_trace *t, hd_tid tid, uint32_t e, uint32_t s);
/* Returns the first step of the thread after step e; HD_NO_STEP if there is none. */
uint32_t hd_trace_thread_after(const struct hd_trace *t, hd_tid tid, uint32_t e);

/* Returns 1 + the latest access to the object; 0 if there is none. */
uint32_t hd_trace_last_access(const struct hd_trace *t, uint32_t obj);

#endif
