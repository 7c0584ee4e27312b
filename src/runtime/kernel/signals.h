/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.h - signals that the program sends to itself, per logical thread.
 *
 * S1  They never reach the kernel, which sees a single thread.  Pending signals of threads and of
 *     the process, masks, actions and alternate stacks are part of the model.  Signals from outside
 *     (another process, SIGCHLD, SIGPIPE) come through the kernel (outside_signals.h).
 * S2  Taking a signal is an operation (HD_EV_SIGNAL) of a thread that does not block it.  If the
 *     thread is about to do another operation when the signal arrives, that operation is deferred
 *     until the handler has returned.  The handler runs as code of that thread, with the mask of
 *     its action.
 * S3  A signal may be taken at any point of the thread: at its turn the thread takes it, or first does the deferred
 *     operation if that is enabled.  A waiting thread takes it, and so does a thread that ends.  In the latter case
 *     the signal may also be lost, so the search makes no claim.
 * S4  A signal for the process is available to all threads that do not block it.  The first one
 *     takes it.
 * S5  A thread that sends a signal to itself, or sets its mask and leaves one unblocked, takes it before the
 *     call returns.
 *     For a signal to the process this holds if no other thread could take it.
 * S6  A signal that ends the process by default is a finding where it is sent, if some thread does
 *     not block it.
 * S7  A handler that has run during a wait ends some kinds of waits (enum hd_wait_end). */
#ifndef HD_RUNTIME_KERNEL_SIGNALS_H
#define HD_RUNTIME_KERNEL_SIGNALS_H

#include <signal.h>

#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/thread_state.h"

enum { HD_SIGNALS = 65 };

/* The effect of a handler on the wait that the running thread announces next. */
enum hd_wait_end {
    HD_WAIT_GOES_ON,   /* nothing */
    HD_WAIT_RESTARTS,  /* the handler ends the wait, unless its action has SA_RESTART: then the wait
                        * continues */
    HD_WAIT_QUEUED,    /* the handler ends the wait in a queue (futex); with SA_RESTART the kernel
                        * makes the call again (hd_signal_repeats_call).  A thread that has been
                        * woken takes the wake-up first */
    HD_WAIT_ENDS,      /* the handler ends the wait */
    HD_WAIT_FOR_IT,    /* the handler ends the wait, even if the handler ran before the wait began (pause) */
    HD_WAIT_INSIDE,    /* the handler ends the wait, and cannot have run before it (sigsuspend) */
};

static inline uint64_t hd_signal_bit(int number)
{
    return UINT64_C(1) << (number - 1);
}

static inline uint64_t hd_signal_word(const sigset_t *set)
{
    return *(const uint64_t *)(const void *)set;
}

/* ---- actions ------------------------------------------------------------------------------ */

/* The action as the program has set it.  Precondition: number is valid. */
struct sigaction hd_signal_action(int number);
/* Call when the running thread has changed the action and its operation has ended. */
void hd_signal_acts(int number, const struct sigaction *act);
/* hd_signal_is_deadly returns true if the signal ends the process by default, hd_signal_would_kill
 * if it would do so when sent now. */
bool hd_signal_is_deadly(int number);
bool hd_signal_would_kill(const struct hd_thread *to, int number);

/* ---- sending ------------------------------------------------------------------------------- */

/* Call when the running thread has sent the signal to itself.  Returns false if it blocks the
 * signal: the caller then uses hd_signal_send. */
bool hd_signal_take_own(const siginfo_t *info, uint64_t pc);
/* Sends the signal to that thread, or (NULL) to the process.  Precondition: the caller is in the
 * turn of an operation. */
void hd_signal_send(struct hd_thread *to, const siginfo_t *info);
/* Called after that operation: applies S2 to threads that can take the signal, and S5 to the
 * sender. */
void hd_signal_sent(const struct hd_thread *to, int number, uint64_t pc);
/* Like hd_signal_sent, for a signal without a sender. */
void hd_signal_came(void);

/* Runs the handlers of signals that the running thread's own system call has raised.  Call when the operation has
 * ended, only while hd.signals is set. */
void hd_signal_take_raised(uint64_t pc);

/* ---- masks ----------------------------------------------------------------------------------- */

/* Sets the mask of the running thread, which then takes the signals that are not blocked. */
void hd_signal_mask(uint64_t mask, uint64_t pc);
/* Sets the mask without taking signals, for the duration of a wait. */
void hd_signal_wait_mask(uint64_t mask);

/* ---- waiting ------------------------------------------------------------------------------- */

/* hd_signal_is_pending returns true if a signal of the set is pending for t.  hd_signal_pending
 * returns the set of pending signals of t. */
bool hd_signal_is_pending(const struct hd_thread *t, uint64_t set);
uint64_t hd_signal_pending(const struct hd_thread *t);
/* The running thread takes a signal of the set without running its handler.  Returns its number, or
 * 0. */
int hd_signal_accept(uint64_t set, siginfo_t *info);
/* Call when the running thread waits for these signals (0: it no longer waits). */
void hd_signal_awaits(uint64_t set);
/* The number of handlers that have run in t since its last wait began. */
uint32_t hd_signal_handled(const struct hd_thread *t);
/* hd_signal_wait_ends sets how handlers affect the next wait.  hd_signal_ended_wait returns true if a handler has
 * ended the wait; then the operation is no longer pending.  If a request to cancel the thread has come meanwhile, it
 * does not return (except for a wait with HD_WAIT_QUEUED). */
void hd_signal_wait_ends(enum hd_wait_end how);
bool hd_signal_ended_wait(void);
/* Like hd_signal_ended_wait, without resetting the answer. */
bool hd_signal_has_ended_wait(void);
/* After a wait with HD_WAIT_QUEUED that a handler has ended: true if its action has SA_RESTART. */
bool hd_signal_repeats_call(void);

/* Like hd_op.  Returns false if a handler has ended the wait; then the operation is no longer pending. */
bool hd_op_ends(enum hd_kind kind, struct hd_obj *o, enum hd_wait_end how, uint64_t pc);

/* ---- the alternate stack --------------------------------------------------------------------- */

int hd_signal_stack(const stack_t *want, stack_t *old);

/* ---- for the gate and the end of threads; only while hd.signals is set -------------------------- */

/* Call when t has announced an operation. */
void hd_signal_announced(struct hd_thread *t);
/* Call when t has its turn.  Returns true if it has taken or deferred a signal; its original
 * operation is pending again. */
bool hd_signal_turn(struct hd_thread *t);
/* Call when no thread can run: threads that have deferred a signal take it now.  Returns false if
 * there is none. */
bool hd_signal_take_deferred(void);
/* Call when the running thread is about to end. */
void hd_signal_thread_ends(void);

#endif
