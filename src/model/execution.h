/* SPDX-License-Identifier: BSD-2-Clause
 *
 * execution.h - one run of the program: its decisions, its events and its end.  It is in shared memory and
 * survives the worker that ran it. */
#ifndef HD_MODEL_EXECUTION_H
#define HD_MODEL_EXECUTION_H

#include "base/set.h"
#include "model/awaits.h"
#include "model/event.h"
#include "model/fact.h"

#define HD_MAX_STEPS (1u << 22)

/* One decision: the thread (or, for a choice, the alternative) and a signature of its
 * pending operation, by which replay notices divergence. */
struct hd_decision {
    uint16_t chosen;
    uint16_t alternatives; /* 0: a thread was chosen; n: one of n alternatives */
    uint32_t sig;
};

enum hd_ending {
    HD_END_RUNNING,   /* not over, or the worker died during it */
    HD_END_CLEAN,
    HD_END_DEADLOCK,  /* threads are blocked for ever */
    HD_END_LIVELOCK,  /* threads poll for ever */
    HD_END_FAILED,    /* some thread failed; see the findings */
    HD_END_LOST,      /* the process died */
    HD_END_TOO_LONG,  /* step limit or watchdog */
    HD_END_DIVERGED,  /* the execution did not follow the replayed prefix */
    HD_END_CUT,       /* cut by the strategy: not checked for findings */
    HD_END_AGAIN,     /* a step has turned out to be impossible (A6 of runtime/progress/await.h); the execution
                       * is run again, and no strategy sees this ending */
};

enum hd_thread_state {
    HD_TH_UNUSED,
    HD_TH_LIVE,
    HD_TH_FINISHED,
    HD_TH_FAILED,
    HD_TH_STOPPED, /* stopped by heddle_assume */
};

struct hd_thread_info {
    hd_tid parent;
    uint16_t nth;       /* nth child of its parent, from 0 */
    uint16_t slot;      /* identity in the whole campaign, determined by the parent's slot and nth */
    uint8_t state;      /* enum hd_thread_state */
    uint64_t create_pc; /* where it was created */
    char name[16];      /* set by pthread_setname_np; empty: none */
};

struct hd_execution {
    uint64_t index;       /* index of this execution in the campaign, from 0 */
    uint32_t nsteps;      /* number of decisions taken */
    uint32_t nevents;
    uint32_t nthreads;
    uint32_t preemptions;
    uint32_t ending;      /* enum hd_ending */
    uint32_t findings;    /* number of findings in this execution */
    uint32_t assumed;     /* threads stopped by heddle_assume: the execution does not count */
    uint32_t choices;     /* decisions that are not about threads: heddle_choose, faults */
    uint32_t loop_cuts;   /* threads stopped by the loop bound; then the search is not complete */
    uint32_t grace_cuts;  /* threads cut by the exit grace; then the search is not complete */
    uint32_t sites;       /* racing sites known at its end, from this and all earlier executions */
    uint32_t facts;       /* enum hd_fact: effects that a reduction does not model */
    int32_t exit_code;
    uint32_t diverged_step;
    struct hd_event diverged_found; /* valid when ending is DIVERGED */
    uint64_t trace_hash;
    struct hd_decision *decisions; /* [HD_MAX_STEPS] */
    uint32_t *stands;              /* [HD_MAX_STEPS]: hd_point.stands before each decision */
    struct hd_event *events;       /* [HD_MAX_STEPS * 2] */
    uint64_t *await_keys;          /* [HD_MAX_STEPS * 2]: keys of the events with hd_event_awaits
                                    * (model/awaits.h) */
    const struct hd_await_table *awaits; /* NULL: there are no such events */
    uint32_t waits;       /* number of places with waiting loops that are known; constant during a pass */
    uint32_t fixed;       /* number of decisions at the start that are not explored: those before heddle_start()
                           * (runtime/progress/prologue.h); UINT32_MAX while that call is still to come */
    uint32_t only_waits;  /* not 0: the search does not use the last part of the execution (hd_point.only_waits) */
    _Alignas(32) struct hd_event pending[HD_MAX_THREADS]; /* aligned so that no element straddles
                                                           * two cache lines */
    struct hd_thread_info threads[HD_MAX_THREADS];
};

/* True if the execution ended for a reason outside the program and the search.  Then it is unknown how it would
 * have continued. */
static inline bool hd_execution_was_interrupted(const struct hd_execution *x)
{
    return x->ending == HD_END_RUNNING || x->ending == HD_END_LOST ||
           x->ending == HD_END_TOO_LONG || x->ending == HD_END_DIVERGED;
}

#endif
