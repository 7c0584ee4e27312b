/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signals.h - signals that the program sends to itself, per logical thread.
 *
 * S1  They never reach the kernel, which knows one thread only: what is pending for a thread and
 *     for the process, masks, actions and alternate stacks are the model's.  Signals from
 *     outside (another process, SIGCHLD, SIGPIPE) are the kernel's as ever.
 * S2  To take a signal is an operation (HD_EV_SIGNAL) of a thread that has it open.  A thread that
 *     stands before another operation when it arrives stands before this one instead; what it
 *     stood before is put aside and taken up again when the handler has returned.  The handler
 *     is code of that thread, with the mask that its action says.
 * S3  It may be taken at any point of the thread: at its turn the thread takes it, or puts it off
 *     until it has done what it stood before, if it can do that now.  One that waits takes it.
 * S4  One for the process is there for all threads that have it open; the first takes it.
 * S5  Who sends one to itself, or lets one in, takes it before the call returns; with one for the
 *     process that holds when nobody else could take it.
 * S6  What ends the process by default is a finding where it is sent, if somebody has it open.
 * S7  A handler that has run while the thread waited ends some waits (enum hd_wait_end). */
#ifndef HD_RUNTIME_KERNEL_SIGNALS_H
#define HD_RUNTIME_KERNEL_SIGNALS_H

#include <signal.h>

#include "runtime/core/rt.h"

enum { HD_SIGNALS = 65 };

/* What a handler does to the wait that the running thread announces next. */
enum hd_wait_end {
    HD_WAIT_GOES_ON,   /* nothing */
    HD_WAIT_RESTARTS,  /* ends it, unless the action has SA_RESTART */
    HD_WAIT_ENDS,      /* ends it */
    HD_WAIT_FOR_IT,    /* the same, and it may have run before the wait began: pause */
    HD_WAIT_INSIDE,    /* the same, but it cannot: sigsuspend */
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

/* What the kernel knows of it.  False: no such signal. */
bool hd_signal_kernel_action(int number, struct sigaction *act);
/* What it does, as the program knows it; the number is one that there is. */
struct sigaction hd_signal_action(int number);
/* The running thread has changed that, and it is its turn no more. */
void hd_signal_acts(int number, const struct sigaction *act);
/* Would it end the process by default, if it were sent now? */
bool hd_signal_is_deadly(int number);
bool hd_signal_would_kill(const struct hd_thread *to, int number);

/* ---- sending ------------------------------------------------------------------------------- */

/* The running thread has sent it to itself.  False: it keeps it out, so it has to be sent as below. */
bool hd_signal_take_own(const siginfo_t *info, uint64_t pc);
/* At the turn of an operation: the signal is sent to that thread, or (NULL) to the process. */
void hd_signal_send(struct hd_thread *to, const siginfo_t *info);
/* When it has ended: who can take it stands before that, the sender takes it if S5 says so. */
void hd_signal_sent(const struct hd_thread *to, int number, uint64_t pc);
/* The same where nobody in particular has sent it. */
void hd_signal_came(void);

/* ---- masks ----------------------------------------------------------------------------------- */

/* The running thread has this mask from now on, and takes what that lets in. */
void hd_signal_mask(uint64_t mask, uint64_t pc);
/* The same without taking anything: for as long as a wait lasts. */
void hd_signal_wait_mask(uint64_t mask);

/* ---- waiting ------------------------------------------------------------------------------- */

/* One of the set that is pending for t. */
bool hd_signal_is_pending(const struct hd_thread *t, uint64_t set);
uint64_t hd_signal_pending(const struct hd_thread *t);
/* The running thread takes one of the set without its handler; 0: none. */
int hd_signal_accept(uint64_t set, siginfo_t *info);
/* It waits for these (0: no longer). */
void hd_signal_awaits(uint64_t set);
/* How many handlers have run in it. */
uint32_t hd_signal_handled(const struct hd_thread *t);
/* The next wait ends like this; then: has it been ended by a handler?  (The operation is gone.) */
void hd_signal_wait_ends(enum hd_wait_end how);
bool hd_signal_ended_wait(void);
/* The same, and it may be asked again. */
bool hd_signal_has_ended_wait(void);

/* As hd_op; false: a handler has ended the wait, and the operation is gone. */
bool hd_op_ends(enum hd_kind kind, struct hd_obj *o, enum hd_wait_end how, uint64_t pc);

/* ---- the alternate stack --------------------------------------------------------------------- */

int hd_signal_stack(const stack_t *want, stack_t *old);

/* ---- for the gate and the end of threads; only while hd.signals ------------------------------- */

/* What a thread stood before. */
struct hd_child_session {
    struct hd_event event;
    struct hd_obj *obj, *obj2, *waits;
};

/* t has announced an operation. */
void hd_signal_stands(struct hd_thread *t);
/* It has its turn.  True: it has taken a signal, or put it off, and stands before its operation. */
bool hd_signal_turn(struct hd_thread *t);
/* Nobody can run: those that have put a signal off take it.  False: there is none. */
bool hd_signal_insist(void);
/* The running thread is about to end. */
void hd_signal_thread_ends(void);

#endif
