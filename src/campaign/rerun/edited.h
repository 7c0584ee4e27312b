/* SPDX-License-Identifier: BSD-2-Clause
 *
 * edited.h - follows a recorded schedule in another build of the program.
 *
 * A schedule is a sequence of runs: a thread makes some operations, then Heddle switches to another thread.  What
 * matters is the operation after which each switch comes.  So each thread runs until it has made the operation
 * before its next recorded switch.  Operations are recognised by function, kind and object (shrink/align.h), so
 * that others may be added or removed in between.  If a thread has to wait where it did not wait in the recording,
 * other threads run until it can continue. */
#ifndef HD_CAMPAIGN_RERUN_EDITED_H
#define HD_CAMPAIGN_RERUN_EDITED_H

#include "base/map.h"
#include "campaign/rerun/plan_runner.h"
#include "shrink/align.h"

struct hd_edited {
    struct hd_plan_runner *t;
    const struct hd_schedule *recorded;
    /* Called after each execution.  Returns true if no more executions are needed. */
    bool (*judge)(void *ctx);
    void *ctx;

    /* result */
    struct hd_decision *plan; /* the plan so far, which follows the schedule; threads by slot */
    uint32_t nplan;
    uint32_t switches; /* runs of the recorded schedule */
    uint32_t followed; /* runs whose last operation was made */
    uint32_t held;     /* runs whose thread had to wait where it did not wait in the recording */
    bool exact;        /* all operations were those of the recording, and no others came in between */
    bool decided;      /* judge returned true */
    bool failed;       /* an execution could not be run, or did not end in time */
    uint64_t executions;

    /* private */
    struct hd_texts texts;
    struct hd_map known; /* maps an event to the index of its operation */
    struct hd_align_op *ops;
    size_t nops;
    struct hd_align_names names;
    uint32_t capacity;        /* capacity of the arrays in names */
    struct hd_align_op *then; /* recorded operations, those of slot s from first[s] to first[s + 1] */
    uint32_t *first;
    struct hd_edited_thread {
        uint32_t then; /* number of the thread's recorded operations that were followed or given up */
        uint32_t now;  /* number of this thread's steps in the plan so far */
    } *threads;        /* by slot */
    struct hd_decision *trial; /* a plan to run */
};

/* Follows the schedule.  e: t, recorded, judge and ctx are set, all else is 0. */
void hd_edited_follow(struct hd_edited *e);

/* Runs a plan as one more execution.  Returns false if no more are to be run. */
bool hd_edited_run(struct hd_edited *e, const struct hd_decision *plan, uint32_t n);

/* True if the object that had the lasting name `then` in the recording has the lasting name `now`
 * in this build. */
bool hd_edited_is_object(struct hd_edited *e, const char *then, const char *now);

void hd_edited_free(struct hd_edited *e);

#endif
