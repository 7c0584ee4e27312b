/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timers.c - see timers.h. */
#include "runtime/kernel/timers.h"

#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/core/time.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signals.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

static struct hd_timer *all; /* list of the timers of this execution */
static uint32_t all_epoch;

static struct hd_timer *first(void)
{
    if (all_epoch != hd.epoch)
        all = NULL;
    all_epoch = hd.epoch;
    return all;
}

void hd_timer_made(struct hd_timer *t)
{
    t->next = first();
    all = t;
}

struct hd_obj *hd_timer_object(struct hd_timer *t)
{
    return hd_object(t, HD_OBJ_TIMER);
}

/* ---- which timer may expire ----------------------------------------------------------- */

/* False for clocks of CPU time, which say nothing about elapsed time. */
static bool is_comparable(const struct hd_timer *t)
{
    return t->clock != CLOCK_PROCESS_CPUTIME_ID && t->clock != CLOCK_THREAD_CPUTIME_ID;
}

static bool is_first(const struct hd_timer *t)
{
    for (const struct hd_timer *o = first(); o != NULL; o = o->next)
        if (o->has_thread && o->armed && o->expiry < t->expiry && is_comparable(o) && is_comparable(t))
            return false;
    return true;
}

bool hd_timer_can_go_on(const struct hd_thread *thread, bool *idle)
{
    const struct hd_timer *t = thread->arg;

    *idle = false;
    if (!t->armed)
        return true; /* it may run, so that its thread ends */
    if (!is_first(t))
        return false;
    *idle = hd.cfg->timeouts_idle || t->expiries >= HD_TIMER_FREELY;
    return !*idle;
}

/* T2: setting one timer decides whether others may expire. */
static void reevaluate(void)
{
    for (const struct hd_timer *t = first(); t != NULL; t = t->next)
        if (t->stands != NULL && t->stands != hd.cur)
            hd_gate_reevaluate(t->stands);
}

/* ---- the thread ----------------------------------------------------------------------- */

static bool kills(const struct hd_timer *t)
{
    bool kills = t->signal.si_signo != 0 && hd_signal_would_kill(t->to, t->signal.si_signo);

    if (kills)
        hd_qualified("alarm, setitimer, timer_create: a signal that would end the process never comes");
    return kills;
}

/* T5: sends the signal at the turn of the expiry.  Returns false if none is sent. */
static bool send_signal(const struct hd_timer *t)
{
    if (t->signal.si_signo == 0 || kills(t) || (t->to != NULL && t->to->state != HD_TH_LIVE))
        return false;
    hd_fact(HD_FACT_SIGNAL);
    hd_signal_send(t->to, &t->signal);
    return true;
}

static void signal_sent(const struct hd_timer *t)
{
    hd_io_counts_as(t->pc);
    hd_touch_unit(hd_shared_place(HD_STATE_SIGNALS), true, t->pc);
    hd_note_channel(hd_shared_place(HD_STATE_SIGNALS), HD_FLOW_TELLS, t->pc);
    hd_signal_came();
}

/* Runs one expiry.  Returns false if there is nothing left to wait for. */
static bool expiry_of(struct hd_timer *t)
{
    hd_fact(HD_FACT_TIMER);
    t->stands = hd.cur;
    hd.cur->deadline = t->expiry; /* it must not expire before a timer with an earlier expiry time */
    hd_op(HD_EV_TIMER_EXPIRE, hd_timer_object(t), NULL, t->pc);
    t->stands = NULL;
    bool armed = t->armed, sent = false;

    if (armed) {
        hd_time_reach(t->clock, t->expiry + hd_time_zero(t->clock));
        t->armed = t->interval != 0;
        t->expiry += t->interval;
        t->expiries++;
        if (t->expire != NULL)
            t->expire(t);
        sent = send_signal(t);
    }
    t->has_thread = false;
    hd_done(0, armed ? 0 : HD_EVF_FAILED);
    if (sent)
        signal_sent(t);
    reevaluate();
    return armed;
}

/* Records that the timer has reached the limit of T4: a thread that waits for more expiries is not deadlocked. */
static void cut(void)
{
    hd.cut = 1;
    hd.exec->loop_cuts++;
}

static void *timer_thread(void *arg)
{
    static const char name[] = "timer";
    struct hd_timer *t = arg;

    hd_mem_copy(hd.exec->threads[hd.cur->tid].name, name, sizeof name);
    hd.cur->signals.mask = ~UINT64_C(0);
    while (expiry_of(t)) {
        uint32_t generation = t->generation;

        if (t->armed && t->expiries == HD_TIMER_FREELY)
            hd_uncontrolled("periodic timers notify 3 times per arming, then when nothing else can run or never");
        if (t->notify != NULL)
            t->notify(t);
        if (!t->armed || t->generation != generation)
            return NULL;
        if (t->expiries >= t->most) {
            cut();
            return NULL;
        }
        t->has_thread = true;
        reevaluate();
    }
    return NULL;
}

/* ---- arming ------------------------------------------------------------------------------ */

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){ (time_t)(ns / HD_NS_PER_S), (long)(ns % HD_NS_PER_S) };
}

/* An armed timer has at least one nanosecond left, even if virtual time is past its expiry. */
struct itimerspec hd_timer_setting(const struct hd_timer *t)
{
    struct itimerspec now = { .it_interval = timespec_of(t->interval) };

    if (t->armed) {
        uint64_t clock = hd_time_of(t->clock), expiry = t->expiry + hd_time_zero(t->clock);

        now.it_value = timespec_of(expiry > clock ? expiry - clock : 1);
    }
    return now;
}

bool hd_timer_is_valid(const struct itimerspec *s)
{
    return hd_time_valid(&s->it_value) && hd_time_valid(&s->it_interval) && s->it_value.tv_sec >= 0 &&
           s->it_interval.tv_sec >= 0;
}

void hd_timer_set(struct hd_timer *t, bool absolute, const struct itimerspec *want,
                  struct itimerspec *old, uint64_t pc)
{
    uint64_t value = hd_time_ns(&want->it_value), zero = hd_time_zero(t->clock);

    if (old != NULL)
        *old = hd_timer_setting(t);
    t->generation++;
    t->expiries = 0;
    t->armed = value != 0;
    t->interval = hd_time_ns(&want->it_interval);
    t->pc = pc;
    if (!absolute)
        t->expiry = hd_time_of(t->clock) - zero + value;
    else
        t->expiry = value > zero ? value - zero : 0;
    reevaluate();
}

int hd_timer_start(struct hd_timer *t)
{
    uint64_t self;

    bool does_nothing = t->expire == NULL && t->notify == NULL && (t->signal.si_signo == 0 || kills(t));

    if (!t->armed || t->has_thread || does_nothing)
        return 0;
    t->has_thread = true;
    reevaluate();
    int error = hd_thread_create(&self, true, HD_STACK_USUAL, timer_thread, t, t->pc);

    if (error != 0) {
        t->has_thread = false;
        reevaluate();
    }
    return error;
}

void hd_timers_wake(void)
{
    for (struct hd_timer *t = first(); t != NULL; t = t->next)
        if (t->signal.si_signo != 0 && t->armed && !t->has_thread && t->expiries < t->most)
            hd_timer_start(t);
}
