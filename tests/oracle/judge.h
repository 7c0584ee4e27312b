/* SPDX-License-Identifier: BSD-2-Clause
 *
 * judge.h - does a strategy keep what it promises?  What it explores of a program is
 * compared with the oracle.
 *
 *   judge_program(&j, &p, &(struct judge_claim){ "dpor", JUDGE_CLASSES })
 *
 * claims_test.c holds one line per strategy and judges them all on random programs. */
#ifndef HD_TESTS_ORACLE_JUDGE_H
#define HD_TESTS_ORACLE_JUDGE_H

#include <stdio.h>

#include "oracle/generate.h"
#include "oracle/oracle.h"

enum judge_promise {
    JUDGE_CLASSES = 1, /* misses no class */
    JUDGE_LAZY = 2,    /* misses no lazy class */
    JUDGE_STATES = 4,  /* misses no final state and no deadlock */
    JUDGE_ONCE = 8,    /* counts no class twice */
    JUDGE_EXACT = 16,  /* counts no class that costs more than the bound */
    JUDGE_LEAN = 32,   /* runs nothing that does not count */
    JUDGE_HONEST = 64, /* may say "not complete", and promises nothing then */
};

/* What the bound counts.  Only classes, lazy classes and states that some schedule
 * within the bound reaches must then be explored. */
enum judge_cost { JUDGE_UNBOUNDED, JUDGE_PREEMPTIONS, JUDGE_DELAYS };

struct judge_claim {
    const char *spec;      /* of the strategy, as for explorer_open */
    unsigned promises;     /* bits; to say "complete" belongs to them all but the last */
    enum judge_cost cost;
    unsigned bound;        /* ignored when unbounded */
};

struct judgement {
    uint64_t programs;
    uint64_t skipped;    /* too large for the oracle */
    uint64_t schedules;
    uint64_t classes;    /* within the bound */
    uint64_t executions;
    uint64_t missed;     /* classes */
    uint64_t missed_lazy;
    uint64_t missed_states;
    uint64_t twice;      /* executions of a class that was explored already */
    uint64_t beyond;     /* classes beyond the bound that were explored */
    uint64_t unknown;    /* executions of no class, or with another end than the oracle's */
    uint64_t redundant;
    uint64_t incomplete; /* programs for which the strategy does not say "complete" */
    uint64_t broken;     /* programs for which it broke a promise */
};

/* The oracle of the program, until the next call; NULL when the program is too large
 * for it, or does what no program may do. */
const struct oracle *judge_oracle(const struct program *p);

/* Adds to j.  False: a promise was broken. */
bool judge_with(struct judgement *j, const struct oracle *o, const struct program *p,
                const struct judge_claim *c);
/* The same with the program's own oracle. */
bool judge_program(struct judgement *j, const struct program *p, const struct judge_claim *c);

/* n programs of the family from number first on, each judged by all claims (whose
 * judgements are j[0] to j[nclaims - 1]) with one oracle; those that are too large for it
 * are skipped and do not count.  The first `show` that break a promise are shrunk and
 * printed as C, to stderr. */
void judge_family(struct judgement *j, enum generate_family f, uint64_t seed, uint64_t first,
                  uint64_t n, const struct judge_claim *claims, size_t nclaims, unsigned show);

void judge_print(FILE *out, const struct judgement *j, const char *what,
                 const struct judge_claim *c);

#endif
