/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await.h - rounds of waiting loops are no events.
 *
 * while (!load(&x)); is one operation that waits until x is not 0.  A round that did not see what
 * the loop waits for has changed nothing, and the thread is in the state that it was in before.  So
 * the operation is disabled while its location has a value with which it would go round, like a
 * lock that is held, and enabled when the value changes.  An execution without the rounds is an
 * execution of the program and reaches the same states.
 *
 * A1  In a loop of one operation, it goes round if it changes nothing and the thread's next operation
 *     is the same one in the same state: callee-saved registers, live stack, operands.  In between the thread has
 *     stored nothing outside its stack, read nothing there by plain accesses, called no
 *     uninstrumented code, and recorded no other event.  Then the key (state and operation) and the
 *     value found determine that it goes round (model/awaits.h), in every execution.
 * A2  Whether an unknown value makes it go round is tried: the operation takes place, and the
 *     thread runs to its next announcement.  If it went round, it is taken back: its event, its
 *     decision, its preemption, what the race detector and poll.c learnt.  It was the last event,
 *     since no other thread has run.  So an execution does not depend on whether an outcome was known
 *     or tried.  The strategy then decides again (hd_point.again).
 * A3  Only operations at known places have a key.  poll.c recognises a loop when a thread has come
 *     back in the same state after atomic operations only, or after a compare-and-swap that failed; this
 *     file, when a stretch (A5) has come back by other operations.  Places apply from the next pass
 *     of the search on, which begins at once: so an operation at any other place is an event in
 *     every execution of a pass.
 * A4  What a thread waits for may be written without an event that the runtime sees in time (a
 *     plain store): then the outcome counts as unknown until it is tried.
 *
 * A5  Loops of several operations.  The stretch of a thread is its operations since it last changed
 *     anything: recorded an event that is no poll, stored outside its stack, or called uninstrumented
 *     code.  An operation goes round if it changes nothing and the
 *     thread's next operation is in a state in which the stretch has been.  If the thread reads memory by plain
 *     accesses after an operation, that operation never goes round, since the value does not determine the next state;
 *     but a round may contain it: what the thread has read is in its state.  So each operation of the
 *     body waits by itself, for values with which it does not lead back: in while (!(a && b)); the
 *     thread may read a, wait, and then read b.  (To wait for values with which the body as a whole would
 *     leave is wrong: if a is lowered before b is raised, the loop is left by such a round only.)  The
 *     key of an operation comprises the states of its stretch.  Each round that is cut out has changed
 *     nothing, so all final states are still reached.
 * A6  If an operation has led back to an earlier state than its own, its thread would have to be moved
 *     back to it.  Instead the execution is begun again, with what is known now.  That happens once
 *     for each key and value.
 * A7  If no thread can run, or those that can return to an earlier state (cycle.h), threads that wait in such a loop need not wait for ever: the round that they
 *     are in may have begun with values that are gone.  Then they run on as poll.h lets them (hd_point.astray).  If they are
 *     all parked in the end, that is a livelock.  If not, the execution counts as redundant: without
 *     the round it is one of the others.
 *
 * A8  A state leaves out registers and words of the frame that the code overwrites before it reads them
 *     (liveness.h): do o = load(&x); while (!cas(&x, &o, o + 1)); keeps the old value when it goes round.
 *     Variables that are not initialised yet contain what was on the stack before, so hooks leave nothing there
 *     (HD_MODE_TIDY): the state is a function of the thread's past.
 *
 * Loops whose operations are all followed by plain reads of shared memory, and those that change something, are
 * handled by poll.h. */
#ifndef HD_RUNTIME_PROGRESS_AWAIT_H
#define HD_RUNTIME_PROGRESS_AWAIT_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

struct hd_polled;

extern uint32_t hd_await_nplaces __attribute__((visibility("hidden"))); /* that apply to this execution */
extern bool hd_await_trying __attribute__((visibility("hidden"))); /* the last event is a trial (A2) */
extern uint32_t hd_await_nwaiting __attribute__((visibility("hidden"))); /* threads whose pending operation has a key */

void hd_await_begin(void);
/* Returns the set of rows of hd_common.waits that apply to this execution. */
uint64_t hd_await_places(void);
/* A3: t has come back to its state after its last n operations that were no yields. */
void hd_await_found_round(const struct hd_thread *t, uint32_t n);
/* The running thread is about to announce an operation that may poll.  Returns HD_VISIT_AWAITS if it
 * has a key, with HD_VISIT_AGAIN if the last step was taken back; 0 otherwise. */
unsigned hd_await_visit(struct hd_thread *t, enum hd_kind kind, const struct hd_obj *o, uint64_t pc);
/* The operation has a key, is no trial that was taken back, and poll.c does not hold t: disables it if
 * it is known to go round. */
void hd_await_look(struct hd_thread *t);
/* The key of t's pending operation. */
uint64_t hd_await_key(const struct hd_thread *t);
/* The operation with a key takes effect now. */
void hd_await_turn(struct hd_thread *t);
/* The running thread has read memory outside its stack by a plain access. */
void hd_await_read(void);
/* An event of t was recorded. */
void hd_await_event(const struct hd_thread *t, const struct hd_event *e);
/* Memory was written: by an event that has taken effect, or by an access that takes place after
 * this call. */
void hd_await_written(const struct hd_thread *by, uintptr_t addr, size_t size, bool done);
/* An event that changes the state of a lock or semaphore has taken effect. */
void hd_await_changed(const struct hd_event *e);
/* t does not wait any more. */
void hd_await_forget(struct hd_thread *t);
/* No thread can run: enables threads whose location has changed unseen.  Returns true if there are
 * any. */
bool hd_await_release(void);
/* Does t wait at an operation that is not the first of its round? */
bool hd_await_is_within_round(const struct hd_thread *t);
/* A7: no thread can run, or only threads that go in circles.  Returns true if threads are enabled now. */
bool hd_await_give_up(void);
/* If t waits so, stores its location in *out. */
bool hd_await_tell(const struct hd_thread *t, struct hd_polled *out);

#endif
