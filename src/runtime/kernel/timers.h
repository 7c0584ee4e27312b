/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timers.h - timers in virtual time, independent of what they do when they expire.
 *
 * T1  Arming a timer creates a logical thread whose next operation is the expiry.  The schedule
 *     decides when it runs: at any time after the arming (with --timeouts=idle: when no other
 *     thread can run).  Virtual time then advances at least to the expiry time.  No timer of the
 *     kernel is ever armed.
 * T2  If two timers are armed, the one with the earlier expiry time expires first.
 * T3  Disarming and rearming are operations on the same object.  The timer's thread waits for the
 *     expiry of the latest arming, and ends if there is none.  So a timer never blocks, and never
 *     keeps the process from ending.
 * T4  A periodic timer would make executions endless.  So a timer expires HD_TIMER_FREELY times at any time after an
 *     arming, then only when no other thread can run, and at most HD_TIMER_MOST times in all, or as often as its
 *     creator allows.  The verdict mentions the limit.
 * T5  A timer that sends a signal sends it when it expires.  If the signal would end the process by default, the
 *     timer never expires: such a timer is mostly a watchdog of the test, which is meant for real time. */
#ifndef HD_RUNTIME_KERNEL_TIMERS_H
#define HD_RUNTIME_KERNEL_TIMERS_H

#include <signal.h>
#include <time.h>

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

enum { HD_TIMER_FREELY = 3, HD_TIMER_MOST = 64 };

struct hd_timer {
    clockid_t clock;
    unsigned most;                       /* limit of expiries per arming (T4) */
    void (*expire)(struct hd_timer *t);  /* its effect, executed at its turn; NULL: none */
    void (*notify)(struct hd_timer *t);  /* called afterwards, in the timer's thread; NULL: none */
    siginfo_t signal;                    /* signal to send; si_signo 0: none */
    struct hd_thread *to;                /* receiver; NULL: the process */
    /* private to timers.c */
    uint64_t expiry, interval; /* virtual time since the execution began */
    uint32_t generation;       /* counts all changes of the setting */
    uint32_t expiries;         /* number of expiries since the last arming */
    bool armed;
    bool has_thread;           /* a thread waits for the expiry, or is about to */
    struct hd_thread *stands;
    struct hd_timer *next;     /* next timer of this execution */
    uint64_t pc;               /* where it was armed */
};

/* Registers a new, disarmed timer that is zero except for the creator's fields.  Its address is its
 * name: it must not depend on the interleaving, and is never reused. */
void hd_timer_made(struct hd_timer *t);
/* The object of all operations on the timer. */
struct hd_obj *hd_timer_object(struct hd_timer *t);

/* Sets the timer, and stores the previous setting in *old unless NULL.  Call it between
 * hd_op(HD_EV_TIMER_SET) and hd_done, and hd_timer_start afterwards, which returns an errno if it
 * cannot create the thread. */
void hd_timer_set(struct hd_timer *t, bool absolute, const struct itimerspec *want,
                  struct itimerspec *old, uint64_t pc);
int hd_timer_start(struct hd_timer *t);
/* Starts the timers that T5 held back.  Call when actions of signals have changed. */
void hd_timers_wake(void);
/* Returns the current setting.  Call at the same time as hd_timer_set. */
struct itimerspec hd_timer_setting(const struct hd_timer *t);
bool hd_timer_is_valid(const struct itimerspec *s);

/* For the gate: true if thread t, whose next operation is an expiry, may run. *idle: only if no
 * other thread can run. */
bool hd_timer_can_go_on(const struct hd_thread *t, bool *idle);

#endif
