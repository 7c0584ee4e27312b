/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread.h - creation, cancellation and end of logical threads. */
#ifndef HD_RUNTIME_CORE_THREAD_H
#define HD_RUNTIME_CORE_THREAD_H

#include <pthread.h>

#include "runtime/sys/mem.h"

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

/* Creates thread 0, whose function is the program's main. */
struct hd_thread *hd_thread_main(void);
/* Creates a thread of this execution.  The caller must still add it to the gate. */
struct hd_thread *hd_thread_new(unsigned slot, hd_tid parent, uint16_t nth);
/* Creates the nth child of parent and adds it to the gate.  Its start is its pending operation. */
struct hd_thread *hd_thread_spawn(struct hd_thread *parent, unsigned slot, unsigned nth,
                                  void *(*fn)(void *), void *arg, uint64_t pc);
/* Study: runs t up to its first operation.  Then t has no start operation. */
void hd_thread_start_eagerly(struct hd_thread *t);
/* The stack size that a thread requested, as the thread sees it.  The real stack is larger.  Pages
 * that the thread has never used serve as its guard. */
struct hd_stack_request {
    size_t size;  /* 0: the default size */
    size_t guard;
};
#define HD_STACK_USUAL ((struct hd_stack_request){ 0, HD_PAGE })
/* Returns the stack size and guard size in the attributes.  attr may be NULL: the defaults. */
struct hd_stack_request hd_stack_requested(const pthread_attr_t *attr);
/* Creates a thread for the running thread.  Returns 0 or EAGAIN. */
int hd_thread_create(uint64_t *self, bool detached, struct hd_stack_request stack, void *(*fn)(void *),
                     void *arg, uint64_t pc);
/* Returns the object that represents the thread in this slot. */
struct hd_obj *hd_thread_object(unsigned slot);
/* Decides, before the first execution, whether the ends of threads are steps (thread_end.c, E1). */
void hd_thread_ends_init(void);
/* Call when an execution begins. */
void hd_thread_ends_begin(void);
/* Ends the running thread, which has returned from its function.  Runs its destructors first. */
_Noreturn void hd_thread_end(void);
/* Call when the running thread observes, other than by a join, whether another thread has ended
 * (thread_end.c, E1). */
void hd_thread_end_seen(void);
/* Returns true if no other thread is alive. */
bool hd_thread_is_alone(void);
/* Runs the destructors of the running thread's thread_local objects. */
void hd_thread_run_tls_dtors(void);
/* Stops the running thread for good after a failure.  The other threads run on. */
_Noreturn void hd_thread_failed(void);
/* heddle_assume: stops the running thread for good.  It does not count as failed. */
_Noreturn void hd_thread_stop(void);
/* Finds out, before the first execution, whether the program can cancel threads. */
void hd_cancel_init(void);
/* In programs that can cancel threads: lets another thread cancel the running one now. */
void hd_cancel_turn(void);
/* A cancellation point.  Does not return if the thread is cancelled.  Never call it between hd_op
 * and hd_done.  It is a step of its own only if the thread has done nothing visible since the last
 * cancellation point. */
void hd_cancel_point(void);
/* Like hd_cancel_point, but leaves a request to the next cancellation point. */
void hd_cancel_passed(void);
/* Returns the live or finished thread with this pthread_t, NULL if there is none. */
struct hd_thread *hd_thread_find(uint64_t self);
/* Ends the running thread with this value.  Runs its cleanup handlers. */
_Noreturn void hd_thread_exit(void *value);

static inline bool hd_thread_is_cancelled(const struct hd_thread *t)
{
    return t->cancel.pending && t->cancel.state == 0;
}

#endif
