/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crew.h - several explorers of one program that share a search, in one process and
 * stepped in a random order, so that every run can be repeated. */
#ifndef HD_TESTS_SUPPORT_CREW_H
#define HD_TESTS_SUPPORT_CREW_H

#include "search/core/share.h"
#include "support/explorer.h"

#define CREW_MAX 4

/* What a search has explored, by whichever worker and in whatever order. */
struct tally {
    uint64_t executions, redundant, buggy;
    uint64_t classes; /* sum over the counted executions of a hash of their class */
    uint64_t traces;  /* the same of their schedules */
    uint64_t set;     /* sum over the classes, each once ... */
    uint64_t nset;    /* ... and how many they are */
    uint64_t nstates; /* final states */
    bool over, complete;
    uint64_t given;   /* how often a worker gave something away */
    uint64_t tasks;   /* that there were */
    uint64_t lost;    /* executions */
};

struct crew {
    struct explorer x[CREW_MAX];
    unsigned n;
    struct hd_arena shared;
    struct tally tally;
    bool ran[CREW_MAX]; /* the execution is over, its end is due */
    bool trouble; /* cut executions off, lose commits, start workers anew */
    bool losses;  /* some executions kill their process; another one ends them */
    bool greedy;  /* work is always wanted: give away after every execution */
};

/* Explored by one worker without trouble, up to `limit` executions. */
struct tally crew_alone(const struct program *p, const char *spec, int64_t bound, uint64_t limit);

/* Explored by n; the order of steps and the trouble come from rng. */
struct tally crew_explore(struct crew *c, unsigned n, const struct program *p, const char *spec,
                          int64_t bound, struct hd_rng *rng);

#endif
