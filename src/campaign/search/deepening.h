/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deepening.h - iterative deepening over scheduling points: which searches ("jobs") there are, each
 * over its own set of points, and which of them runs next.  After B. Blum, "Practical concurrency
 * testing" (2018), chapter 4.  Pure data: quicksand.c runs the jobs.
 *
 * J1  The first jobs have no class of points, each class that the program uses, and all of them.  The
 *     job with all classes and all places, the maximal one, is not in the list: it always runs.
 * J2  A race that a job meets at a place outside its set makes two jobs: the place alone (a small job),
 *     and the set with the place.  Small jobs make no jobs.
 * J3  Among jobs that have not begun the one with the best priority is next: places of races before
 *     atomics before locks and other synchronisation before unlocks, and then the smaller set.  Points
 *     that a job has explored completely do not count.
 * J4  A job is suspended when it will take much longer than there is time, and another one may not.
 *     What contains a suspended set is not begun.
 * J5  A bug cancels all jobs that contain the set: they would only find it again.  A complete job
 *     covers all jobs that it contains. */
#ifndef HD_CAMPAIGN_SEARCH_DEEPENING_H
#define HD_CAMPAIGN_SEARCH_DEEPENING_H

#include <stdbool.h>
#include <stdint.h>

#define HD_DEEP_JOBS 256
#define HD_DEEP_PLACES 64 /* racing places that may be chosen one by one; the maximal job has them all */

struct hd_point_set {
    uint32_t classes; /* enum hd_point_class, bits; never HD_POINT_ACCESS */
    uint64_t places;  /* bits: racing places, in the order of their discovery */
};

enum hd_job_state {
    HD_JOB_PENDING,   /* not begun */
    HD_JOB_RUNNING,
    HD_JOB_SUSPENDED,
    HD_JOB_COMPLETE,  /* explored; no failure */
    HD_JOB_BUGGY,
    HD_JOB_CANCELLED, /* a part of it has a bug */
    HD_JOB_COVERED,   /* a larger set is complete */
    HD_JOB_ENDED,     /* not complete, and cannot go on */
};

struct hd_job {
    struct hd_point_set set;
    enum hd_job_state state;
    bool small;          /* J2 */
    uint64_t met;        /* racing places that it has met */
    uint64_t executions;
    double seconds;      /* of running so far */
    double left;         /* estimate of the seconds that it still needs; < 0: not known */
};

struct hd_job_list {
    struct hd_job job[HD_DEEP_JOBS];
    unsigned n;
    uint32_t base;    /* classes that every set has */
    uint32_t classes; /* that the program uses */
    struct hd_point_set explored; /* by complete jobs that are not small */
};

/* The time that there is, in seconds. */
struct hd_deep_time {
    double whole, left;
};

/* J1.  classes: those that the program uses, so far.  May be called again when there are more. */
void hd_deepening_seed(struct hd_job_list *d, uint32_t base, uint32_t classes);
/* J2: job j has met races at these places. */
void hd_deepening_met(struct hd_job_list *d, unsigned j, uint64_t places);
/* J3, J4: the job to run next; -1: none. */
int hd_deepening_next(const struct hd_job_list *d);
/* J4: will a search that has run so many executions, and still needs so many seconds, take much longer than there is time? */
bool hd_deepening_is_hopeless(uint64_t executions, double left, struct hd_deep_time time);
/* J4: should the running job j be suspended? */
bool hd_deepening_suspends(const struct hd_job_list *d, unsigned j, struct hd_deep_time time);
/* Job j is over.  J5. */
void hd_deepening_over(struct hd_job_list *d, unsigned j, enum hd_job_state how);

#endif
