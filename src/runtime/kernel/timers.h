/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timers.h - timers in virtual time, whatever they do when they expire.
 *
 * T1  Arming a timer creates a logical thread that stands before the expiry.  When it comes is a
 *     matter of schedule: at any time after the arming (with --timeouts=idle: when nothing else
 *     can run).  Virtual time is then at least as late.  No timer of the kernel's is ever armed.
 * T2  Of two that are armed, the one that is set to an earlier moment expires first.
 * T3  Disarming and arming anew are operations on the same object.  A thread that stands before
 *     an expiry stands before that of the latest arming; where there is none any more, it ends.
 *     So a timer never blocks, and never keeps the process from ending.
 * T4  One that repeats would make executions endless: an arming expires HD_TIMER_FREELY times at
 *     any time, and then only when nothing else can run, HD_TIMER_MOST times in all or as often as
 *     its maker says.  The verdict names that.
 * T5  One that sends a signal sends it when it expires.  Where that would end the process by
 *     default it does not come: mostly it is a test's own watchdog, for which durations count. */
#ifndef HD_RUNTIME_KERNEL_TIMERS_H
#define HD_RUNTIME_KERNEL_TIMERS_H

#include <signal.h>

#include "runtime/core/rt.h"

enum { HD_TIMER_FREELY = 3, HD_TIMER_MOST = 64 };

struct hd_timer {
    clockid_t clock;
    unsigned most;                       /* expiries of an arming (T4) */
    void (*expire)(struct hd_timer *t);  /* at its turn: what it does; NULL: nothing */
    void (*notify)(struct hd_timer *t);  /* then, in the timer's thread; NULL: nothing */
    siginfo_t signal;                    /* that it sends; si_signo 0: none */
    struct hd_thread *to;                /* to this thread; NULL: to the process */
    /* of timers.c */
    uint64_t expiry, interval; /* virtual, since the execution began */
    uint32_t generation;       /* of the arming; counts every change */
    uint32_t expiries;         /* of this arming */
    bool armed;
    bool has_thread;           /* one stands before the expiry, or is about to */
    struct hd_thread *stands;
    struct hd_timer *next;     /* of those of this execution */
    uint64_t pc;               /* where it was armed */
};

/* A new one, not armed, zero but for what its maker says.  Its address is its name: it must not
 * depend on the interleaving, and is never given back. */
void hd_timer_made(struct hd_timer *t);
/* The object on which all operations of a timer are. */
struct hd_obj *hd_timer_object(struct hd_timer *t);

/* Between hd_op (HD_EV_TIMER_SET) and hd_done: it is now set to this, and was (old, unless NULL)
 * set to that.  Afterwards hd_timer_start, with the errno of a thread that cannot be had. */
void hd_timer_set(struct hd_timer *t, bool absolute, const struct itimerspec *want,
                  struct itimerspec *old, uint64_t pc);
int hd_timer_start(struct hd_timer *t);
/* What signals do has changed: those may have to start that were of no use (T5). */
void hd_timers_wake(void);
/* The same as hd_timer_set: what it is set to. */
struct itimerspec hd_timer_setting(const struct hd_timer *t);
bool hd_timer_is_valid(const struct itimerspec *s);

/* The gate's question: can this thread, which stands before an expiry, go on?  *idle: only when
 * nothing else can run. */
bool hd_timer_can_go_on(const struct hd_thread *t, bool *idle);

#endif
