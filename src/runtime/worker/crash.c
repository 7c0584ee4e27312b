/* SPDX-License-Identifier: BSD-2-Clause
 *
 * crash.c - the handler of fatal signals, on an alternate stack.
 *
 * A write to a protected page makes the page writable, and the thread continues.  Any other fatal
 * signal in a controlled thread is a finding.  That thread stops and the others run on.  Afterwards
 * a new process replaces this one, because its memory may be damaged.  A fatal signal in the
 * runtime's own code kills the process, and the zygote handles that. */

#include "runtime/worker/crash.h"

#include <signal.h>
#include <ucontext.h>

#include "base/sys.h"
#include "runtime/core/execution.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/fiber.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/hooks/dispatch.h"
#include "runtime/hooks/library_atomics.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/report/finding.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/tx_cpuid.h"
#include "runtime/watch/tx_trap.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/worker/hang.h"
#include "wire/wire.h"

static const char *name_of(int signal)
{
    switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGABRT: return "SIGABRT";
    case SIGSYS: return "SIGSYS";
    case SIGXCPU: return "SIGXCPU";
    default: return "SIGTRAP";
    }
}

static void set_handler(int signal, void (*fn)(int, siginfo_t *, void *))
{
    struct hd_kernel_sigaction sa = {
        .handler = fn,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | 0x04000000 /* SA_RESTORER */,
        .restorer = hd_sigreturn,
    };

    hd_sys6(SYS_rt_sigaction, signal, (long)&sa, 0, 8, 0, 0);
}

/* Fills in a finding for a hang: the conductor has seen no step for a long time and has sent a
 * signal to this thread. */
static void describe_hang(struct hd_finding *f)
{
    f->pc = hd.exec->pending[f->tid].pc; /* place of its last operation, which is the same wherever in its loop the
                                          * thread is */
    if (hd.wire->watchdog_busy)
        hd_format(f->message, sizeof f->message,
                  "T%u has computed for a long time without doing anything that Heddle sees: an "
                  "endless loop, or merely slow", f->tid);
    else
        hd_format(f->message, sizeof f->message,
                  "T%u waits in a call that Heddle does not control: nobody else can run meanwhile",
                  f->tid);
}

static void describe(struct hd_finding *f, const siginfo_t *info, const greg_t *r)
{
    bool sent = info->si_code <= 0; /* by raise or kill: there is no address */
    uintptr_t addr = sent ? 0 : (uintptr_t)info->si_addr;
    uintptr_t sp = (uintptr_t)r[REG_RSP];

    f->kind = f->signal == SIGABRT ? HD_FK_ABORT : HD_FK_CRASH;
    if (f->signal == SIGABRT) {
        hd_format(f->message, sizeof f->message, "T%u was aborted (SIGABRT)", f->tid);
    } else if (sent) {
        hd_format(f->message, sizeof f->message, "T%u was sent %s", f->tid, name_of((int)f->signal));
    } else if (f->signal == SIGSEGV && addr - (sp - 65536) < 131072 && addr < hd.cur->stack_lo) {
        hd_format(f->message, sizeof f->message, "T%u has used up its stack", f->tid);
    } else {
        f->address = addr;
        hd_format(f->message, sizeof f->message, "T%u crashed with %s%s%p%s", f->tid,
                  name_of((int)f->signal), f->signal == SIGFPE ? " at " : " at address ",
                  (void *)addr, addr < 4096 ? " (a null pointer)" : "");
    }
}

static void report(int signal, const siginfo_t *info, const greg_t *r, bool hangs)
{
    struct hd_finding f = { .tid = hd.cur->tid, .signal = (uint32_t)signal,
                            .pc = (uint64_t)r[REG_RIP] };
    struct hd_stack_image here = {
        .pc = (uint64_t)r[REG_RIP], .sp = (uint64_t)r[REG_RSP], .rbp = (uint64_t)r[REG_RBP],
        .rbx = (uint64_t)r[REG_RBX], .r12 = (uint64_t)r[REG_R12], .r13 = (uint64_t)r[REG_R13],
        .r14 = (uint64_t)r[REG_R14], .r15 = (uint64_t)r[REG_R15],
    };

    if (hangs) {
        describe_hang(&f);
        hd_hang_report(&f, &here, false);
        return;
    }
    describe(&f, info, r);
    hd_finding_name_main(f.message, sizeof f.message);
    hd_finding_emit(&f, &here, NULL, false);
}

/* Lets the process die of a signal that the target did not cause. */
static void die_of(int signal, const siginfo_t *info)
{
    struct hd_kernel_sigaction dfl = { .flags = 0x04000000, .restorer = hd_sigreturn };

    hd_sys6(SYS_rt_sigaction, signal, (long)&dfl, 0, 8, 0, 0);
    if (signal == SIGABRT || info->si_code <= 0)
        hd_sys(SYS_kill, hd_sys(SYS_getpid, 0, 0, 0), signal, 0);
}

static void on_fatal(int signal, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    bool hangs = signal == HD_SIGNAL_HANGS && hd.wire->watchdog_kill;

    if (signal == SIGSYS && hd_dispatch_trap(info, context))
        return;
    if (signal == SIGSEGV && (r[REG_ERR] & 2) != 0 &&
        (hd_snapshot_fault((uintptr_t)info->si_addr) || hd_fiber_stack_fault((uintptr_t)info->si_addr)))
        return;
    if ((signal == SIGTRAP || signal == SIGILL) && info->si_code > 0) {
        uintptr_t led = hd_locked_trap((uintptr_t)r[REG_RIP] - (signal == SIGTRAP));

        if (led != 0) { /* a probe at the same place needs no handling: the trampoline reports the code
                         * (hd_probe_ran) */
            r[REG_RIP] = (greg_t)led;
            return;
        }
    }
    if (signal == SIGILL && info->si_code > 0 && hd_tx_trap(context))
        return;
    if (signal == SIGSEGV && (hd_processor_clock_trap(context) || hd_tx_cpuid_trap(context)))
        return;
    if (signal == SIGTRAP && info->si_code > 0 && hd_probe_hit((uintptr_t)r[REG_RIP] - 1)) {
        r[REG_RIP]--;
        return;
    }
    hd_checks_blame_previous();
    if (hd.cur == NULL) {
        die_of(signal, info);
        return;
    }
    if (!hd.failed)
        report(signal, info, r, hangs);
    hd_execution_taint();
    if (hangs) {
        hd.failed = 1; /* it may hold a lock of libc: no more output */
        hd_execution_over(HD_END_TOO_LONG);
    }
    if (hd_output_is_locked()) /* this thread keeps the lock: others would hang in libc */
        hd_execution_over(HD_END_FAILED);
    hd_thread_failed();
}

void hd_crash_init(void)
{
    hd_fatal_signals_use_stack();
    for (size_t i = 0; i < HD_FATAL_SIGNALS; i++)
        set_handler(hd_fatal_signals[i], on_fatal);
}
