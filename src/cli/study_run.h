/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_run.h - the cells of a study, several at a time; those that the database has are
 * left out, so that a study that was ended goes on where it was. */
#ifndef HD_CLI_STUDY_RUN_H
#define HD_CLI_STUDY_RUN_H

#include "cli/study_job.h"

enum { HD_STUDY_JOBS = 64 };

struct hd_study_plan {
    struct hd_study_list list;
    char list_path[PATH_MAX]; /* absolute */
    const char *patterns;     /* of programs; NULL: all */
    struct hd_study_names strategies;
    struct hd_study_seeds seeds;
    uint64_t limit, budget_ms; /* of one cell */
    uint32_t jobs;
    bool keep_going, quiet;
    const char *db;
};

/* How many cells at a time; 0 asks for one for each processor that may be used. */
uint32_t hd_study_jobs(uint32_t asked);

/* HD_EXIT_CLEAN: all cells are in the database, failures too.  HD_EXIT_BUDGET: the user has
 * ended it.  HD_EXIT_USAGE, after having said why: nothing could be kept.  HD_EXIT_SKIPPED. */
int hd_study_run(const struct hd_study_plan *plan, struct hd_study_db *db);

#endif
