/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.h - what a strategy explores of a program, against the oracle. */
#ifndef HD_TESTS_ORACLE_JUDGE_H
#define HD_TESTS_ORACLE_JUDGE_H

#include "oracle/generate.h"
#include "oracle/oracle.h"

enum judge_goal {
    JUDGE_ALL,     /* every class */
    JUDGE_OPTIMAL, /* every class once, nothing redundant */
    JUDGE_LAZY,    /* every class up to the order of mutex operations, every end */
};

struct judgement {
    uint64_t programs;
    uint64_t skipped;    /* too many schedules for the oracle */
    uint64_t schedules;
    uint64_t classes;
    uint64_t executions;
    uint64_t missed;     /* classes */
    uint64_t twice;      /* executions of a class that was explored already */
    uint64_t unknown;    /* executions of no class, or with another end than the oracle's */
    uint64_t redundant;
    uint64_t incomplete; /* programs for which the strategy does not say "complete" */
};

/* Adds to j.  False: something is wrong with this program (missed, unknown,
 * incomplete; JUDGE_OPTIMAL: also twice or redundant). */
bool judge_program(struct judgement *j, const struct program *p, const char *spec,
                   enum judge_goal goal);

/* Programs first to first + n - 1 of the family; prints the first `show` bad ones. */
void judge_family(struct judgement *j, enum generate_family f, uint64_t seed, uint64_t first,
                  uint64_t n, const char *spec, enum judge_goal goal, unsigned show);

void judge_print(const struct judgement *j, const char *what, const char *spec);

#endif
