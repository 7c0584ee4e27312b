/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explore.c - decides where an interrupt is possible, and asks the strategy whether to inject it.
 *
 * A point lies after an instruction: the interrupt is raised in its callback and taken when it has
 * run.  After sti the processor takes none until the next instruction has run, and QEMU may then take
 * it later still; so the point of sti lies after that next instruction.  At a point the strategy picks a context:
 *   the running thread  goes on
 *   the timer           one interrupt; the kernel's own scheduler decides who runs then
 *   another thread      interrupts until it runs.  A kernel with priorities may never choose it: such a thread is not
 *                       offered again until it has run (unreachable) Exhaustive strategies are offered only the first
 *                       two: together they reach every interleaving.
 *
 * E1  The offered contexts depend only on the decisions so far, so a schedule means the same in every execution from
 *     the same snapshot.
 * E2  A thread that was chosen HD_K_STARVES times in a row while others are ready is not offered once.  Otherwise a
 *     strategy could keep a waiting loop running for ever, and it would look like a hang. */
#include <string.h>

#include "kernel/plugin/state.h"

#define YIELDS 4 /* after this many yields in a row a thread counts as waiting for others */

/* ---- is this a point? ---------------------------------------------------------------- */

/* If several rules (--within, --without) match functions on the stack, the last rule decides. */
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

/* Returns why an interrupt may matter after this instruction. *object: the object concerned. */
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

static void set_pending(const struct hd_insn *i, enum hd_k_why why, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;
    uint32_t sig = (uint32_t)hd_hash_mix(why, i->address) | 1; /* the object is only a guess, from earlier executions */
    struct hd_event e = { .tid = hd_kp.current, .kind = HD_EV_PLAIN_WRITE, .peer = HD_NO_TID, .pc = i->address };

    /* cli and sti access the one object that every interrupt also writes */
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
    bool starves = hd_kp.run >= HD_K_STARVES;
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

static void decide(const struct hd_insn *i, enum hd_k_why why, uint32_t object)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_choice c = { .address = i->address, .yielded = l->context[hd_kp.current].yields >= YIELDS };

    set_pending(i, why, object);
    offer(&c.enabled);
    uint16_t chosen = hd_choose(&c);

    if (l->phase != HD_KP_RUNNING || chosen == hd_kp.current)
        return;
    hd_contexts_log(HD_KLOG_TICK, why, i->address, object);
    hd_kp.want = chosen;
    hd_kp.tries = 0;
    hd_kp.due = true;
    hd_choose_tick();
}

/* Injects another interrupt if the wanted context does not run yet.  Returns false if it runs, or if the kernel does
 * not choose it. */
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
        hd_choose_tick();
        return true;
    }
    l->context[hd_kp.want].unreachable = true;
    l->total.unreachable++;
    hd_kp.want = 0;
    return false;
}

void hd_explore_point(const struct hd_insn *i, bool entered)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];
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
    if (c->yields >= YIELDS && hd_context_is_in(c, HD_KR_SLEEP)) {
        c->yields = 0; /* it sleeps by yielding until the time is over: time must pass */
        l->total.idle_ticks++;
        hd_choose_tick();
    } else if (!force()) {
        decide(i, why, object);
    }
}

void hd_explore_halt(const struct hd_insn *i)
{
    struct hd_klink *l = hd_kp.link;
    struct hd_k_context *c = &l->context[hd_kp.current];
    bool sleeper = false;

    (void)i;
    if (!hd_kp.enabled) {
        hd_choose_end(HD_KE_HANG, 0);
        return;
    }
    c->idle = hd_kp_role(c->pc) == HD_KR_IDLE;
    hd_kp.want = 0;
    for (unsigned k = 1; k < l->ncontexts; k++)
        sleeper |= l->context[k].state == HD_KS_BLOCKED && hd_context_is_in(&l->context[k], HD_KR_SLEEP);
    if (++hd_kp.idle > (sleeper ? l->idle_ticks : 8)) {
        hd_choose_end(HD_KE_DEADLOCK, 0);
        return;
    }
    l->total.idle_ticks++;
    hd_choose_tick();
}
