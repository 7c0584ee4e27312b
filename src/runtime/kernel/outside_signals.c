/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outside_signals.c - see outside_signals.h. */

#include "runtime/kernel/outside_signals.h"

#include <errno.h>
#include <stdint.h>

#include "base/sys.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/kernel/signals.h"
#include "runtime/restore/process.h"
#include "runtime/sys/mem.h"

enum {
    RESTORER = 0x04000000, /* SA_RESTORER: libc sets it for itself */
    FIRST_QUEUED = 34,     /* from here on every instance is kept (real-time signals) */
    MAX_RECORDED = 64      /* a power of two */
};

/* The kernel's handler appends at `end`, possibly while the runtime takes from `begin`. */
static struct {
    volatile uint32_t begin, end;
    volatile uint64_t standing; /* the recorded signals below FIRST_QUEUED */
    volatile bool lost;
    siginfo_t info[MAX_RECORDED];
} recorded[2]; /* indexed by the result of is_own */

static struct sigaction initial[HD_SIGNALS];
static struct sigaction wanted[HD_SIGNALS]; /* the target's actions; the kernel has the runtime's
                                             * handler instead */
static bool changed[HD_SIGNALS], any_changed;

static bool is_own(int number)
{
    return number == SIGPIPE || number == SIGXFSZ;
}

static void record(int number, siginfo_t *info, void *context)
{
    bool own = is_own(number);
    uint32_t at = recorded[own].end;

    (void)context;
    if (number < FIRST_QUEUED && (recorded[own].standing & hd_signal_bit(number)) != 0)
        return;
    if (at - recorded[own].begin == MAX_RECORDED) {
        recorded[own].lost = true;
        return;
    }
    recorded[own].info[at % MAX_RECORDED] = *info;
    recorded[own].standing |= hd_signal_bit(number);
    recorded[own].end = at + 1;
    hd.signals = 1;
}

/* ---- actions --------------------------------------------------------------------------------- */

static bool read_action(int number, struct sigaction *act)
{
    static struct hd_kernel_sigaction kernel; /* not on the stack, whose pages may be protected */

    if (hd_sys6(SYS_rt_sigaction, number, 0, (long)&kernel, sizeof kernel.mask, 0, 0) != 0)
        return false;
    *act = (struct sigaction){ .sa_flags = (int)(kernel.flags & ~(unsigned long)RESTORER) };
    act->sa_sigaction = kernel.handler;
    hd_mem_copy(&act->sa_mask, &kernel.mask, sizeof kernel.mask);
    return true;
}

/* Sets the kernel's action; mask: signals that the kernel blocks while the handler runs.  It never contains a
 * fatal signal, because the snapshot needs SIGSEGV. */
static int write_action(int number, const struct sigaction *act, uint64_t mask)
{
    static struct hd_kernel_sigaction kernel;

    kernel = (struct hd_kernel_sigaction){
        .handler = act->sa_sigaction,
        .flags = (unsigned)act->sa_flags | RESTORER,
        .restorer = hd_sigreturn,
        .mask = mask & ~hd_fatal_signals_set(),
    };
    return (int)hd_sys6(SYS_rt_sigaction, number, (long)&kernel, 0, sizeof kernel.mask, 0, 0);
}

static bool has_handler(const struct sigaction *act)
{
    return act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN;
}

/* True for signals that libc uses internally: it refuses to set their actions. */
static bool is_of_libc(int number)
{
    return number == 32 || number == 33;
}

/* Sets the kernel's action.  SA_RESTART decides whether an interrupted system call fails; the two flags of SIGCHLD
 * decide whether the kernel sends it. */
static int tell_kernel(int number, const struct sigaction *act)
{
    enum { KEPT = SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT };
    struct sigaction real = { .sa_sigaction = record,
                              .sa_flags = (act->sa_flags & KEPT) | SA_SIGINFO | SA_ONSTACK };
    int rc = has_handler(act) ? write_action(number, &real, ~UINT64_C(0))
                              : write_action(number, act, hd_signal_word(&act->sa_mask));

    if (rc == 0)
        wanted[number] = *act;
    return rc;
}

int hd_outside_signal_set(int number, const struct sigaction *act)
{
    int rc = is_of_libc(number) ? -EINVAL : tell_kernel(number, act);

    if (rc != 0) {
        errno = -rc;
        return -1;
    }
    changed[number] = any_changed = hd_changes.kernel = true;
    return 0;
}

struct sigaction hd_outside_signal_initial(int number)
{
    return initial[number];
}

void hd_outside_signals_open(void)
{
    for (int n = 1; n < HD_SIGNALS; n++)
        if (read_action(n, &initial[n]) && has_handler(&initial[n]) && !is_of_libc(n) && !hd_signal_is_fatal(n))
            tell_kernel(n, &initial[n]);
}

void hd_outside_signals_restore(void)
{
    for (int n = 1; any_changed && n < HD_SIGNALS; n++)
        if (changed[n]) {
            tell_kernel(n, &initial[n]);
            changed[n] = false;
        }
    any_changed = false;
    for (unsigned own = 0; own < 2; own++) {
        recorded[own].begin = recorded[own].end;
        recorded[own].standing = 0;
        recorded[own].lost = false;
    }
}

void hd_outside_signals_release(void)
{
    for (int n = 1; n < HD_SIGNALS; n++)
        if (has_handler(&wanted[n]))
            write_action(n, &wanted[n], hd_signal_word(&wanted[n].sa_mask));
}

/* ---- recorded signals ------------------------------------------------------------------------ */

bool hd_outside_signal_next(bool own, siginfo_t *info)
{
    uint32_t at = recorded[own].begin;

    if (recorded[own].lost)
        hd_uncontrolled("more than 64 signals from outside at once: the next ones are lost");
    if (at == recorded[own].end)
        return false;
    recorded[own].standing &= ~hd_signal_bit(recorded[own].info[at % MAX_RECORDED].si_signo);
    *info = recorded[own].info[at % MAX_RECORDED];
    recorded[own].begin = at + 1;
    return true;
}
