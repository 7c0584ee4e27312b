/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal_handler.c - see signal_handler.h. */
#include "runtime/kernel/signal_handler.h"

#include <ucontext.h>

#include "runtime/core/acting.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/fiber.h"
#include "runtime/core/state.h"
#include "runtime/kernel/pending_signals.h"
#include "runtime/progress/poll.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"

struct call {
    struct sigaction act;
    siginfo_t info;
    ucontext_t context;
};

static void call_handler(void *arg)
{
    struct call *c = arg;

    if (c->act.sa_flags & SA_SIGINFO)
        c->act.sa_sigaction(c->info.si_signo, &c->info, &c->context);
    else
        c->act.sa_handler(c->info.si_signo);
}

bool hd_signal_on_stack(const stack_t *s, uintptr_t sp)
{
    return (s->ss_flags & SS_DISABLE) == 0 && sp - (uintptr_t)s->ss_sp < s->ss_size;
}

/* Runs the handler on the alternate stack.  The shadow call stack is ordered by stack pointers, so
 * a new one begins there. */
static void call_on_stack(struct call *c, const stack_t *s)
{
    struct hd_call *calls = hd.calls;
    uintptr_t top = ((uintptr_t)s->ss_sp + s->ss_size) & ~(uintptr_t)15;

    *hd.calls++ = (struct hd_call){ 0, UINT64_MAX };
    hd_snapshot_touch(s->ss_sp, s->ss_size);
    hd_call_on((void *)top, call_handler, c);
    hd.calls = calls;
}

/* The old mask is restored from the context, as the kernel does. */
bool hd_signal_run_handler(struct hd_thread *t, const siginfo_t *info, const stack_t *alternate, uint64_t pc)
{
    int number = info->si_signo;
    struct call c = { .act = hd_signal_action(number), .info = *info };
    uint64_t acting = hd_acting_for[t->tid], old = t->signals.mask;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);

    if (c.act.sa_flags & SA_RESETHAND)
        hd_signal_reset_action(number);
    hd_mem_copy(&c.context.uc_sigmask, &old, sizeof old);
    c.context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
    c.context.uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
    t->signals.mask |= hd_signal_word(&c.act.sa_mask);
    t->signals.mask |= c.act.sa_flags & SA_NODEFER ? 0 : hd_signal_bit(number);
    t->signals.mask &= ~HD_SIGNALS_UNBLOCKABLE;
    hd_acting_for[t->tid] = 0;
    hd_poll_let_go(t);
    if ((c.act.sa_flags & SA_ONSTACK) && (alternate->ss_flags & SS_DISABLE) == 0 && !hd_signal_on_stack(alternate, sp))
        call_on_stack(&c, alternate);
    else
        call_handler(&c);
    hd_acting_for[t->tid] = acting;
    t->signals.mask = hd_signal_word(&c.context.uc_sigmask) & ~HD_SIGNALS_UNBLOCKABLE;
    return (c.act.sa_flags & SA_RESTART) != 0;
}
