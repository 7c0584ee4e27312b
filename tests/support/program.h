/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.h - programs in memory for the tests of the search: threads are short
 * scripts, a state is a plain value that can be copied and stepped.
 *
 * Conventions of the SCT study: thread 0 is main and exists at the start, the
 * others run after their creation; there is no start or end point; a failed
 * assertion ends the execution; threads that can never go on are a deadlock.
 * CHOOSE is no scheduling point: it is asked as soon as its thread reaches it. */
#ifndef HD_TESTS_SUPPORT_PROGRAM_H
#define HD_TESTS_SUPPORT_PROGRAM_H

#include "base/rng.h"
#include "model/execution.h"
#include "model/point.h"

#define PROG_THREADS 8
#define PROG_OPS 16
#define PROG_CELLS 4

enum prog_kind {
    OP_END, /* of the script; not an operation */
    OP_CREATE,       /* thread arg, or all of arg to value at once */
    OP_JOIN,
    OP_LOCK,
    OP_UNLOCK,
    OP_READ,
    OP_WRITE,
    OP_ADD,
    OP_ASSERT_EQ,    /* cell arg equals cell value */
    OP_ASSERT_BELOW, /* cell arg is below value */
    OP_YIELD,
    OP_CHOOSE,       /* one of arg; adds it to cell value */
    OP_PLAIN_ADD,    /* as ADD and ASSERT_BELOW, but invisible: run on with the */
    OP_PLAIN_BELOW,  /* operation before, which must be a visible one */
};

struct prog_op {
    uint8_t kind; /* enum prog_kind */
    uint8_t arg;  /* thread, lock, cell or number of alternatives */
    int8_t value;
};

struct program {
    struct prog_op op[PROG_THREADS][PROG_OPS];
};

struct prog_state {
    const struct program *program;
    uint8_t pc[PROG_THREADS];
    uint8_t created; /* threads with a smaller number exist: creation order */
    uint8_t script[PROG_THREADS]; /* of thread t */
    int8_t owner[PROG_CELLS];     /* of lock; -1 free */
    int16_t cell[PROG_CELLS];
    uint8_t yielded; /* bits */
    uint8_t last;
    bool failed;
};

void prog_start(struct prog_state *s, const struct program *p);
bool prog_enabled(const struct prog_state *s, unsigned tid);
bool prog_finished(const struct prog_state *s, unsigned tid);
/* The thread whose turn it is to choose, or -1; *n gets the alternatives. */
int prog_chooser(const struct prog_state *s, uint32_t *n);
void prog_choose(struct prog_state *s, unsigned tid, uint32_t alternative);
/* Execute the pending operation of tid, which must be enabled. */
void prog_step(struct prog_state *s, unsigned tid);
/* Nothing can run any more. */
bool prog_over(const struct prog_state *s);
/* Over, and by a failed assertion or with unfinished threads. */
bool prog_buggy(const struct prog_state *s);

/* The pending operations and the point as the runtime would describe them. */
void prog_point(const struct prog_state *s, uint32_t step, struct hd_event *pending,
                struct hd_point *at);

/* A small random program; now and then it deadlocks or fails. */
void prog_random(struct program *p, struct hd_rng *rng);

#endif
