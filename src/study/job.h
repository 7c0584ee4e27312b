/* SPDX-License-Identifier: BSD-2-Clause
 *
 * job.h - runs one cell of a study as a process: `heddle run` on one program with one
 * strategy and seed.  It is a separate process, so that a crash affects only this cell. */
#ifndef HD_STUDY_JOB_H
#define HD_STUDY_JOB_H

#include <sys/types.h>

#include "study/build.h"
#include "study/db.h"

struct hd_study_job {
    pid_t pid; /* 0: the slot is free */
    struct hd_cell cell; /* key and suite are set before it starts */
    const struct hd_study_program *program;
    char dir[PATH_MAX]; /* directory for its files, used by no other job */
    double deadline;    /* time at which the job is killed */
    bool killed;        /* killed at its deadline */
};

/* Starts the job.  Returns false if that fails; the cell then contains the reason. */
bool hd_study_job_start(struct hd_study_job *j, const struct hd_study_built *built);

/* Kills the job if its time is over. */
void hd_study_job_watch(struct hd_study_job *j);

/* Reads the result of a job that has ended with this status.  Returns false if this machine cannot
 * run Heddle. */
bool hd_study_job_end(struct hd_study_job *j, int status, struct hd_study_db *db);

/* Removes the contents of the job's directory: the schedules of its findings, and its result. */
void hd_study_job_clear(const struct hd_study_job *j);

/* Stops the job because the user wants to stop. */
void hd_study_job_stop(struct hd_study_job *j);

#endif
