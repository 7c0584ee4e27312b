/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_job.h - one cell of a study as a process: `heddle run` on one program with one
 * strategy and seed.  A process, so that whatever happens to it is the cell's misfortune and
 * nobody else's. */
#ifndef HD_CLI_STUDY_JOB_H
#define HD_CLI_STUDY_JOB_H

#include <sys/types.h>

#include "cli/study_build.h"
#include "study/db.h"

struct hd_study_job {
    pid_t pid; /* 0: the place is free */
    struct hd_cell cell; /* key and suite are set before it starts */
    const struct hd_study_program *program;
    char dir[PATH_MAX]; /* for its files; exists, and is nobody else's */
    double deadline;    /* when it is killed */
    bool killed;        /* by us, at its deadline */
};

/* False: it could not be started, which the cell says. */
bool hd_study_job_start(struct hd_study_job *j, const struct hd_study_built *built);

/* End it when its time is over. */
void hd_study_job_watch(struct hd_study_job *j);

/* It has ended with that status: what came of it.  False: this machine cannot run Heddle. */
bool hd_study_job_end(struct hd_study_job *j, int status, struct hd_study_db *db);

/* Remove what is in its directory: schedules of its findings, and its result. */
void hd_study_job_clear(const struct hd_study_job *j);

/* Give it up, for the user's sake. */
void hd_study_job_stop(struct hd_study_job *j);

#endif
