/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.h - programs in memory for the tests of the search: threads are short
 * scripts, a state is a plain value that can be copied and stepped.
 *
 * Conventions of the SCT study: thread 0 is main and exists at the start, the others run after their creation; there
 * is no start or end point; a failed assertion ends the execution; threads that can never continue are a deadlock.
 * CHOOSE is not a scheduling point: the choice is made as soon as its thread reaches it. */
#ifndef HD_TESTS_SUPPORT_PROGRAM_H
#define HD_TESTS_SUPPORT_PROGRAM_H

#include "base/rng.h"
#include "model/execution.h"
#include "model/point.h"
#include "model/point_class.h"

#define PROG_THREADS 12
#define PROG_OPS 20
#define PROG_CELLS 48  /* of memory */
#define PROG_SYNCS 8   /* number of mutexes; also of semaphores, read-write locks, barriers, onces */
#define PROG_QUEUES 8  /* the first half are conditions, the second half are futexes of the first cells */
#define PROG_FUTEX (PROG_QUEUES / 2)

enum prog_kind {
    OP_END, /* end of a script, not an operation */
    OP_CREATE,       /* creates thread arg, or all threads from arg to value at once */
    OP_JOIN,
    OP_LOCK,
    OP_UNLOCK,
    OP_READ,
    OP_WRITE,
    OP_ADD,
    OP_ASSERT_EQ,    /* cell arg equals cell value */
    OP_ASSERT_BELOW, /* cell arg is below value */
    OP_YIELD,
    OP_CHOOSE,       /* a choice among arg alternatives; adds it to cell value */
    OP_PLAIN_ADD,    /* like ADD and ASSERT_BELOW, but invisible: they run in the same step as the */
    OP_PLAIN_BELOW,  /* operation before them, which must be visible */
    /* Each of the following operations sets the thread's register to the value that it has read, or to 1 for success
     * and 0 for failure.  None of them accesses anything that events do not show, so they are suitable for
     * partial-order reduction. */
    OP_PICK,         /* a choice among arg alternatives; sets the register */
    OP_SKIP_NE,      /* invisible: skip arg operations if the register is not value */
    OP_BACK,         /* invisible: go back arg operations */
    OP_CAS,          /* changes cell arg from value to extra, if it contains value */
    OP_TRYLOCK,
    OP_WAIT,         /* condition arg, mutex value: two steps */
    OP_TIMEDWAIT,    /* like WAIT, but may time out: then the register is 0 and there is a third step */
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
    OP_BARRIER,      /* two steps: arrive and leave; value 1: tests whether it is the first of its round to leave */
    OP_ONCE_BEGIN,   /* register 1: this thread must run the routine */
    OP_ONCE_END,
    OP_FUTEX_WAIT,   /* waits while cell arg contains value; extra 1: may time out.  Register 1: woken */
    OP_FUTEX_WAKE,   /* wakes at most value waiters of cell arg; register: how many */
    OP_LOOP,         /* invisible: go back arg operations unless the register is value, at most extra times in a
                      * row; loops do not nest */
    OP_SECTION_BEGIN, /* Everything up to its end, or to the end of the thread, is one step.  Only memory operations
                       * and skips are allowed inside.  It conflicts with the other sections of the same arg. extra
                       * 1: it is a transaction, which conflicts only by the memory that it accesses. */
    OP_SECTION_END,
    OP_TRYJOIN,      /* tries to join thread arg, which exists; register 1: it has ended */
    OP_LAST,         /* the end of the script is a step of its own */
    OP_COUNT
};

struct prog_op {
    uint8_t kind; /* enum prog_kind */
    uint8_t arg;  /* thread, lock, cell or number of alternatives */
    int8_t value;
    int8_t extra;
};

struct program {
    struct prog_op op[PROG_THREADS][PROG_OPS];
    uint8_t start;               /* number of threads that exist at the start (0: main only) */
    uint8_t sem[PROG_SYNCS];     /* initial values */
    uint8_t barrier[PROG_SYNCS]; /* number of threads in a round */
    uint32_t masked; /* bits of enum hd_point_class: operations of these classes are not scheduling points */
    uint32_t filtered[PROG_THREADS]; /* bits: these operations of the script are not scheduling points, as with
                                      * --without */
};

