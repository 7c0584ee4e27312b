/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_process.h - a search in its own process, which runs in turns (quicksand.h): its parent lets it run for a
 * while, then it waits.  While it waits, it has no target, only the wire with the state of the search.  The next
 * turn starts a target with that wire, and the target continues the search. */
#ifndef HD_CAMPAIGN_SEARCH_JOB_PROCESS_H
#define HD_CAMPAIGN_SEARCH_JOB_PROCESS_H

#include <sys/types.h>

#include "campaign/search/deepening.h"
#include "campaign/search/search_one.h"

/* A race that a search has met. */
struct hd_job_race {
    uint64_t key; /* hd_race_key */
    uint32_t seen; /* enum hd_race_seen */
    char places[200];
};

/* What a search has done so far. */
struct hd_job_status {
    int code;          /* HD_EXIT_CLEAN; otherwise why it could not run, or its exit code after it has shown its result */
    bool over;         /* the search has ended by itself */
    bool complete;     /* the search may claim everything that its options ask for */
    bool bug;          /* the search has a finding other than a data race */
    bool interrupted;  /* ended by a signal of the user */
    bool parked;       /* the answer to hd_job_process_park */
    bool cannot_wait;  /* its target cannot be started again with the same state */
    int64_t verified;  /* everything within this bound is explored, and the search may claim so; -1: nothing, or it
                        * has no bound */
    uint64_t executions, redundant;
    uint64_t threads_max, steps_max;
    uint64_t nfindings;
    double seconds;
    double cpu;        /* processor time of this process and its targets, in seconds */
    double left;       /* as in struct hd_job: by the larger of two estimates */
    double left_least; /* the same by the smaller one */
    uint32_t classes;  /* bits of enum hd_point_class: classes used in its last execution */
    uint32_t nplaces;  /* number of racing places that the search knows */
    hd_cname places[HD_DEEP_PLACES];
    char sites[HD_DEEP_PLACES][48]; /* their places in the source */
    uint64_t both_orders; /* those of races that it has seen in both orders; bit i: places[i] */
    uint32_t npredicted; /* number of places of predicted races (--races predict) */
    hd_cname predicted[HD_DEEP_PLACES];
    char predicted_sites[HD_DEEP_PLACES][48];
    uint32_t nraces;
    struct hd_job_race races[HD_RESULT_OPEN_RACES];
};

struct hd_job_process {
    pid_t pid; /* 0: none */
    int fd;    /* socket to the process */
    bool busy; /* the process has not answered yet */
};

/* Starts the process. number: the number of the search, which is part of the name of its state.  With o->resume,
 * the search continues from it. */
bool hd_job_process_start(struct hd_job_process *p, const struct hd_options *o, const struct hd_one *one, unsigned number);
/* Lets the search run for that many milliseconds.  The answer arrives on p->fd. */
void hd_job_process_run(struct hd_job_process *p, uint64_t ms);
enum { HD_JOB_PROCESSES = 2 };
/* Waits for the answer of one of at most HD_JOB_PROCESSES processes, for at most that many milliseconds.  Returns false if
 * none has arrived. */
bool hd_job_process_wait(const struct hd_job_process *const *p, unsigned n, int ms);
/* Makes the process end its turn, as if the user had interrupted it. */
void hd_job_process_interrupt(const struct hd_job_process *p);
/* Reads the answer.  Returns false if the process has died. */
bool hd_job_process_answer(struct hd_job_process *p, struct hd_job_status *out);
/* Makes the process show its findings and its result, write the report files, and end.  all: summary of all
 * searches, for the report files.  keeps: as for hd_job_process_end.  Returns the exit code of the process. */
int hd_job_process_conclude(struct hd_job_process *p, const struct hd_result_quicksand *all, bool keeps);
/* Makes the process save its state.  Returns false if it could not. */
bool hd_job_process_park(struct hd_job_process *p);
/* Ends the process without showing anything.  keeps: keep its state. */
void hd_job_process_end(struct hd_job_process *p, bool keeps);

#endif
