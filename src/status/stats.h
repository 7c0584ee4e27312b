/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats.h - how a search stands, as facts: what the panel shows, what stats.json in the output
 * directory says to other programs, and what `heddle status` reads back.
 *
 * The file is one flat object, written and read by one table (stats.c), so that the two cannot
 * disagree.  docs/json.md describes its fields. */
#ifndef HD_STATUS_STATS_H
#define HD_STATUS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/finding.h"

#define HD_STATS_VERSION 1

/* Numbers of type double that are not known are NAN, and null in the file; so are texts that
 * are empty where that is said. */
struct hd_stats {
    uint64_t version;

    /* whose */
    bool running;          /* false: verdict and exit_code are final */
    uint64_t pid;          /* of the tool ... */
    uint64_t process_start; /* ... when that process began, in ticks since ... */
    char boot[40];         /* ... this start of the machine */
    char verb[16];
    char command[1024];    /* for a shell */
    char program[512];
    char test[256];        /* of --each; empty: null */
    double started, updated; /* seconds since 1970 */
    double seconds;        /* that it has searched */
    char verdict[16];      /* empty while it runs: null */
    double exit_code;

    /* the search */
    char strategy[200]; /* with its parameters */
    uint64_t seed;
    bool samples;       /* it draws executions, and has no end */
    char isolation[16];
    char fork_reason[128]; /* empty: null */
    uint64_t jobs;
    uint64_t workers_alive, workers_lost;
    double limit_executions, limit_seconds;
    uint64_t executions, redundant, assumed, discarded, too_long, loop_cuts;
    uint64_t passes;
    double rate_now, rate; /* executions per second */
    uint64_t threads_max, steps_max;
    double steps_mean;
    double bound;          /* that a bounded search works on */
    double explored;       /* part of the tree, or of the bound */
    double estimate_low, estimate_high;         /* executions, by two ways of estimating */
    double seconds_left_low, seconds_left_high; /* by the same */
    double limit_seconds_left;                  /* until a limit ends it */
    char estimate_unknown[100]; /* why there is none; empty: null */

    /* what came of it */
    uint64_t findings;
    uint64_t by_kind[HD_FK_COUNT];
    uint64_t warnings, suppressed;
    uint64_t races, races_confirmed; /* pairs of places; of them, in both orders */
    double last_finding_seconds, last_finding_execution;
    double last_new_seconds, last_new_execution; /* a finding, a race or its other order */
    char advice[400]; /* when to stop; empty: null */
};

/* All that is not known. */
void hd_stats_clear(struct hd_stats *s);

/* One object; `what` is a struct hd_stats.  As hd_json_file wants it. */
void hd_stats_write(FILE *out, const void *what);

/* The fields that `text` has; false when it is not such an object.  Fields that are not known
 * are passed over: a later version may have more. */
bool hd_stats_parse(const char *text, struct hd_stats *out);

/* The file; false with errno set, EBADMSG when it is none of ours. */
bool hd_stats_read(const char *path, struct hd_stats *out);

/* This process, to be recognised by hd_stats_alive. */
void hd_stats_identify(struct hd_stats *s);

/* Is the process still there that writes these?  Another one may have got its number. */
bool hd_stats_alive(const struct hd_stats *s);

#endif
