/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cycle.h - executions that come back to where they were.
 *
 * Polling (poll.h) knows loops that change nothing.  Here are those that change
 * something and undo it: lock and unlock, raise a flag and lower it.  Without a look
 * at them a search would follow such a loop down to the step limit and call it endless,
 * although the thread that would end it is waiting for its turn.
 *
 * C1  A thread is looked at when it comes back to the same place in the code with the
 *     same registers and the same live stack; how often, depends on its own history
 *     only, and ever more rarely while it does not happen.
 * C2  Two moments of an execution are the same when these are: all threads' live stacks,
 *     pending operations and, of those that ran in between, registers; all memory that
 *     differs from before main; all sync objects.  Nothing may have happened in between
 *     that this does not cover (clocks, input and output, allocation).
 * C3  The part between two equal moments is a fair cycle when every thread that was
 *     enabled somewhere in it took a step in it.  It can be repeated for ever, and no
 *     scheduler is to blame: a livelock.
 * C4  After any other cycle the threads in it go last until another one has moved: what
 *     they would do in the next round they could do in the one before.  That loses
 *     nothing in a search that backtracks over all decisions; a reduced one makes no
 *     claim then (HD_FACT_CYCLE). */
#ifndef HD_RUNTIME_PROGRESS_CYCLE_H
#define HD_RUNTIME_PROGRESS_CYCLE_H

#include "runtime/core/rt.h"

/* The state in which a thread comes to an operation; regs 0: not known. */
struct hd_visit {
    uint64_t pc;
    uint64_t regs; /* hash of the callee-saved registers */
    uintptr_t sp;  /* the target's frames are from here up */
};

/* The first look at a thread comes after so many polling operations; at one that locks,
 * which is no polling operation, after so many steps. */
enum { HD_CYCLE_POLLS = 4, HD_CYCLE_LOCKS = 12 };

void hd_cycle_begin(void);
/* t is about to announce an operation, and ring_wait is over; ends the execution when
 * that closes a fair cycle. */
void hd_cycle_visit(struct hd_thread *t, const struct hd_visit *v);
/* t is about to lock, and has come to t->look. */
void hd_cycle_lock(struct hd_thread *t, uint64_t pc);
/* C3 of what has happened since that many events, whether or not it is a cycle. */
bool hd_cycle_is_fair(uint32_t event);
/* As hd_search_pick, when hd.unfair: C4. */
hd_tid hd_cycle_pick(struct hd_point *p);

/* Set while some thread is looked at when it locks: entry stubs of locks then save the
 * registers. */
extern unsigned char hd_cycle_locks __attribute__((visibility("hidden")));

#endif
