/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cycle.h - recognises executions that return to an earlier state.
 *
 * poll.h handles loops that change nothing.  This file handles loops that change something and undo
 * it: lock and unlock, set a flag and clear it.  Otherwise a search would follow such a loop to the
 * step limit and report it as endless, although a thread that would end it is waiting for its turn.
 *
 * C1  A thread is checked when it returns to the same site with the same registers and the same
 *     live stack.  How often depends only on its own history; checks become rarer while no
 *     recurrence is found.
 * C2  Two states of an execution are equal if these are: all threads' live stacks, pending
 *     operations and, for threads that ran in between, registers; all memory that differs from the
 *     state before main; all synchronisation objects.  Nothing outside of that (clocks, input and
 *     output, allocation) may have happened in between.
 * C3  The part between two equal states is a fair cycle if every thread that was enabled somewhere
 *     in it took a step in it.  It can repeat forever under a fair scheduler: a livelock, but for C6.
 * C4  After any other cycle, its threads are scheduled last until another thread has moved:
 *     whatever they would do in the next round they could have done in the previous one.  That
 *     loses nothing in a search that backtracks over all decisions; a reduced search makes no claim
 *     then (HD_FACT_CYCLE).
 * C5  A thread may return to its state only after several rounds (std::lock begins each round with
 *     another lock).  So the visit to compare with is kept for one round, then another one for two, and
 *     another one for four.
 * C6  A thread only waits in a cycle if no other thread changes in it what the thread reads without success: at
 *     any other moment it would have gone round as well (it polls under a lock, for example).  Its rounds are no steps
 *     (await.h).  If without them another thread of the cycle would have gone on - it has failed to take that lock -
 *     there is no livelock: the cycle repeats only because the other thread tries at the same moments again
 *     and again.  The waiting threads are scheduled last then (C4), until another one has
 *     changed something.  A cycle in which threads undo each other's work remains one. */
#ifndef HD_RUNTIME_PROGRESS_CYCLE_H
#define HD_RUNTIME_PROGRESS_CYCLE_H

#include "runtime/core/thread_state.h"
#include "model/point.h"

/* The state in which a thread reaches an operation; regs 0: not known. */
struct hd_visit {
    uint64_t pc;
    uint64_t regs; /* hash of the callee-saved registers */
    uintptr_t sp;  /* the target's frames begin here */
};

void hd_cycle_begin(void);
/* Call when t is about to announce an operation and ring_wait has expired.  Ends the execution if this closes a fair
 * cycle. */
void hd_cycle_visit(struct hd_thread *t, const struct hd_visit *v);
/* Call when t is about to lock o, and has reached t->loop.lock_check.  Returns true if t is held before that
 * (lock_poll.h). */
bool hd_cycle_lock(struct hd_thread *t, const struct hd_obj *o, uint64_t pc);
/* True if C3's condition holds for the part of the execution after that many events, whether or not
 * it is a cycle. */
bool hd_cycle_is_fair(uint32_t event);
/* Replaces hd_search_pick while hd.unfair is set: implements C4. */
hd_tid hd_cycle_pick(struct hd_point *p);

/* Set while some thread is checked at its locks: entry stubs of locks then save the registers. */
extern unsigned char hd_cycle_locks __attribute__((visibility("hidden")));

#endif
