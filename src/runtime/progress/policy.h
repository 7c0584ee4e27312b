/* SPDX-License-Identifier: BSD-2-Clause
 *
 * policy.h - what the runtime does about loops that may never end: one table for the detectors of this
 * folder.
 *
 * | loop       | recognised by     | rounds that are followed | then                                       |
 * |------------|-------------------|--------------------------|--------------------------------------------|
 * | SAME_STATE | poll.h, P1        | one                      | the thread is parked: it waits for a write  |
 * |            |                   |                          | to a location that it has read             |
 * | IDLE       | poll.h, P2        | --loop-bound             | the thread is stopped until such a write, or |
 * |            |                   |                          | until no other thread can run              |
 * | PAUSES     | loop.h, W1 (a)    | 4 times --loop-bound     | the thread is stopped until others progress |
 * | UNCHANGED  | loop.h, W1 (b)    | 400 times --loop-bound   | the same                                   |
 * | CYCLE      | cycle.h, C2       | one                      | fair: a livelock; otherwise its threads run |
 * |            |                   |                          | last until another thread has moved        |
 * | LONG       | limit.h, L1-L3    | half of the execution    | the execution ends; with --livelock, if fair, |
 * |            |                   |                          | it is a finding                            |
 *
 * The reasons for the numbers.  SAME_STATE and CYCLE: the next round would be the same as the last one,
 * so nothing is lost.  IDLE: the thread's state may differ, so its next round may differ, too; the user
 * chooses how many are worth following, and the verdict says that some were not.  PAUSES: each round also
 * changes something, so fewer of these loops only wait.  UNCHANGED: the loop may be working and end by
 * itself; 400 times the default bound is more than loops of real programs do while others could run.
 * LONG: nothing but the length is known; so the loop must be much longer than earlier executions.
 *
 * A loop without visible operations is none of these: after HD_FUEL plain accesses it yields. */
#ifndef HD_RUNTIME_PROGRESS_POLICY_H
#define HD_RUNTIME_PROGRESS_POLICY_H

#include <stdint.h>

#include "runtime/core/state.h"
#include "wire/wire.h"

/* Why the running thread is held before its operation (hd_loop_state.held). */
enum hd_held { HD_HELD_NOT, HD_HELD_PARKED, HD_HELD_BOUND };

/* Loops of one thread: kind, rounds as a multiple of --loop-bound (0: one round), consequence. */
#define HD_LOOP_POLICIES(LOOP)          \
    LOOP(NONE, 0, HD_HELD_NOT)          \
    LOOP(SAME_STATE, 0, HD_HELD_PARKED) \
    LOOP(IDLE, 1, HD_HELD_BOUND)        \
    LOOP(PAUSES, 4, HD_HELD_BOUND)      \
    LOOP(UNCHANGED, 400, HD_HELD_BOUND)

#define HD_LOOP_KIND(name, factor, held) HD_LOOP_##name,
enum hd_loop_kind { HD_LOOP_POLICIES(HD_LOOP_KIND) HD_LOOP_KINDS };
#undef HD_LOOP_KIND

struct hd_loop_policy {
    uint16_t factor; /* multiple of --loop-bound */
    uint8_t held;    /* enum hd_held */
};
extern const struct hd_loop_policy hd_loop_policy[HD_LOOP_KINDS] __attribute__((visibility("hidden")));

/* The number of rounds after which a thread in a loop of this kind is stopped. */
static inline uint32_t hd_loop_rounds(enum hd_loop_kind kind)
{
    return hd_loop_policy[kind].factor * hd.cfg->loop_bound;
}

/* The longest round that is recognised, in events.  PAUSES and UNCHANGED compare every length at each check; LONG
 * is checked rarely, so its rounds may be longer. */
enum { HD_ROUND_OF_THREAD = 48, HD_ROUND_OF_EXECUTION = 4096 };

/* LONG, L2: from this number of steps on an execution is suspiciously long.  The average of few executions says
 * little: before there are HD_LONG_SURE executions, the factor is larger, by a tenth for each one that is missing. */
enum {
    HD_LONG_FACTOR = 20,      /* multiple of the average length of earlier executions */
    HD_LONG_SURE = 10,
    HD_LONG_AT_LEAST = 4000,
    HD_LONG_FIRST = 100000,   /* in the first execution, which has no earlier one to compare with */
    HD_LONG_USUAL = 1000000,  /* the default of --max-steps; a user who asks for more does not want L2 */
    HD_LONG_LEAST = 1000,     /* L4: a smaller --max-steps is a bound of the search, not a sign of a loop */
    HD_LONG_CHECK = 1024,     /* steps between two checks of the limits */
    HD_LONG_ATTEMPTS = 64,    /* round lengths that one check compares as a whole */
    HD_LONG_TOLD = 2000,      /* L5: a test with at least this many steps is called long */
};

/* How often the detectors check a thread.  Checks cost time, and become rarer while they find nothing. */
enum {
    HD_POLL_FORGET = 64,       /* visits of other sites until poll.c tracks another site */
    HD_LOOP_CHECK = 8,         /* rounds with changes between two checks for PAUSES and UNCHANGED */
    HD_LOOP_DOUBLINGS = 16,    /* W2: log2 of the largest number of operations of other threads that release a
                                * thread */
    HD_CYCLE_POLLS = 4,        /* polling operations before the first check of a thread by cycle.c */
    HD_CYCLE_LOCKS = 12,       /* steps before a thread's first check at a lock, which is not a polling operation */
    HD_CYCLE_MISSES = 7,       /* visits of a site in other states until cycle.c tracks another site: 1 + 2 + 4 */
    HD_CYCLE_FORGET = 32,      /* visits of other sites until cycle.c tracks another site */
    HD_CYCLE_PAUSE = 1 << 16,  /* most visits that are skipped at a time */
    HD_CYCLE_STATES = 256,     /* states kept per execution: the latest */
    HD_CYCLE_CHANCE = 512,     /* C6: longest cycle that is examined, in events */
};

#endif
