/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_job.h - one cell of a study as a process: `heddle run` on one program with one
 * strategy and seed.  A separate process, so that a crash affects only this cell. */
#ifndef HD_CLI_STUDY_JOB_H
#define HD_CLI_STUDY_JOB_H

#include <sys/types.h>

#include "cli/study_build.h"
#include "study/db.h"

struct hd_study_job {
    pid_t pid; /* 0: the slot is free */
    struct hd_cell cell; /* key and suite are set before it starts */
    const struct hd_study_program *program;
    char dir[PATH_MAX]; /* directory for its files, used by no other job */
    double deadline;    /* when it will be killed */
    bool killed;        /* killed at its deadline */
};

/* False if it could not be started; the cell gives the reason. */
bool hd_study_job_start(struct hd_study_job *j, const struct hd_study_built *built);

/* Kill it if its time is over. */
void hd_study_job_watch(struct hd_study_job *j);

/* It has ended with that status: read the result.  False if this machine cannot run Heddle. */
bool hd_study_job_end(struct hd_study_job *j, int status, struct hd_study_db *db);

/* Remove the contents of its directory: schedules of its findings, and its result. */
void hd_study_job_clear(const struct hd_study_job *j);

/* Stop it because the user wants to stop. */
void hd_study_job_stop(struct hd_study_job *j);

#endif
