/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await.h - leaves idle rounds of waiting loops out of executions.
 *
 * while (!load(&x)); is one operation that waits until x is not 0.  An idle round, in which the loop does not see
 * what it waits for, changes nothing: after it the thread is in the same state as before.  So we say that the
 * operation "goes round" with a value if it would only begin another round.  While its location has such a value, the
 * operation is disabled, like the locking of a mutex that is held.  It is enabled when the value changes.  Leaving
 * out idle rounds gives another execution of the program, which reaches the same states.
 *
 * A1  In a loop of one operation, the operation goes round if it changes nothing and the thread's next operation is
 *     the same one in the same state: callee-saved registers, live stack, operands.  In between the thread has stored
 *     nothing outside its stack, read nothing there by plain accesses, called no uninstrumented code, and recorded no
 *     other event.  Then the key (state and operation) and the value that it finds determine in every execution that
 *     it goes round (model/awaits.h).
 * A2  If it is not known whether the operation goes round with a value, the runtime tries it: the operation takes
 *     place, and the thread runs until it announces its next operation.  If the operation went round, the runtime
 *     undoes it: its event, its decision, its preemption, and its effects on the race detector and poll.c.  That is
 *     possible because no other thread has run since.  So an execution is the same whether an outcome was known or
 *     tried.  The strategy then decides again (hd_point.again).
 * A3  Only operations at known places, which belong to a loop, have a key.  poll.c recognises a loop when a thread
 *     has returned to the same state after atomic operations only, or after a failed compare-and-swap.  await.c
 *     recognises a loop of other operations when a stretch (A5) returns to an earlier state.  A new place is used
 *     from the next pass of the search on, which begins at once.  So the same places are known in all executions of a
 *     pass.
 * A4  A plain store may write the location without an event that the runtime sees in time.  Then the outcome is
 *     unknown until the operation is tried.
 *
 * A5  Loops of several operations.  The stretch of a thread is its operations since it last changed anything:
 *     recorded an event that is not a poll, stored outside its stack, or called uninstrumented code.  An operation
 *     goes round if it changes nothing and the thread then announces its next operation in a state that occurred
 *     earlier in the stretch.  If the thread reads memory by plain accesses after an operation, that operation never
 *     goes round, since the value does not determine the next state.  A round may still contain it, because what the
 *     thread has read is part of its state.  So each operation of the body waits separately, for a value with which
 *     it does not lead back to an earlier state: in while (!(a && b)); the thread may read a, wait, and then read b.
 *     (It would be wrong to wait until the whole body would leave the loop: if a is cleared before b is set, only the
 *     order read a, wait, read b leaves it.)  The key of an operation comprises the states of its stretch.  Each
 *     round that is left out has changed nothing, so all final states are still reached.
 * A6  If an operation has led back to an earlier state than its own, its thread would have to be restored to that
 *     state.  Instead the execution starts again, and the outcome is known this time.  That happens at most once for
 *     each key and value.
 * A7  If no thread can run, or only threads in a cycle (cycle.h), threads that wait in such a loop may still be able
 *     to leave it: their current round may have begun with values that have changed since.  They then continue by the
 *     rules of poll.h (hd_point.only_waits).  If all of them are parked in the end, that is a livelock.  Otherwise the
 *     execution counts as redundant: without that round it equals another one.
 *
 * A8  A state leaves out registers and words of the frame that the code overwrites before it reads them (liveness.h),
 *     because loops such as do o = load(&x); while (!cas(&x, &o, o + 1)); still contain the old value when they go
 *     round.  Uninitialised variables contain what was on the stack before.  So hooks clear the stack that they have
 *     used (HD_MODE_TIDY); otherwise the state would not be a function of the thread's past.
 *
 * A9  A round may store in memory outside the stack if the stores cannot matter in the state that it leads back to
 *     (liveness.h, V5): do { o = load(&top); n->next = o; } while (!cas(&top, &o, n)); writes n->next again before
 *     any other thread may read it.  The operation in that state must be a load, since a load releases nothing to
 *     other threads.
 *
 * Loops whose operations are all followed by plain reads of shared memory, and those that change something, are
 * handled by poll.h. */
#ifndef HD_RUNTIME_PROGRESS_AWAIT_H
#define HD_RUNTIME_PROGRESS_AWAIT_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

struct hd_polled;

extern uint32_t hd_await_nplaces __attribute__((visibility("hidden"))); /* number of places that apply to this
                                                                         * execution */
extern bool hd_await_trying __attribute__((visibility("hidden"))); /* the last event is a trial (A2) */
extern uint32_t hd_await_nwaiting __attribute__((visibility("hidden"))); /* threads whose pending operation has a key */

void hd_await_begin(void);
/* Returns the set of rows of hd_common.waits that apply to this execution. */
uint64_t hd_await_places(void);
/* A3: call when t has returned to the state before its last n operations, not counting yields. */
void hd_await_found_round(const struct hd_thread *t, uint32_t n);
/* Call when the running thread is about to announce an operation that may poll.  Returns HD_VISIT_AWAITS if it has a
 * key, with HD_VISIT_AGAIN if the last step was taken back; otherwise 0. */
unsigned hd_await_visit(struct hd_thread *t, enum hd_kind kind, struct hd_obj *o, uint64_t pc);
/* Disables t's pending operation if it is known to go round.  Precondition: it has a key, it is not a trial that
 * was just undone, and poll.c does not hold t. */
void hd_await_look(struct hd_thread *t);
/* The key of t's pending operation. */
uint64_t hd_await_key(const struct hd_thread *t);
/* Call when the operation with a key takes effect. */
void hd_await_turn(struct hd_thread *t);
/* Call when the running thread has read memory outside its stack by a plain access. */
void hd_await_read(void);
/* Call when the running thread is about to store there by a plain access; hd.stores already includes it. */
void hd_await_stored(uintptr_t addr, size_t size);
/* Call when an event of t was recorded. */
void hd_await_event(const struct hd_thread *t, const struct hd_event *e);
/* Call when the thread that tried an operation is about to announce one that belongs to no waiting loop. */
void hd_await_left(void);
/* Call when memory is written: by an event that has taken effect, or by an access that takes place after this
 * call. */
void hd_await_written(const struct hd_thread *by, uintptr_t addr, size_t size, bool done);
/* Call when an event that changes the state of a lock or semaphore has taken effect. */
void hd_await_changed(const struct hd_event *e);
/* Call when t does not wait any more. */
void hd_await_forget(struct hd_thread *t);
/* Call when no thread can run: enables threads whose location has changed without a hook seeing it.  Returns true
 * if there are any. */
bool hd_await_release(void);
/* True if t waits at an operation that is not the first of its round. */
bool hd_await_is_within_round(const struct hd_thread *t);
/* True if the operation of t could have left the loop at a decision after that many events.  Precondition: t waits. */
bool hd_await_could_leave(const struct hd_thread *t, uint32_t event);
/* A7: call when no thread can run, or only threads in a cycle.  Returns true if threads are enabled now. */
bool hd_await_give_up(void);
/* If t waits for a value, stores its location in *out and returns true. */
bool hd_await_tell(const struct hd_thread *t, struct hd_polled *out);

#endif
