/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sigold.c - the older functions for signal actions and masks: signal() in its System V and BSD
 * forms, sigset and its family, and masks in one word.  Those of libc would go directly to the
 * kernel, where the handlers of fatal signals must remain those of the runtime. */
#include <errno.h>
#include <signal.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/signal.h"
#include "runtime/core/state.h"
#include "runtime/kernel/signals.h"
#include "runtime/sys/compiler.h"

#ifndef SIG_HOLD
#define SIG_HOLD ((__sighandler_t)2)
#endif

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old programs call these functions */

typedef void handler_fn(int);

static uint32_t intr_epoch;
static uint64_t intr; /* siginterrupt: signals whose handlers interrupt waits */

static bool interrupts(int number)
{
    return intr_epoch == hd.epoch && number > 0 && number < HD_SIGNALS && (intr & hd_signal_bit(number)) != 0;
}

static handler_fn *set(int number, handler_fn *handler, int flags, uint64_t pc)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = flags }, old;

    if (handler == SIG_ERR) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return hd_signal_set_action(number, &act, &old, pc) == 0 ? old.sa_handler : SIG_ERR;
}

static handler_fn *set_bsd(int number, handler_fn *handler, uint64_t pc)
{
    return set(number, handler, interrupts(number) ? 0 : SA_RESTART, pc);
}

static handler_fn *set_system_v(int number, handler_fn *handler, uint64_t pc)
{
    return set(number, handler, (int)(SA_RESETHAND | SA_NODEFER), pc);
}

/* Not all headers declare these. */
handler_fn *bsd_signal(int number, handler_fn *handler);
handler_fn *__sysv_signal(int number, handler_fn *handler);

HD_EXPORT int siginterrupt(int number, int on)
{
    struct sigaction act;

    if (hd.cur == NULL)
        return HD_REAL(siginterrupt)(number, on);
    if (hd_signal_set_action(number, NULL, &act, HD_PC) != 0)
        return -1;
    if (intr_epoch != hd.epoch)
        intr = 0;
    intr_epoch = hd.epoch;
    intr = on ? intr | hd_signal_bit(number) : intr & ~hd_signal_bit(number);
    act.sa_flags = on ? act.sa_flags & ~SA_RESTART : act.sa_flags | SA_RESTART;
    return hd_signal_set_action(number, &act, NULL, HD_PC);
}

/* ---- masks ---------------------------------------------------------------------------------- */

static int mask_one(int how, int number, uint64_t pc)
{
    sigset_t one;

    if (number <= 0 || number >= HD_SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    sigemptyset(&one);
    sigaddset(&one, number);
    return hd_signal_set_mask(how, &one, NULL, pc);
}

HD_EXPORT handler_fn *sigset(int number, handler_fn *handler)
{
    struct sigaction old;

    if (hd.cur == NULL)
        return HD_REAL(sigset)(number, handler);
    if (hd_signal_set_action(number, NULL, &old, HD_PC) != 0)
        return SIG_ERR;
    bool held = (hd.cur->signals.mask & hd_signal_bit(number)) != 0;

    if (handler != SIG_HOLD && set(number, handler, 0, HD_PC) == SIG_ERR)
        return SIG_ERR;
    mask_one(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number, HD_PC);
    return held ? SIG_HOLD : old.sa_handler;
}

static int set_word(int how, int word, uint64_t pc)
{
    int old = (int)(uint32_t)hd.cur->signals.mask;
    uint64_t bits = (uint32_t)word;
    sigset_t all;

    sigemptyset(&all);
    *(uint64_t *)(void *)&all = bits;
    hd_signal_set_mask(how, &all, NULL, pc);
    return old;
}

/* If is_signal, `which` is a signal number; otherwise it is a mask of one word. */
int __sigpause(int which, int is_signal);
int __xpg_sigpause(int number);
static int pause_with(int which, bool is_signal, uint64_t pc)
{
    uint64_t word = is_signal ? hd.cur->signals.mask & ~hd_signal_bit(which) : (uint32_t)which;
    sigset_t mask;

    sigemptyset(&mask);
    *(uint64_t *)(void *)&mask = word;
    return hd_signal_suspend(&mask, pc);
}

#define CALLS_SIGOLD
#include "runtime/calls/calls.def"
