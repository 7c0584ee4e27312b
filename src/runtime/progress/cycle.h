/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cycle.h - recognises executions that return to an earlier state.
 *
 * poll.h handles loops that change nothing.  This file handles loops that change something and undo
 * it: lock and unlock, set a flag and clear it.  Otherwise a search would follow such a loop to the
 * step limit and report it as endless, although a thread that would end it is waiting for its turn.
 *
 * C1  A thread is checked when it returns to the same site with the same registers and the same live stack.  How
 *     often it is checked depends only on its own history; checks become rarer while no recurrence is found.
 * C2  Two states of an execution are equal if these are: all threads' live stacks, pending operations and, for
 *     threads that ran in between, registers; all memory that differs from the state before main; all synchronisation
 *     objects.  In between the program may have used nothing that these do not cover (clocks, input and output,
 *     allocation).
 * C3  The part between two equal states is a fair cycle if every thread that was enabled somewhere in it took a step
 *     in it.  It can repeat for ever under a fair scheduler: that is a livelock, unless C6 applies.
 * C4  After any other cycle, its threads are scheduled last until another thread has moved:
 *     whatever they would do in the next round they could have done in the previous one.  That
 *     loses nothing in a search that backtracks over all decisions; a reduced search makes no claim
 *     then (HD_FACT_CYCLE).
 * C5  A thread may return to its state only after several rounds (std::lock begins each round with another lock).  So
 *     the thread is compared with one visit for one round, then with a later visit for two rounds, then with another
 *     one for four.
 * C6  A thread merely waits in a cycle if no other thread of the cycle changes what it reads without success, for
 *     example a flag that it polls under a lock.  Its rounds have no effect (await.h).  If another thread of the
 *     cycle fails only because of these rounds, for example because the lock is held, there is no livelock: the
 *     cycle repeats only because the other thread tries at the same bad moments again and again.  The waiting
 *     threads are then scheduled last (C4) until another thread has changed something.  A cycle in which threads
 *     undo each other's work is still a livelock. */
#ifndef HD_RUNTIME_PROGRESS_CYCLE_H
#define HD_RUNTIME_PROGRESS_CYCLE_H

#include "runtime/core/thread_state.h"
#include "model/point.h"

/* The state in which a thread reaches an operation; regs 0: not known. */
struct hd_visit {
    uint64_t pc;
    uint64_t regs; /* hash of the callee-saved registers */
    uintptr_t sp;  /* start of the target's frames on the stack */
};

void hd_cycle_begin(void);
/* Call when t is about to announce an operation and t->loop.cycle_wait is 0.  Ends the execution if this closes a
 * fair cycle. */
void hd_cycle_visit(struct hd_thread *t, const struct hd_visit *v);
/* Call when t is about to lock o, and has reached t->loop.lock_check.  Returns true if t is held before that
 * (lock_poll.h). */
bool hd_cycle_lock(struct hd_thread *t, const struct hd_obj *o, uint64_t pc);
/* True if C3's condition holds for the part of the execution after that many events, whether or not that part is a
 * cycle. */
bool hd_cycle_is_fair(uint32_t event);
/* Replaces hd_search_pick while hd.unfair is set: implements C4. */
hd_tid hd_cycle_pick(struct hd_point *p);

/* Set while some thread is checked when it locks: entry stubs of locks then save the registers. */
extern unsigned char hd_cycle_locks __attribute__((visibility("hidden")));

#endif
