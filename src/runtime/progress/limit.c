/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limit.c - decides when to give up an execution.  See limit.h. */
#include "runtime/progress/limit.h"

#include "runtime/core/callbacks.h"
#include "runtime/core/debug.h"
#include "runtime/core/execution.h"
#include "runtime/core/state.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/loop.h"
#include "runtime/progress/period.h"
#include "runtime/progress/policy.h"
#include "runtime/report/finding.h"
#include "wire/wire.h"

static uint32_t due;        /* step of the next check; under a debugger every step is checked */
static uint32_t suspicious; /* L2 is checked from this number of steps on */
static uint32_t spins;      /* yields of loops without a visible operation, since the last check */
static hd_tid suspect;      /* the running thread when L2 last held, and its stack pointer */
static uintptr_t suspect_sp;

static double times_average(uint64_t executions)
{
    double factor = HD_LONG_FACTOR;

    for (; executions < HD_LONG_SURE; executions++)
        factor *= 1.1;
    return factor;
}

/* A replay has no earlier executions to compare with.  It ends where the recorded execution was given up. */
void hd_limit_begin(void)
{
    const struct hd_totals *t = hd_campaign_totals(&hd.wire->campaign);
    uint64_t ended = t->executions - t->too_long; /* executions that were too long would distort the average */
    double from = HD_LONG_FIRST;

    if (ended > 0)
        from = (double)(t->steps_sum - t->too_long_steps) / (double)ended * times_average(ended);
    if (from < HD_LONG_AT_LEAST)
        from = HD_LONG_AT_LEAST;
    if (hd_config_runs_once(hd.cfg))
        from = hd.wire->nrecorded;
    suspect = HD_NO_TID;
    suspicious = from < (double)UINT32_MAX ? (uint32_t)from : UINT32_MAX;
    hd.next_check = spins = due = 0;
}

void hd_limit_yielded(void)
{
    spins++;
}

/* Returns the number of events of the round that the second half of the execution repeats; 0: there is none. */
static uint32_t find_round(void)
{
    uint32_t n = hd.exec->nevents, half = n / 2, attempts = 0;
    const struct hd_event *end = hd.exec->events + n;

    for (uint32_t round = 1; round <= HD_ROUND_OF_EXECUTION && round < half && attempts < HD_LONG_ATTEMPTS; round++) {
        if (!hd_period_repeats(end, round, 1, HD_SAME_RESULT))
            continue;
        if (hd_period_repeats(end, round, half, HD_SAME_RESULT))
            return round;
        attempts++;
    }
    return 0;
}

/* Returns the site of the loop: that of its waiting operation, if it has one. */
static uint64_t place_of(uint32_t round)
{
    const struct hd_event *first = hd.exec->events, *last = first + hd.exec->nevents - 1;

    for (const struct hd_event *e = last; e >= first && last - e < (ptrdiff_t)round; e--)
        if (hd_event_polls(e, hd_kind_traits[e->kind]))
            return e->pc;
    return last->pc;
}

static _Noreturn void report(uint32_t round)
{
    uint32_t kept = hd.exec->nevents - hd_finding_events_skipped();
    struct hd_cycle_info info = { kept - round, kept };

    if (round != 0)
        hd_finding_report(HD_FK_LIVELOCK, 0, &(struct hd_evidence){ .cycle = &info },
                          "%u steps and no end, which is the limit of --livelock: the same %u are repeated with "
                          "the same results", hd.exec->nsteps, round);
    else
        hd_report(HD_FK_LIVELOCK, 0, "%u steps and no end, which is the limit of --livelock", hd.exec->nsteps);
    hd_execution_over(HD_END_TOO_LONG);
}

