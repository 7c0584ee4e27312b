/* SPDX-License-Identifier: BSD-2-Clause
 *
 * run.h - runs the cells of a study, several at a time; cells that the database
 * already has are skipped, so that an interrupted study continues. */
#ifndef HD_STUDY_RUN_H
#define HD_STUDY_RUN_H

#include "study/job.h"

enum { HD_STUDY_JOBS = 64 };

struct hd_study_plan {
    struct hd_study_list list;
    char list_path[PATH_MAX]; /* absolute */
    const char *patterns;     /* patterns of programs; NULL: all */
    struct hd_study_names strategies;
    struct hd_study_seeds seeds;
    uint64_t limit, budget_ms; /* limits of one cell */
    uint32_t jobs;
    bool keep_going, quiet;
    const char *db;
};

/* Number of cells to run at a time; 0 means one per available processor. */
uint32_t hd_study_jobs(uint32_t asked);

/* Runs the study.  Returns HD_EXIT_CLEAN if all cells are in the database, including failed ones;
 * HD_EXIT_BUDGET if the user ended it; HD_EXIT_USAGE, after a message, if results could not be
 * stored; HD_EXIT_SKIPPED if this machine cannot run Heddle. */
int hd_study_run(const struct hd_study_plan *plan, struct hd_study_db *db);

#endif
