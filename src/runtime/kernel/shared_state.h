/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_state.h - calls through which threads share state inside libc or the kernel.
 *
 * Two threads that call rand, or read or open files, share state that no hook sees.  Such a call is
 * one visible operation on an object that represents the state (model/state.h), so that searches
 * try its orders and reductions know its dependences.
 *
 * U1  The calls of a thread that is alone (all others have been joined) are not operations.  Being
 *     alone is a property of the equivalence class of the execution, not of the interleaving.
 * U2  One thread that uses an object many times (getc over a large file) while no other thread does would fill the
 *     log without benefit for the search.  So only its first HD_SHARED_USES uses are operations.  If another thread
 *     uses the object later, that is recorded as a fact, and a reduced search makes no claim, because it has not
 *     tried the orders with the omitted calls.  The runtime cannot miss this: if two threads use the object in some
 *     execution, the search explores one in which the second thread uses it for the first time.
 * U3  An operation is recorded at its turn, before or after the call; no other thread runs in
 *     between.  It is recorded before the call if the call may run code of the target (a stream
 *     made by fopencookie, a handler).
 * U4  Output to the descriptors that Heddle captures is not an operation: no result depends on its
 *     order, and every printing thread would multiply the classes.  Reading it back is recorded as
 *     a fact.  With --expect and --expect-same the result depends on the order: then it is an operation
 *     on a file like others.
 * U5  Reading the environment is an operation only if the program may change it; otherwise all orders read the
 *     same.  It is not enough to check whether it has been changed so far: a read before the first change must be
 *     an operation as well, otherwise no search would reverse the two.  We therefore decide before main, from the
 *     symbols that the loaded objects import.  A program that uses dlsym may call anything. */
#ifndef HD_RUNTIME_KERNEL_SHARED_STATE_H
#define HD_RUNTIME_KERNEL_SHARED_STATE_H

#include "model/state.h"
#include "runtime/core/object.h"

enum { HD_SHARED_USES = 1000 };

/* The object at this place of the numbering. */
struct hd_obj *hd_shared_place(unsigned place);
/* The canonical name of an object of type HD_OBJ_STATE. */
hd_cname hd_shared_name(uintptr_t addr);

/* True if operations of other threads may come before or after what the running thread does now
 * (U1). */
bool hd_shared_may_conflict(void);

/* Announces the use (HD_EV_STATE_*) and waits for the turn.  Returns true if it is an operation;
 * hd_shared_end must follow then.  The functions below do nothing if the caller is not a controlled
 * thread, or alone. */
bool hd_shared_begin(enum hd_kind kind, struct hd_obj *o, uint64_t pc);
void hd_shared_end(bool begun, bool failed);

/* Call when the operation that has just ended has also used this object (NULL: none). */
void hd_shared_also(bool begun, struct hd_obj *o, bool write, uint64_t pc);

/* Like hd_shared_begin and hd_shared_also, for a place of the numbering. */
bool hd_state_begin(enum hd_kind kind, unsigned place, uint64_t pc);
void hd_state_also(bool begun, unsigned place, bool write, uint64_t pc);
/* Begins and ends the operation before the call. */
void hd_state_use(enum hd_kind kind, unsigned place, uint64_t pc);

/* Decides whether the program may change the environment (U5).  Call it before the first execution. */
void hd_environment_init(void);
/* Call when the running thread uses the time zone, which depends on the environment. */
void hd_environment_zone(uint64_t pc);

#endif
