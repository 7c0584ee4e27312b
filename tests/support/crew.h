/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crew.h - several explorers of one program that share a search, in one process and
 * stepped in a random order, so that every run can be repeated. */
#ifndef HD_TESTS_SUPPORT_CREW_H
#define HD_TESTS_SUPPORT_CREW_H

#include "search/core/passes.h"
#include "search/core/share.h"
#include "support/explorer.h"

#define CREW_MAX 4

/* What a search has explored, whichever worker did it and in whatever order. */
struct tally {
    uint64_t executions, redundant, buggy;
    uint64_t classes; /* sum over the counted executions of the hashes of their classes */
    uint64_t traces;  /* sum over the counted executions of the hashes of their schedules */
    uint64_t set;     /* sum of the hashes of all distinct classes */
    uint64_t nset;    /* number of distinct classes */
    uint64_t nstates; /* final states */
    bool over, complete;
    uint64_t given;   /* number of times that a worker gave work to another */
    uint64_t tasks;   /* number of tasks */
    uint64_t lost;    /* number of executions lost in the last pass */
    double explored;   /* the explored part that the search reported last */
    uint64_t restarts; /* number of passes after the first */
    uint64_t fallback; /* enum hd_fallback */
};

struct crew {
    struct explorer x[CREW_MAX];
    unsigned n;
    struct hd_arena shared;
    struct hd_passes passes;
    struct hd_learnt *learnt;
    struct tally tally;
    bool ran[CREW_MAX]; /* the execution has run, but is not ended yet */
    bool trouble; /* inject trouble: cut executions off, lose commits, restart workers */
    bool losses;  /* some executions kill their process, and another process ends them */
    void (*note)(struct explorer *x, void *ctx); /* called after each execution; NULL: nothing */
    void *ctx;
    bool greedy;  /* other workers always want work: give some away after every execution */
};

/* Explores the program with one worker and without trouble, up to `limit` executions. */
struct tally crew_alone(const struct program *p, const char *spec, int64_t bound, uint64_t limit);

/* Explores the program with n workers. rng determines the order of steps and the trouble. */
struct tally crew_explore(struct crew *c, unsigned n, const struct program *p, const char *spec,
                          int64_t bound, struct hd_rng *rng);

#endif
