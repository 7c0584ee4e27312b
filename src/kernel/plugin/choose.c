/* SPDX-License-Identifier: BSD-2-Clause
 *
 * choose.c - the search inside the plugin: begins and ends executions, and chooses a context at each point, by the
 * strategy or by a recorded schedule. explore.c and linux.c decide which instructions are points, and which contexts
 * can be chosen there. */
#include <string.h>

#include "kernel/plugin/state.h"

#define OCCURRENCES (1u << 14)

static struct {
    uint64_t key; /* hash of execution, context and address */
    uint32_t count;
} occurrences[OCCURRENCES];

static void open_search(void)
{
    struct hd_klink *l = hd_kp.link;
    const char *params = strchr(l->strategy, ':');
    struct hd_strategy_cfg cfg = {
        .seed = l->seed, .bound = l->bound, .params = params == NULL ? "" : params + 1,
        .arena = &l->arena, .decisions = l->decisions, .stands = l->stands,
    };
    const struct hd_strategy_ops *ops = hd_strategy_find(l->strategy);

    HD_INVARIANT(ops != NULL, "the tool has checked the strategy");
    l->arena.base = l->memory;
    l->arena.size = sizeof l->memory;
    l->execution.decisions = l->decisions;
    l->execution.stands = l->stands;
    l->execution.events = l->events;
    hd_kp.open = true;
    hd_kp.samples = ops->traits.draws != HD_DRAWS_NONE;
    HD_INVARIANT(hd_search_open(&hd_kp.search, ops, &cfg, &l->campaign, &l->execution),
                 "the tool has checked the parameters of the strategy");
}

/* Counts the last execution, which has ended QEMU. */
static void count_the_dead(void)
{
    struct hd_klink *l = hd_kp.link;

    l->died = false;
    if (hd_search_begin(&hd_kp.search) != HD_BEGIN_RUN)
        return;
    l->execution.ending = HD_END_LOST;
    l->execution.findings = 1;
    hd_search_end(&hd_kp.search);
}

void hd_choose_begin(void)
{
    struct hd_klink *l = hd_kp.link;

    l->instructions = 0;
    l->points = 0;
    l->end = HD_KE_NONE;
    l->end_text[0] = '\0';
    hd_kp.want = 0;
    hd_kp.tries = hd_kp.idle = hd_kp.run = 0;
    hd_kp.ran = 0;
    memset(occurrences, 0, sizeof occurrences);
    if (l->window == 0) {
        l->hash = l->matched = 0;
        for (uint32_t k = 0; k < l->nticks; k++)
            l->ticks[k].used = 0;
    }
    if (!l->recorded) {
        if (!hd_kp.open)
            open_search();
        if (l->died)
            count_the_dead();
        l->nticks = l->window == 0 ? 0 : l->nticks;
        if (hd_search_begin(&hd_kp.search) != HD_BEGIN_RUN) {
            __atomic_store_n(&l->phase, HD_KP_EXHAUSTED, __ATOMIC_RELEASE);
            return;
        }
        l->execution.nevents = 0;
    }
    l->phase = HD_KP_RUNNING;
}

static enum hd_ending ending_of(enum hd_k_end end)
{
    switch (end) {
    case HD_KE_CLEAN: return HD_END_CLEAN;
    case HD_KE_DEADLOCK: return HD_END_DEADLOCK;
    case HD_KE_HANG: return HD_END_LIVELOCK;
    case HD_KE_CUT: return HD_END_CUT;
    case HD_KE_DIVERGED: return HD_END_DIVERGED;
    default: return HD_END_FAILED;
    }
}

/* L4: true if another execution follows without loading the snapshot.  There must be room to record its interrupts. */
static bool goes_on(enum hd_k_end end)
{
    const struct hd_klink *l = hd_kp.link;

    return (end == HD_KE_CLEAN || end == HD_KE_CUT) && l->window < l->batch &&
           (l->recorded || l->nticks < HD_K_TICKS / 2);
}

void hd_choose_end(enum hd_k_end end, uint64_t object)
{
    struct hd_klink *l = hd_kp.link;

    if (l->phase != HD_KP_RUNNING)
        return;
    l->end = end;
    l->end_object = object;
    l->end_context = hd_kp.current;
    hd_contexts_log(HD_KLOG_END, HD_KW_NONE, l->context[hd_kp.current].pc, object);
    l->window++;
    l->total.executions++;
    l->total.instructions += l->instructions;
    l->total.points += l->points;
    if (!l->recorded) {
        l->execution.ending = ending_of(end);
        l->execution.findings = end != HD_KE_CLEAN && end != HD_KE_CUT && end != HD_KE_DIVERGED;
        l->execution.trace_hash = l->hash;
        l->execution.nthreads = l->ncontexts;
        l->execution.sites = l->nsites;
        hd_search_end(&hd_kp.search);
    }
    __atomic_store_n(&l->phase, goes_on(end) ? HD_KP_BETWEEN : HD_KP_OVER, __ATOMIC_RELEASE);
}

