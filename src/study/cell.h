/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cell.h - one program, one strategy, one seed: the parameters and the result. */
#ifndef HD_STUDY_CELL_H
#define HD_STUDY_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "study/list.h"

/* The state of every cell is recorded; only DONE says anything about the program. */
enum hd_cell_state {
    HD_CELL_DONE,
    HD_CELL_BUILD,   /* the program does not compile */
    HD_CELL_REFUSED, /* heddle refused to run it */
    HD_CELL_CRASHED, /* heddle itself ended without a result */
    HD_CELL_KILLED,  /* killed because it ran far beyond its time */
    HD_CELL_DIVERGED, /* the program did not repeat itself */
    HD_CELL_STATES
};

/* "done", "does not compile", ... */
const char *hd_cell_state_text(enum hd_cell_state s);

/* The identity of a cell. */
struct hd_cell_key {
    char program[128];
    char strategy[HD_STUDY_NAME];
    uint64_t seed;
    uint64_t limit;     /* limit of executions */
    uint64_t budget_ms;
    bool keep_going;    /* continue after the first bug */
    char options[128];  /* additional options of `heddle run` */
    char build[20];     /* identifies the version of the program; "" if it does not compile */
    char version[24];   /* version of heddle */
};

enum { HD_CELL_NONE = -1 }; /* for a number that does not exist */

struct hd_cell {
    struct hd_cell_key key;
    char suite[64];
    bool samples;       /* sampling strategy: another seed is another sample */
    enum hd_cell_state state;
    char detail[400];   /* if not DONE: what went wrong */
    int64_t executions; /* total number */
    int64_t first;      /* number of the first execution with the program's bug, from 1 */
    int64_t buggy;      /* executions with a finding */
    int64_t bound;      /* bound reached */
    int64_t fresh;      /* executions at that bound ("new" of the study) */
    int64_t buggy_at_bound;
    int64_t classes;    /* number of classes of equivalent executions */
    int64_t redundant;
    int64_t steps;      /* number of steps of the longest execution (k) */
    int64_t threads;
    bool complete;
    bool other_kind;    /* something was found, but not the bug that the list expects */
    char kind[32];      /* kind of the first finding that is the bug, otherwise of the first
                         * finding */
    char place[400];    /* its message, which contains the place */
    char verdict[16];
    double seconds;
    double rate;        /* executions per second */
};

/* Returns which limit ended the search. */
enum hd_cell_cut { HD_CUT_NONE, HD_CUT_EXECUTIONS, HD_CUT_TIME };
enum hd_cell_cut hd_cell_cut(const struct hd_cell *c);

static inline bool hd_cell_found(const struct hd_cell *c)
{
    return c->state == HD_CELL_DONE && c->first > 0;
}

/* Writes the numbers as the study prints them: bound/first/total/new/buggy for a bounded search, otherwise
 * first/total/buggy.  A cross means "not found", L a limit of executions, and a plus after a total that the time
 * limit ended the search. */
void hd_cell_counts(const struct hd_cell *c, char *buf, size_t cap);

#endif
