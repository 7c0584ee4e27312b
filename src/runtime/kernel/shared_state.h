/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_state.h - calls through which threads meet inside libc or the kernel.
 *
 * Two threads that call rand, read one file or open two of them meet in state that
 * no hook sees.  Such a call is one visible operation on an object that stands for the
 * state (model/state.h), so that searches try its orders and reductions know of them.
 *
 * U1  A thread that is alone (every other one has been joined) has nobody to meet: its
 *     calls are no operations.  That is a property of the class of executions, not of
 *     the interleaving.
 * U2  One thread that uses something again and again (getc over a large file), while
 *     nobody else does, fills the log and gives the search nothing.  So only the first
 *     HD_SHARED_USES are operations.  When another thread uses it later, that is a fact,
 *     and a reduced search makes no claim: orders with the calls that were left out
 *     have not been tried.  If there is an execution in which two threads use it, one is
 *     explored in which the second of them does so for the first time; so it is noticed.
 * U3  Operations are recorded before or after the call, at their turn; in between nobody
 *     else moves.  Where the call may run code of the target (a stream made by
 *     fopencookie, a handler), before.
 * U4  What is printed to the descriptors that Heddle captures is no operation: nobody
 *     looks at its order, no result depends on it, and every thread that prints would
 *     multiply the classes.  What reads it back is a fact.
 * U5  Reading the environment is an operation only where somebody may change it; elsewhere
 *     it reads the same in every order.  That nobody has changed it so far is not enough:
 *     a read before the first change must have been an operation, or no search would turn
 *     the two round.  So it counts what the objects ask the loader for, before main; who
 *     can ask for more while it runs (dlsym) may ask for anything. */
#ifndef HD_RUNTIME_KERNEL_SHARED_STATE_H
#define HD_RUNTIME_KERNEL_SHARED_STATE_H

#include "model/state.h"
#include "runtime/core/rt.h"

enum { HD_SHARED_USES = 1000 };

/* The object at this place of the numbering. */
struct hd_obj *hd_shared_place(unsigned place);
/* The canonical name of an object of type HD_OBJ_STATE. */
hd_cname hd_shared_name(uintptr_t addr);

/* Might what the running thread does now come before or after what others do? */
bool hd_shared_is_met(void);

/* Announce the use (HD_EV_STATE_*) and wait for the turn.  True: it is an operation, and
 * hd_shared_end must follow.  The calls below do nothing when the caller is no controlled
 * thread, or alone. */
bool hd_shared_begin(enum hd_kind kind, struct hd_obj *o, uint64_t pc);
void hd_shared_end(bool begun, bool failed);

/* The operation that has just ended used this, too (NULL: nothing). */
void hd_shared_also(bool begun, struct hd_obj *o, bool write, uint64_t pc);

/* The same of a place of the numbering. */
bool hd_state_begin(enum hd_kind kind, unsigned place, uint64_t pc);
void hd_state_also(bool begun, unsigned place, bool write, uint64_t pc);
/* Begin and end at once, before the call. */
void hd_state_use(enum hd_kind kind, unsigned place, uint64_t pc);

/* Decide U5, before the first execution. */
void hd_environment_init(void);

#endif