void hd_choose_tick(void)
{
    hd_kp.link->total.ticks++;
    HD_INVARIANT(hd_guest_tick(hd_kp.link), "QEMU does not take an interrupt over -qtest");
}

static uint32_t occurrence(uint64_t address)
{
    uint64_t key = ((uint64_t)hd_kp.current << 48 ^ address) + 1;

    for (uint32_t at = (uint32_t)hd_hash_mix(0, key), n = 0; n < OCCURRENCES; n++, at++) {
        if (occurrences[at % OCCURRENCES].key == 0)
            occurrences[at % OCCURRENCES].key = key;
        if (occurrences[at % OCCURRENCES].key == key)
            return ++occurrences[at % OCCURRENCES].count;
    }
    return 0;
}

/* Returns the choice of the recorded schedule.  A point is identified by context, address and occurrence, not by its
 * number in the execution.  So the schedule may still fit if the kernel was built again or if interrupts were
 * removed. */
static uint16_t recorded_choice(uint64_t address, uint32_t nth)
{
    struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nticks; k++) {
        struct hd_k_tick *t = &l->ticks[k];

        if (t->used || t->window != l->window || t->context != hd_kp.current || t->address != address ||
            t->occurrence != nth)
            continue;
        t->used = 1;
        l->matched++;
        return t->want;
    }
    return hd_kp.current;
}

static void note_contexts(void)
{
    struct hd_klink *l = hd_kp.link;

    for (unsigned k = 0; k < l->ncontexts; k++) {
        l->execution.threads[k] = (struct hd_thread_info){ .slot = (uint16_t)k, .nth = (uint16_t)k,
                                                           .state = HD_TH_LIVE };
        if (l->execution.pending[k].kind == HD_EV_NONE)
            l->execution.pending[k] = (struct hd_event){ .tid = (hd_tid)k, .kind = HD_EV_PLAIN_WRITE, .obj = 1 };
    }
    l->execution.nthreads = l->ncontexts;
}

static uint16_t searched_choice(const struct hd_choice *c)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_execution *x = &l->execution;
    struct hd_point at = {
        .step = x->nsteps, .nthreads = l->ncontexts, .last = hd_kp.current, .last_enabled = true,
        .pending = x->pending, .sigs = hd_kp.sigs, .enabled = c->enabled,
    };

    note_contexts();
    if (c->yielded && hd_set_has(&at.enabled, hd_kp.current))
        hd_set_add(&at.yielded, hd_kp.current);
    hd_kp.run = hd_kp.ran == hd_kp.current && hd_kp.run < HD_K_STARVES ? hd_kp.run + 1 : 0;
    hd_kp.ran = hd_kp.current;
    l->total.starved += !hd_set_has(&at.enabled, hd_kp.current);
    hd_tid chosen = hd_search_pick(&hd_kp.search, &at);

    if (chosen == HD_NO_TID) {
        hd_choose_end(x->ending == HD_END_CUT ? HD_KE_CUT : HD_KE_DIVERGED, 0);
        return hd_kp.current;
    }
    x->preemptions += chosen != hd_kp.current;
    x->events[x->nevents] = x->pending[chosen];
    x->events[x->nevents++].flags = chosen != hd_kp.current ? HD_EVF_PREEMPTED : 0;
    return chosen;
}

static void record(uint64_t address, uint32_t nth, uint16_t chosen)
{
    struct hd_klink *l = hd_kp.link;

    if (l->nticks == HD_K_TICKS) {
        hd_choose_end(HD_KE_HANG, 0);
        return;
    }
    l->ticks[l->nticks++] = (struct hd_k_tick){
        .context = hd_kp.current, .want = chosen, .address = address, .window = l->window, .occurrence = nth,
        .step = l->points,
    };
}

uint16_t hd_choose(const struct hd_choice *c)
{
    struct hd_klink *l = hd_kp.link;
    uint32_t nth = occurrence(c->address);

    if (l->points == l->max_points) {
        hd_choose_end(HD_KE_HANG, 0);
        return hd_kp.current;
    }
    l->points++;
    l->context[hd_kp.current].points++;
    uint16_t chosen = l->recorded ? recorded_choice(c->address, nth) : searched_choice(c);

    if (!l->recorded && l->phase == HD_KP_RUNNING && chosen != hd_kp.current)
        record(c->address, nth, chosen);
    return chosen;
}
