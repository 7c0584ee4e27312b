/* SPDX-License-Identifier: BSD-2-Clause
 *
 * timers.c - see timers.h. */
#include "runtime/timers.h"

#include "runtime/gate.h"
#include "runtime/intercept.h"
#include "runtime/mem.h"

static struct hd_timer *all; /* of this execution */
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

/* ---- who may go on -------------------------------------------------------------------- */

/* Time that a processor has worked says nothing about time that has passed. */
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
        return true; /* to its end */
    if (!is_first(t))
        return false;
    *idle = hd.cfg->timeouts_idle || t->expiries >= HD_TIMER_FREELY;
    return !*idle;
}

/* T2: what one is set to decides whether others may expire. */
static void reevaluate(void)
{
    for (const struct hd_timer *t = first(); t != NULL; t = t->next)
        if (t->stands != NULL && t->stands != hd.cur)
            hd_gate_reevaluate(t->stands);
}

/* ---- the thread ----------------------------------------------------------------------- */

/* An expiry; false when there is nothing to wait for any more. */
static bool expiry_of(struct hd_timer *t)
{
    hd_fact(HD_FACT_TIMER);
    t->stands = hd.cur;
    hd_op(HD_EV_TIMER_EXPIRE, hd_timer_object(t), NULL, t->pc);
    t->stands = NULL;
    bool armed = t->armed;

    if (armed) {
        hd_time_reach(t->clock, t->expiry + hd_time_zero(t->clock));
        t->armed = t->interval != 0;
        t->expiry += t->interval;
        t->expiries++;
        if (t->expire != NULL)
            t->expire(t);
    }
    t->has_thread = false;
    hd_done(0, armed ? 0 : HD_EVF_FAILED);
    reevaluate();
    return armed;
}

/* It has expired as often as it ever will: who waits for more is not deadlocked. */
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
    hd.cur->sigmask = ~UINT64_C(0);
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

/* One that has not expired has something left, however late it is. */
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

    if (!t->armed || t->has_thread)
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
