/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - the state of the runtime's core, which every layer may read.  A layer above keeps its own
 * state in its own files.
 *
 * Rules of this address space:
 * R1  One kernel thread runs everything; logical threads are fibers on it.  The runtime has no
 *     locks, no __thread variables and no errno of its own.
 * R2  hd.cur is NULL whenever the caller is not a controlled thread: not under Heddle, before main,
 *     in the scheduler's own context, in a forked child of the target.  Every entry point then goes
 *     straight to libc.
 * R3  The runtime calls no function of libc that may allocate, lock, or be interposed by the
 *     runtime itself.  It makes system calls by hd_sys*().
 * R4  A switch of fibers happens only at the gate (gate.c), never inside libc. */
#ifndef HD_RUNTIME_CORE_STATE_H
#define HD_RUNTIME_CORE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/set.h"
#include "detect/lines.h"
#include "runtime/core/thread_state.h"
#include "search/core/search.h"

struct hd_config;
struct hd_wire;

/* Why plain accesses take the slow path.  TRACK: the runtime notes reads.  WATCH: it checks writes
 * (both for progress/poll.c).  POINTS: some accesses are scheduling points (watch/points.h). */
enum hd_access_mode {
    HD_MODE_TRACK = 1,
    HD_MODE_WATCH = 2,
    HD_MODE_POINTS = 4,
    HD_MODE_INVARIANT = 8, /* heddle_always evaluates a condition; the runtime notes its reads */
    HD_MODE_ALIAS = 16,    /* memory is mapped twice (restore/alias.h) */
    HD_MODE_PREDICT = 32,  /* watch/predict.h */
    HD_MODE_TIDY = 64,     /* hooks clear what they leave on the stack (hd_tidy_stack) */
    HD_MODE_TX = 128,      /* the running thread is in a transaction (watch/transaction.h) */
    HD_MODE_UNITS = 256,   /* the program has transactions: atomics touch units of memory */
    HD_MODE_TX_LOG = 512,  /* a thread is in a weakly atomic transaction (watch/tx_weak.h) */
};
/* Bytes of a unit of memory in the footprint of a transaction (watch/tx_log.h). */
#define HD_TX_UNIT 4u
/* The modes that progress/poll.c neither sets nor clears. */
#define HD_MODE_QUIET (HD_MODE_POINTS | HD_MODE_ALIAS | HD_MODE_PREDICT | HD_MODE_TX | HD_MODE_UNITS | \
                       HD_MODE_TX_LOG)

/* A bit of access_mode for hd.witness.  enum hd_access_mode has the others. */
#define HD_ACCESS_WITNESS 0x80000000u

/* Number of plain accesses without a visible operation after which a thread may be in an endless
 * loop.  It then yields, so that other threads can end the loop. */
#define HD_FUEL (INT64_C(1) << 20)
#define HD_FUEL_OF_VOLATILE 256 /* a repeated read of one volatile object counts as this many
                                 * accesses */

struct hd_rt {
    struct hd_thread *cur; /* R2 */

    /* Fields of the running thread, exchanged at a switch (fiber.h).  Every hook reads them. */
    struct hd_call *calls;
    uintptr_t stack_lo;
    uintptr_t stack_len;
    uint64_t stores;      /* number of instrumented writes outside its own stack */
    hd_line_use writes;   /* the thread's use of a line as a writer (detect/lines.h); 0: every access is checked,
                           * as always while access_mode is not 0 */
    int64_t fuel;         /* plain accesses left until the check for endless loops */

    /* Requests of the layers above.  The module that a comment names sets the field; hooks and the gate test it before
     * they take a slow path or call a function of callbacks.h. */
    uint32_t access_mode; /* enum hd_access_mode: restore, progress and watch set their own bits; nonzero:
                           * plain accesses take the slow path */
    uint32_t witness;     /* watch/witness.h: HD_ACCESS_WITNESS while a witness is recorded, else 0 */
    bool races;           /* watch/race.c: plain accesses and events also go to the race detector */
    bool invariants;      /* watch/invariants.c: there are invariants to check before each operation */
    bool unfair;          /* progress/cycle.c: some threads repeat a cycle and run last */
    bool prologue;        /* progress/prologue.c: heddle_start() is still to come */
    bool special;         /* hd_gate_special: threads poll, points are in use, or exit has begun */
    bool blocks;          /* some operations are not scheduling points (model/point_class.h) */
    uint8_t signals;      /* kernel/signals.h: the program has sent itself a signal in this execution */
    uint32_t nstopped;    /* progress/poll.c: threads that have used up their idle rounds */
    uint32_t next_check;  /* progress/limit.c: step at which it checks the limits again */

    /* This process. */
    struct hd_execution *exec;
    struct hd_thread *thread; /* [HD_MAX_THREADS], by tid */
    struct hd_wire *wire;     /* NULL if not under Heddle */
    const struct hd_config *cfg;
    uint32_t nslots;      /* slots from this one on were never used in this process */
    uint8_t in_main;      /* executions have begun; the snapshot exists */

    /* This execution.  worker.c begins it, gate.c and thread.c update it. */
    uint32_t epoch;       /* its number in this process, from 1 */
    uint8_t failed;       /* a thread failed: later ends are not findings */
    uint8_t exit_begun;   /* exit has begun (calls/exit.c) */
    uint8_t cut;          /* Heddle has stopped something that would continue in reality, so a blocked thread is
                           * not a deadlock */
    uint8_t eager;        /* study: the running thread is a child that runs to its first operation */
    uint64_t progress;    /* number of events of all threads, without polls */
    struct hd_thread *eager_parent;
    struct hd_search search;
    struct hd_point point;
    struct hd_set idle;   /* threads that may run only when no other can */
};

extern struct hd_rt hd __attribute__((visibility("hidden")));

#endif
