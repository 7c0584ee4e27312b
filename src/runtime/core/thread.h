/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread.h - life and death of logical threads. */
#ifndef HD_RUNTIME_CORE_THREAD_H
#define HD_RUNTIME_CORE_THREAD_H

#include <pthread.h>

#include "runtime/sys/mem.h"

#include "runtime/core/rt.h"

/* Thread 0, whose function is the program's main. */
struct hd_thread *hd_thread_main(void);
/* A new thread of this execution, not yet known to the gate. */
struct hd_thread *hd_thread_new(unsigned slot, hd_tid parent, uint16_t nth);
/* A new child of parent, the nth, before its start; known to the gate. */
struct hd_thread *hd_thread_spawn(struct hd_thread *parent, unsigned slot, unsigned nth,
                                  void *(*fn)(void *), void *arg, uint64_t pc);
/* Study: a thread has no start of its own; it runs to its first operation now. */
void hd_thread_start_eagerly(struct hd_thread *t);
/* What a thread is told of its stack: that is larger, and pages that were never used are its guard. */
struct hd_stack_wish {
    size_t size;  /* 0: the usual one */
    size_t guard;
};
#define HD_STACK_USUAL ((struct hd_stack_wish){ 0, HD_PAGE })
/* What the attributes say; NULL: the usual. */
struct hd_stack_wish hd_stack_wished(const pthread_attr_t *attr);
/* The running thread creates one: 0 or EAGAIN. */
int hd_thread_create(uint64_t *self, bool detached, struct hd_stack_wish stack, void *(*fn)(void *),
                     void *arg, uint64_t pc);
/* The model's object for the thread in this slot. */
struct hd_obj *hd_thread_object(unsigned slot);
/* Decide E1, before the first execution. */
void hd_thread_ends_init(void);
/* The running thread has come to the end of its function: its destructors, then its end. */
_Noreturn void hd_thread_end(void);
/* It asks whether another one has ended, otherwise than by joining it (E1). */
void hd_thread_end_seen(void);
/* Is no other thread alive? */
bool hd_thread_is_alone(void);
/* Destructors of its thread_local objects. */
void hd_thread_run_tls_dtors(void);
/* The running thread fails: it stops for good, the others run on. */
_Noreturn void hd_thread_failed(void);
/* heddle_assume: the same, but it is no failure. */
_Noreturn void hd_thread_stop(void);
/* Before the first execution: can threads be cancelled? */
void hd_cancel_init(void);
/* In programs that can cancel threads: another thread may do so now. */
void hd_cancel_turn(void);
/* A cancellation point: does not return when the thread is cancelled.  Never between hd_op and
 * hd_done.  A step of its own only where the thread has done nothing visible since the last one. */
void hd_cancel_point(void);
/* The live or finished thread with this pthread_t; NULL when there is none. */
struct hd_thread *hd_thread_find(uint64_t self);
/* Ends the running thread with this value, running its cleanup handlers. */
_Noreturn void hd_thread_exit(void *value);

static inline bool hd_thread_is_cancelled(const struct hd_thread *t)
{
    return t->cancel_pending && t->cancel_state == 0;
}

#endif