static _Noreturn void give_up(uint32_t round)
{
    uint32_t n = hd.exec->nevents;
    bool stated = hd.cfg->livelock != 0 && hd.exec->nsteps >= hd.cfg->livelock;

    hd_callbacks.look_for_deadlock(true);
    if (!stated && hd.cfg->max_steps < HD_LONG_LEAST)
        hd_execution_over(HD_END_TOO_LONG); /* L4: the execution is not reported as a loop */
    if (n > 0 && !hd_cycle_is_fair(n - n / 2))
        hd_loop_cut(place_of(round), HD_MANY_ROUNDS); /* L3: cut, and the verdict names the loop */
    else if (stated)
        report(round);
    hd_execution_over(HD_END_TOO_LONG);
}

/* An endless recursion also repeats its steps, but it ends with a stack overflow, which is the better finding.  So
 * L2 must hold twice, with the stack no deeper the second time. */
static bool goes_deeper(void)
{
    enum { ONE_ROUND = 4096 }; /* bytes of stack that one round may use */
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    bool deeper = hd.cur == NULL || suspect != hd.cur->tid || sp + ONE_ROUND < suspect_sp;

    suspect = hd.cur != NULL ? hd.cur->tid : HD_NO_TID;
    suspect_sp = sp;
    return deeper;
}

/* Returns the number of steps after which the execution is given up. */
static uint32_t most_steps(void)
{
    return hd.cfg->livelock != 0 && hd.cfg->livelock < hd.cfg->max_steps ? hd.cfg->livelock : hd.cfg->max_steps;
}

void hd_limit_look(void)
{
    const struct hd_execution *x = hd.exec;
    uint32_t most = most_steps();

    if (hd.cfg->debug)
        hd_debug_step();
    if (x->nsteps < due)
        return;
    if (x->nsteps > 0)
        hd_callbacks.look_for_deadlock(false);
    if (x->nsteps >= most || x->nsteps + 2 * HD_LONG_CHECK >= HD_MAX_STEPS)
        give_up(find_round());
    if (x->nsteps >= suspicious && hd.cfg->livelock == 0 && hd.cfg->max_steps <= HD_LONG_USUAL && x->nevents > 0) {
        uint32_t round = find_round();

        if (round != 0 && (!goes_deeper() || hd_config_runs_once(hd.cfg)))
            give_up(round);
    }
    if (2 * spins <= HD_LONG_CHECK) /* otherwise the thread computes, and the watchdog handles it */
        hd.wire->heartbeat++;
    spins = 0;
    due = x->nsteps + HD_LONG_CHECK < most ? x->nsteps + HD_LONG_CHECK : most;
    hd.next_check = hd.cfg->debug ? 0 : due;
}

/* ---- L5 ------------------------------------------------------------------------------ */

/* Returns the place of most events, estimated from a sample.  Places that come late may be missing: the table may
 * be full by then. */
static uint64_t usual_place(const struct hd_execution *x)
{
    enum { PLACES = 256, SAMPLE = 4096 };
    static struct {
        uint64_t pc;
        uint32_t times;
    } at[PLACES];
    uint32_t n = 0, best = 0, every = x->nevents / SAMPLE + 1;

    for (uint32_t i = 0; i < x->nevents; i += every) {
        uint32_t k = 0;

        while (k < n && at[k].pc != x->events[i].pc)
            k++;
        if (k == PLACES)
            continue;
        if (k == n) {
            at[n].pc = x->events[i].pc;
            at[n++].times = 0;
        }
        at[k].times++;
        best = at[k].times > at[best].times && at[k].pc != 0 ? k : best;
    }
    return n > 0 ? at[best].pc : 0;
}

/* Records the place again only if an execution is twice as long as the last one recorded, so recording is rare. */
void hd_limit_end(void)
{
    const struct hd_execution *x = hd.exec;
    struct hd_longest *l = &hd.wire->longest;

    if (x->nsteps < HD_LONG_TOLD || x->nsteps / 2 < l->steps)
        return;
    l->pc = usual_place(x);
    l->times = 0;
    for (uint32_t i = 0; i < x->nevents; i++)
        l->times += x->events[i].pc == l->pc;
    l->steps = x->nsteps;
}
