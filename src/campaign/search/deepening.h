/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deepening.h - iterative deepening over scheduling points: keeps the list of searches ("jobs"), each over its own
 * set of points, and chooses the job that runs next.  After B. Blum, "Practical concurrency testing" (2018), chapter
 * 4.  Pure data: quicksand.c runs the jobs.
 *
 * J1  The first jobs are: one without any class of points, one for each class that the program uses, and one with all
 *     these classes.  The maximal job, with all classes and all places, is not in the list: it always runs.
 * J2  If a job meets a race at a place outside its set, two jobs are added: one for the place alone (a small job),
 *     and one for the set with the place.  Small jobs add no jobs.
 * J3  The job with the best priority, among those that have not begun, is next.  The priority of a job is that of the
 *     best point in its set that no complete job has explored.  Points, best first: places of races that were seen in
 *     both orders, places of other races, atomics, locks and other synchronisation, unlocks.  A job whose points have all been explored comes before all others.
 *     Between equal priorities the smaller set is next.
 * J4  A job is suspended if it is expected to need much more time than is left, and another job may need less.  A job
 *     whose set contains a suspended set is not begun.
 * J5  If a job finds a bug, all jobs whose sets contain its set are cancelled: they would only find it again.  A
 *     complete job covers all jobs whose sets its set contains. */
#ifndef HD_CAMPAIGN_SEARCH_DEEPENING_H
#define HD_CAMPAIGN_SEARCH_DEEPENING_H

#include <stdbool.h>
#include <stdint.h>

#define HD_DEEP_JOBS 256
#define HD_DEEP_PLACES 64 /* racing places that may be chosen one by one; the maximal job has them all */

struct hd_point_set {
    uint32_t classes; /* enum hd_point_class, bits; never HD_POINT_ACCESS */
    uint64_t places;  /* one bit for each racing place, in order of discovery */
};

enum hd_job_state {
    HD_JOB_PENDING,   /* not begun */
    HD_JOB_RUNNING,
    HD_JOB_SUSPENDED,
    HD_JOB_COMPLETE,  /* everything in its set was explored; no failure */
    HD_JOB_BUGGY,
    HD_JOB_CANCELLED, /* a job over a part of its set has found a bug */
    HD_JOB_COVERED,   /* a larger set is complete */
    HD_JOB_ENDED,     /* incomplete, and cannot continue */
};

struct hd_job {
    struct hd_point_set set;
    enum hd_job_state state;
    bool small;          /* J2: a job for one place alone */
    uint64_t met;        /* racing places that the job has met */
    uint64_t executions;
    double seconds;      /* running time so far */
    double left;         /* estimate of the seconds that it still needs; < 0: unknown */
};

struct hd_job_list {
    struct hd_job job[HD_DEEP_JOBS];
    unsigned n;
    uint32_t base;    /* classes that every set contains */
    uint32_t classes; /* classes that the program uses */
    uint64_t both_orders; /* places of races that were seen in both orders */
    struct hd_point_set explored; /* points explored by complete jobs that are not small */
};

/* The whole time of the campaign and the time left, in seconds. */
struct hd_deep_time {
    double whole, left;
};

/* J1: adds the first jobs.  classes: the classes that the program has used so far.  May be called again when the
 * program has used more. */
void hd_deepening_seed(struct hd_job_list *d, uint32_t base, uint32_t classes);
/* J2: adds the jobs for races that job j has met at these places. */
void hd_deepening_met(struct hd_job_list *d, unsigned j, uint64_t places);
/* J3, J4: returns the job to run next, or -1 if there is none. */
int hd_deepening_next(const struct hd_job_list *d);
/* J4: true if a search is expected to need much longer than the time that is left.  executions: those that it has
 * run; left: the seconds that it still needs. */
bool hd_deepening_is_hopeless(uint64_t executions, double left, struct hd_deep_time time);
/* J4: true if the running job j should be suspended. */
bool hd_deepening_suspends(const struct hd_job_list *d, unsigned j, struct hd_deep_time time);
/* Ends job j, which is over, in this state.  Applies J5. */
void hd_deepening_over(struct hd_job_list *d, unsigned j, enum hd_job_state how);

#endif
