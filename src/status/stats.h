/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats.h - the state of a search as facts: for the panel, for stats.json in the output
 * directory, and for `heddle status`, which reads that file.
 *
 * The file is one flat object, written and read by one table (stats.c), so that the two
 * cannot disagree.  docs/json.md describes its fields. */
#ifndef HD_STATUS_STATS_H
#define HD_STATUS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/json.h"
#include "model/finding.h"

#define HD_STATS_VERSION 1

/* Unknown numbers of type double are NAN, and null in the file; empty texts are null where
 * noted. */
struct hd_stats {
    uint64_t version;

    /* identity */
    bool running;          /* false: verdict and exit_code are final */
    uint64_t pid;          /* pid of the tool */
    uint64_t process_start; /* start time of that process, in ticks since boot */
    char boot[40];         /* id of that boot */
    char verb[16];
    char command[1024];    /* quoted for a shell */
    char program[512];
    char test[256];        /* name of the test with --each; empty: null */
    double started, updated; /* seconds since 1970 */
    double seconds;        /* duration of the search */
    char verdict[16];      /* empty while it runs: null */
    double exit_code;

    /* the search */
    char strategy[200]; /* with its parameters */
    uint64_t seed;
    bool samples;       /* sampling search, without an end */
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
    double bound;          /* current bound of a bounded search */
    double explored;       /* explored part of the tree or of the bound */
    double estimate_low, estimate_high;         /* executions, by two methods */
    double seconds_left_low, seconds_left_high; /* by the same methods */
    double limit_seconds_left;                  /* seconds until a limit ends the search */
    char estimate_unknown[100]; /* why there is no estimate; empty: null */

    /* the results */
    uint64_t findings;
    uint64_t by_kind[HD_FK_COUNT];
    uint64_t warnings, suppressed;
    uint64_t races, races_confirmed; /* pairs of places; those seen in both orders */
    double last_finding_seconds, last_finding_execution;
    double last_new_seconds, last_new_execution; /* latest new finding, race or other order of a
                                                  * race */
    char advice[400]; /* when to stop; empty: null */
    char sets[2000];  /* the searches of Quicksand, a line for each; empty: null */
};

/* Set everything to unknown. */
void hd_stats_clear(struct hd_stats *s);

/* Write one object; `what` is a struct hd_stats.  The signature is that of hd_file_write. */
void hd_stats_write(FILE *out, const void *what);
/* Like hd_stats_write, as a value inside another document. */
void hd_stats_json(struct hd_json *j, const struct hd_stats *s);

/* Read the known fields of `text`; false if it is not the object that hd_stats_write writes.  Unknown fields are
 * skipped, because a later version may have more. */
bool hd_stats_parse(const char *text, struct hd_stats *out);

/* Read the file; false with errno set: EBADMSG if hd_stats_write has not written it. */
bool hd_stats_read(const char *path, struct hd_stats *out);

/* Record this process, for hd_stats_alive. */
void hd_stats_identify(struct hd_stats *s);

/* True if the process that wrote these facts still exists.  (A reused pid does not count.) */
bool hd_stats_alive(const struct hd_stats *s);

#endif