/* Sync objects other than mutexes, see program_sync.c. */
struct prog_sync {
    uint8_t sem[PROG_SYNCS];
    int8_t writer[PROG_SYNCS]; /* -1 none */
    uint8_t readers[PROG_SYNCS];
    uint8_t arrived[PROG_SYNCS], round[PROG_SYNCS];
    uint8_t surplus; /* bits: barriers that more threads use than fit into a round */
    uint8_t once[PROG_SYNCS]; /* 0: not begun, 1: running, 2: done */
    uint8_t seq[PROG_QUEUES], nwaiting[PROG_QUEUES], ntokens[PROG_QUEUES];
    uint8_t token[PROG_QUEUES][PROG_THREADS];
    uint8_t stamp[PROG_THREADS]; /* position in a queue; for a barrier: its round */
    uint8_t looks;   /* bits: barriers in whose open round some thread tests the result */
    uint16_t may_win; /* bits: threads of a full round that no thread has left yet and in which some thread tests the
                       * result */
};

struct prog_state {
    const struct program *program;
    uint8_t pc[PROG_THREADS];
    uint8_t created; /* number of threads created so far; they are numbered in this order */
    uint8_t script[PROG_THREADS]; /* script that each thread runs */
    int8_t owner[PROG_SYNCS];     /* holder of each lock; -1: free */
    int16_t cell[PROG_CELLS];
    struct prog_sync sync;
    int8_t reg[PROG_THREADS];
    uint8_t phase[PROG_THREADS]; /* step within an operation of several steps */
    struct hd_point_op before[PROG_THREADS]; /* last operation of each thread */
    uint8_t loops[PROG_THREADS]; /* completed rounds of its current loop */
    uint16_t started; /* bits: the thread has made its first step */
    uint16_t yielded; /* bits */
    uint8_t last;
    bool just_yielded; /* last has yielded by this step: switching away from it is free */
    bool failed;
    bool misused; /* the program has made a mistake, such as unlocking a lock that it does not hold */
};

/* True if a step may have several operations. */
bool prog_has_blocks(const struct program *p);

void prog_start(struct prog_state *s, const struct program *p);
bool prog_enabled(const struct prog_state *s, unsigned tid);
bool prog_finished(const struct prog_state *s, unsigned tid);
/* Returns the thread that has to choose, or -1; *n is the number of alternatives. */
int prog_chooser(const struct prog_state *s, uint32_t *n);
void prog_choose(struct prog_state *s, unsigned tid, uint32_t alternative);
/* Execute the pending operation of tid, which must be enabled. */
void prog_step(struct prog_state *s, unsigned tid);

#define PROG_EVENTS 96
/* The same.  Stores the events of the step (at most PROG_EVENTS) in log, unless it is NULL.  Returns their number. */
unsigned prog_step_log(struct prog_state *s, unsigned tid, struct hd_event *log);
unsigned prog_choose_log(struct prog_state *s, unsigned tid, uint32_t alternative,
                         struct hd_event *log);
/* Stores the events before the first decision: initial values of semaphores and barriers. */
unsigned prog_start_log(const struct prog_state *s, struct hd_event *log);

/* Object ids, as the runtime would give them. */
enum prog_object { PROG_OBJ_LOCK = 20, PROG_OBJ_QUEUE = 30, PROG_OBJ_SEM = 50, PROG_OBJ_RW = 60,
                   PROG_OBJ_BARRIER = 70, PROG_OBJ_ONCE = 80, PROG_OBJ_THREAD = 90,
                   PROG_OBJ_SECTION = 105, PROG_OBJ_CELL = 110 };
/* Nothing can run any more. */
bool prog_over(const struct prog_state *s);
/* True if the execution is over because of a failed assertion, or with unfinished threads. */
bool prog_buggy(const struct prog_state *s);

/* The pending operations and the point as the runtime would describe them. */
void prog_point(const struct prog_state *s, uint32_t step, struct hd_event *pending,
                struct hd_point *at);

/* A small random program; now and then it deadlocks or fails. */
void prog_random(struct program *p, struct hd_rng *rng);

#endif
