/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job_process.h - a search in its own process.  It runs in turns: for a while, when its parent asks it to, and then
 * waits (quicksand.h).  While it waits, it has no target, only the wire with the state of the search.  The next turn
 * starts a target on that wire, which continues the search. */
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
    bool over;         /* it has ended by itself */
    bool complete;     /* it may claim all that its options ask for */
    bool bug;          /* it has a finding other than a data race */
    bool interrupted;  /* by a signal of the user */
    bool cannot_wait;  /* its target cannot be started again on the same state */
    int64_t verified;  /* everything within this bound is explored, and the search may claim so; -1: nothing, or it
                        * has no bound */
    uint64_t executions, redundant;
    uint64_t threads_max, steps_max;
    uint64_t nfindings;
    double seconds;
    double cpu;        /* processor time of this process and its targets, in seconds */
    double left;       /* as in struct hd_job */
    uint32_t classes;  /* bits of enum hd_point_class: classes used in its last execution */
    uint32_t nplaces;  /* racing places that it knows */
    hd_cname places[HD_DEEP_PLACES];
    char sites[HD_DEEP_PLACES][48]; /* these places in the source */
    uint32_t npredicted; /* places of races that were predicted (--races predict) */
    hd_cname predicted[HD_DEEP_PLACES];
    char predicted_sites[HD_DEEP_PLACES][48];
    uint32_t nraces;
    struct hd_job_race races[HD_RESULT_OPEN_RACES];
};

struct hd_job_process {
    pid_t pid; /* 0: none */
    int fd;    /* socket to the process */
    bool busy; /* it has not answered yet */
};

/* Starts the process. number: the number of the search, which is part of the name of its state file.  With o->resume,
 * the search continues from that file. */
bool hd_job_process_start(struct hd_job_process *p, const struct hd_options *o, const struct hd_one *one, unsigned number);
/* Lets the search run for so many milliseconds.  The answer arrives on p->fd. */
void hd_job_process_run(struct hd_job_process *p, uint64_t ms);
/* Waits for the answer, at most so many milliseconds.  Returns false if it has not arrived. */
bool hd_job_process_wait(const struct hd_job_process *p, int ms);
/* Reads the answer.  Returns false if the process has died. */
bool hd_job_process_answer(struct hd_job_process *p, struct hd_job_status *out);
/* Lets the process show its findings and its result, write the report files, and end. all: what all searches have
 * done, for the report files. keeps: as for hd_job_process_end.  Returns the exit code of the process. */
int hd_job_process_conclude(struct hd_job_process *p, const struct hd_result_quicksand *all, bool keeps);
/* Makes the process save its state. */
void hd_job_process_park(struct hd_job_process *p);
/* Ends the process without showing anything.  If `keeps`, the file of its state stays. */
void hd_job_process_end(struct hd_job_process *p, bool keeps);

#endif
