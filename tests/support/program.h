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

#define PROG_THREADS 12
#define PROG_OPS 24
#define PROG_CELLS 12

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
    /* The operations below set the thread's register to what they read (or 1 for
     * success, 0 for failure); none of them touches anything unseen, so they are
     * fit for partial-order reduction. */
    OP_PICK,         /* one of arg; into the register */
    OP_SKIP_NE,      /* invisible: skip arg operations if the register is not value */
    OP_BACK,         /* invisible: go back arg operations */
    OP_CAS,          /* cell arg from value to extra */
    OP_TRYLOCK,
    OP_WAIT,         /* condition arg, mutex value: two steps */
    OP_TIMEDWAIT,    /* the same, may time out: register 0 and a third step */
    OP_SIGNAL,
    OP_BROADCAST,
    OP_POST,
    OP_SEM_WAIT,
    OP_SEM_TRY,
    OP_RDLOCK,
    OP_WRLOCK,
    OP_TRYRD,
    OP_TRYWR,
    OP_RDUNLOCK,
    OP_WRUNLOCK,
    OP_BARRIER,      /* two steps: arrive, leave */
    OP_ONCE_BEGIN,   /* register 1: this thread runs it */
    OP_ONCE_END,
};

struct prog_op {
    uint8_t kind; /* enum prog_kind */
    uint8_t arg;  /* thread, lock, cell or number of alternatives */
    int8_t value;
    int8_t extra;
};

struct program {
    struct prog_op op[PROG_THREADS][PROG_OPS];
    uint8_t start;               /* so many threads exist at the start (0: main only) */
    uint8_t sem[PROG_CELLS];     /* initial values */
    uint8_t barrier[PROG_CELLS]; /* how many must arrive */
};

/* Sync objects other than mutexes, see program_sync.c. */
struct prog_sync {
    uint8_t sem[PROG_CELLS];
    int8_t writer[PROG_CELLS]; /* -1 none */
    uint8_t readers[PROG_CELLS];
    uint8_t arrived[PROG_CELLS], round[PROG_CELLS];
    uint8_t once[PROG_CELLS]; /* 0 not yet, 1 runs, 2 done */
    uint8_t seq[PROG_CELLS], nwaiting[PROG_CELLS], ntokens[PROG_CELLS];
    uint8_t token[PROG_CELLS][PROG_THREADS];
    uint8_t stamp[PROG_THREADS]; /* in a queue; barrier: its round */
};

struct prog_state {
    const struct program *program;
    uint8_t pc[PROG_THREADS];
    uint8_t created; /* threads with a smaller number exist: creation order */
    uint8_t script[PROG_THREADS]; /* of thread t */
    int8_t owner[PROG_CELLS];     /* of lock; -1 free */
    int16_t cell[PROG_CELLS];
    struct prog_sync sync;
    int8_t reg[PROG_THREADS];
    uint8_t phase[PROG_THREADS]; /* of an operation of several steps */
    uint16_t started; /* bits: has made its first step */
    uint16_t yielded; /* bits */
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

#define PROG_EVENTS 16
/* The same; the events of the step (at most PROG_EVENTS) go to log, unless NULL.
 * Returns how many. */
unsigned prog_step_log(struct prog_state *s, unsigned tid, struct hd_event *log);
unsigned prog_choose_log(struct prog_state *s, unsigned tid, uint32_t alternative,
                         struct hd_event *log);
/* What comes before the first decision: initial values of semaphores, barriers. */
unsigned prog_start_log(const struct prog_state *s, struct hd_event *log);

/* Object ids, as the runtime would give them. */
enum prog_object { PROG_OBJ_CELL = 10, PROG_OBJ_LOCK = 30, PROG_OBJ_COND = 50, PROG_OBJ_SEM = 80,
                   PROG_OBJ_RW = 100, PROG_OBJ_BARRIER = 120, PROG_OBJ_ONCE = 140,
                   PROG_OBJ_THREAD = 160 };
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
