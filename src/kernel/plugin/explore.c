/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explore.c - where an interrupt may come, and the strategy's decision whether it comes.
 *
 * A point lies after an instruction: the interrupt is raised in its callback and taken when it has
 * run.  After sti the processor takes none until the next instruction has run, and QEMU may then take
 * it later still; so the point of sti lies after that next instruction.  At a point the strategy picks a context:
 *   the running thread  goes on
 *   the timer           one interrupt; the kernel's own scheduler decides who runs then
 *   another thread      interrupts until it runs.  A kernel with priorities may refuse: such a thread
 *                       is not offered again until it has run (unreachable)
 * Exhaustive strategies are offered only the first two: together they reach every interleaving.
 *
 * E1  What is offered depends on nothing but the decisions so far, so a schedule means the same in
 *     every execution from the same snapshot.
 * E2  A thread that has decided STARVES times in a row while others are ready is left out once: a
 *     strategy that keeps it running for ever would let a loop that waits look like a hang. */
#include <string.h>

#include "kernel/plugin/state.h"

#define STARVES 400
#define YIELDS 4 /* in a row: the thread waits for others */
#define OCCURRENCES (1u << 14)

static struct {
    uint64_t key; /* execution, context, address */
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

/* The last execution ended QEMU: it is counted now. */
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

void hd_explore_begin(void)
{
    struct hd_klink *l = hd_kp.link;

    l->instructions = l->hash = 0;
    l->points = l->matched = 0;
    l->end = HD_KE_NONE;
    l->end_text[0] = '\0';
    hd_kp.want = 0;
    hd_kp.tries = hd_kp.idle = hd_kp.run = 0;
    hd_kp.ran = 0;
    memset(occurrences, 0, sizeof occurrences);
    for (uint32_t k = 0; k < l->nticks; k++)
        l->ticks[k].used = 0;
    if (!l->recorded) {
        if (!hd_kp.open)
            open_search();
        if (l->died)
            count_the_dead();
        l->nticks = 0;
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

void hd_explore_end(enum hd_k_end end, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;

    if (l->phase != HD_KP_RUNNING)
        return;
    l->end = end;
    l->end_object = object;
    l->end_context = hd_kp.current;
    hd_contexts_log(HD_KLOG_END, HD_KW_NONE, l->context[hd_kp.current].pc, object);
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
    __atomic_store_n(&l->phase, HD_KP_OVER, __ATOMIC_RELEASE);
}

static void tick(void)
{
    hd_kp.link->total.ticks++;
    HD_INVARIANT(hd_guest_tick(hd_kp.link), "QEMU does not take an interrupt over -qtest");
}

/* ---- is this a point? ---------------------------------------------------------------- */

/* The last rule that a function on the stack matches decides (--within, --without). */
static bool is_wanted(const struct hd_insn *i)
{
    const struct hd_klink *l = hd_kp.link;
    const struct hd_k_context *c = &l->context[hd_kp.current];
    const struct hd_k_function *f = hd_kp_function(i->address);
    unsigned rule = 0;
    bool wanted = !l->whitelist;

    for (unsigned k = 0; k <= c->nframes && k <= HD_K_FRAMES; k++) {
        if (f != NULL && f->rule > rule) {
            rule = f->rule;
            wanted = f->within > 0;
        }
        if (k < c->nframes && k < HD_K_FRAMES)
            f = hd_kp_function(c->frame[k].call);
    }
    return wanted;
}

static uint32_t argument_of(const struct hd_k_context *c)
{
    return c->nframes == 0 || c->nframes > HD_K_FRAMES ? 0 : c->frame[c->nframes - 1].argument;
}

static enum hd_k_why why_of_role(enum hd_k_role role)
{
    return role == HD_KR_ACQUIRE ? HD_KW_ACQUIRE : role == HD_KR_RELEASE ? HD_KW_RELEASE
         : role == HD_KR_DOWN ? HD_KW_DOWN : role == HD_KR_UP ? HD_KW_UP : HD_KW_NONE;
}

/* Why an interrupt may matter after this instruction; *object: what it is about. */
static enum hd_k_why why_here(const struct hd_insn *i, bool entered, uint32_t *object)
{
    const struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];
    enum hd_k_role role = hd_kp_role(i->address);
    uint32_t next[2] = { i->next, i->target };

    *object = 0;
    if (!hd_kp.enabled || i->op == HD_OP_CLI || i->op == HD_OP_STI || role == HD_KR_QUIET)
        return HD_KW_NONE;
    if (i->op == HD_OP_RET)
        next[0] = c->nframes > 0 && c->nframes <= HD_K_FRAMES ? c->frame[c->nframes - 1].back : 0;
    for (unsigned k = 0; k < 2; k++) {
        enum hd_k_why why = next[k] == 0 ? HD_KW_NONE : hd_memory_before(next[k]);

        if (why == HD_KW_NONE)
            continue;
        *object = hd_memory_object(next[k]);
        return why;
    }
    if (entered || (i->op == HD_OP_RET && (role == HD_KR_RELEASE || role == HD_KR_UP))) {
        *object = argument_of(c);
        return why_of_role(role);
    }
    return hd_kp.opened ? HD_KW_STI : HD_KW_NONE;
}

/* ---- the decision -------------------------------------------------------------------- */

static uint32_t occurrence(uint32_t address)
{
    uint64_t key = ((uint64_t)hd_kp.current << 32 | address) + 1;

    for (uint32_t at = (uint32_t)hd_hash_mix(0, key), n = 0; n < OCCURRENCES; n++, at++) {
        if (occurrences[at % OCCURRENCES].key == 0)
            occurrences[at % OCCURRENCES].key = key;
        if (occurrences[at % OCCURRENCES].key == key)
            return ++occurrences[at % OCCURRENCES].count;
    }
    return 0;
}

/* The same as the schedule.  Context, address and occurrence name a point of an execution, not its number: so
 * the schedule of another build may still fit, and one of which a part was left out. */
static uint16_t recorded_choice(const struct hd_insn *i, uint32_t nth)
{
    struct hd_klink *l = hd_kp.link;

    for (uint32_t k = 0; k < l->nticks; k++) {
        struct hd_k_tick *t = &l->ticks[k];

        if (t->used || t->context != hd_kp.current || t->address != i->address || t->occurrence != nth)
            continue;
        t->used = 1;
        l->matched++;
        return t->want;
    }
    return hd_kp.current;
}

static void set_pending(const struct hd_insn *i, enum hd_k_why why, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;
    uint32_t sig = (uint32_t)hd_hash_mix(why, i->address) | 1; /* the object is a guess from earlier executions */
    struct hd_event e = { .tid = hd_kp.current, .kind = HD_EV_PLAIN_WRITE, .peer = HD_NO_TID, .pc = i->address };

    /* cli and sti concern the one object that every interrupt writes as well */
    e.obj = why == HD_KW_CLI || why == HD_KW_STI || object == 0 ? 1 : object / 4 % 0x3fffffff + 2;
    l->execution.pending[hd_kp.current] = e;
    e.tid = HD_K_TIMER;
    e.obj = 1;
    l->execution.pending[HD_K_TIMER] = e;
    hd_kp.sigs[hd_kp.current] = sig;
    hd_kp.sigs[HD_K_TIMER] = sig ^ 0x55555554;
}

static void offer(struct hd_set *enabled)
{
    const struct hd_klink *l = hd_kp.link;
    bool starves = hd_kp.run >= STARVES;
    unsigned others = 0;

    hd_set_clear(enabled);
    hd_set_add(enabled, HD_K_TIMER);
    for (unsigned k = 1; k < l->ncontexts && hd_kp.samples; k++) {
        const struct hd_k_context *c = &l->context[k];

        if (k == hd_kp.current || c->state != HD_KS_READY || c->idle || c->unreachable)
            continue;
        hd_set_add(enabled, k);
        others++;
    }
    if (!starves || others == 0)
        hd_set_add(enabled, hd_kp.current);
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

static uint16_t searched_choice(void)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_execution *x = &l->execution;
    struct hd_point at = {
        .step = x->nsteps, .nthreads = l->ncontexts, .last = hd_kp.current, .last_enabled = true,
        .pending = x->pending, .sigs = hd_kp.sigs,
    };

    note_contexts();
    offer(&at.enabled);
    if (l->context[hd_kp.current].yields >= YIELDS && hd_set_has(&at.enabled, hd_kp.current))
        hd_set_add(&at.yielded, hd_kp.current);
    hd_kp.run = hd_kp.ran == hd_kp.current && hd_kp.run < STARVES ? hd_kp.run + 1 : 0;
    hd_kp.ran = hd_kp.current;
    l->total.starved += !hd_set_has(&at.enabled, hd_kp.current);
    hd_tid chosen = hd_search_pick(&hd_kp.search, &at);

    if (chosen == HD_NO_TID) {
        hd_explore_end(x->ending == HD_END_CUT ? HD_KE_CUT : HD_KE_DIVERGED, 0);
        return hd_kp.current;
    }
    x->preemptions += chosen != hd_kp.current;
    x->events[x->nevents] = x->pending[chosen];
    x->events[x->nevents++].flags = chosen != hd_kp.current ? HD_EVF_PREEMPTED : 0;
    return chosen;
}

static void record(const struct hd_insn *i, uint32_t nth, uint16_t chosen)
{
    struct hd_klink *l = hd_kp.link;

    if (l->recorded)
        return;
    if (l->nticks == HD_K_TICKS) {
        hd_explore_end(HD_KE_HANG, 0);
        return;
    }
    l->ticks[l->nticks++] = (struct hd_k_tick){ hd_kp.current, chosen, i->address, nth, l->points, 0 };
}

static void decide(const struct hd_insn *i, enum hd_k_why why, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;
    uint32_t nth = occurrence(i->address);

    if (l->points == l->max_points) {
        hd_explore_end(HD_KE_HANG, 0);
        return;
    }
    l->points++;
    l->context[hd_kp.current].points++;
    set_pending(i, why, object);
    uint16_t chosen = l->recorded ? recorded_choice(i, nth) : searched_choice();

    if (l->phase != HD_KP_RUNNING || chosen == hd_kp.current)
        return;
    record(i, nth, chosen);
    hd_contexts_log(HD_KLOG_TICK, why, i->address, object);
    hd_kp.want = chosen;
    hd_kp.tries = 0;
    hd_kp.due = true;
    tick();
}

/* Another interrupt, until the wanted context runs.  False: it runs, or the kernel does not let it. */
static bool force(void)
{
    struct hd_klink *l = hd_kp.link;

    if (hd_kp.want == 0)
        return false;
    if (hd_kp.want == hd_kp.current || l->context[hd_kp.want].state != HD_KS_READY) {
        hd_kp.want = 0;
        return false;
    }
    if (hd_kp.tries++ < 2 * l->ncontexts) {
        tick();
        return true;
    }
    l->context[hd_kp.want].unreachable = true;
    l->total.unreachable++;
    hd_kp.want = 0;
    return false;
}

void hd_explore_point(const struct hd_insn *i, bool entered)
{
    struct hd_k_context *c = &hd_kp.link->context[hd_kp.current];
    uint32_t object;

    if (hd_kp.current == HD_K_TIMER)
        return;
    if (c->in_interrupt) {
        if (i->op == HD_OP_IRET)
            force();
        return;
    }
    enum hd_k_why why = c->idle ? HD_KW_NONE : why_here(i, entered, &object);

    if (why == HD_KW_NONE || !is_wanted(i))
        return;
    if (!force())
        decide(i, why, object);
}

void hd_explore_halt(const struct hd_insn *i)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];
    bool sleeper = false;

    (void)i;
    if (!hd_kp.enabled) {
        hd_explore_end(HD_KE_HANG, 0);
        return;
    }
    c->idle = hd_kp_role(c->pc) == HD_KR_IDLE;
    hd_kp.want = 0;
    for (unsigned k = 1; k < l->ncontexts; k++)
        sleeper |= l->context[k].state == HD_KS_BLOCKED && hd_context_is_in(&l->context[k], HD_KR_SLEEP);
    if (++hd_kp.idle > (sleeper ? l->idle_ticks : 8)) {
        hd_explore_end(HD_KE_DEADLOCK, 0);
        return;
    }
    l->total.idle_ticks++;
    tick();
}
