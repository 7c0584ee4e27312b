/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dispatch.c - switches Syscall User Dispatch on and handles trapped calls.  See dispatch.h. */

#include "runtime/hooks/dispatch.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/sys.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/core/selector.h"
#include "runtime/core/state.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/sys/image.h"
#include "runtime/watch/transaction.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { DISPATCH_ON = 1, TRAPPED = 2 /* si_code: SYS_USER_DISPATCH */ };

/* Defined in dispatch_x86_64.S. */
extern void hd_dispatch_entry(void) __attribute__((visibility("hidden")));
long hd_dispatch_call(const long call[7], uint64_t pc);

void hd_dispatch_begin(void)
{
    long n = hd_image_data - hd_image_start;

    if (hd_sys6(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, DISPATCH_ON, (long)hd_image_start, n,
                (long)&hd_selector, 0) != 0)
        hd_uncontrolled("this kernel cannot trap system calls (Syscall User Dispatch): those that bypass libc "
                        "are not seen");
    hd_processor_clock_ban();
}

/* Redirects a trapped call to hd_dispatch_entry.  A system call overwrites RCX and R11 anyway, so they pass its
 * address and its flags.  sigreturn, called by a handler of the program, needs the stack unchanged. */
bool hd_dispatch_trap(const siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

    if (info->si_code != TRAPPED)
        return false;
    if (info->si_syscall == SYS_rt_sigreturn) {
        r[REG_RIP] = (greg_t)(uintptr_t)hd_sigreturn;
        return true;
    }
    r[REG_RAX] = info->si_syscall;
    r[REG_RCX] = r[REG_RIP];
    r[REG_R11] = r[REG_EFL];
    r[REG_RIP] = (greg_t)(uintptr_t)hd_dispatch_entry;
    return true;
}

/* Handles a trapped call, for the entry.  Calls by ld.so are passed on: the runtime interposes dlopen and dlclose
 * instead. */
long hd_dispatch_call(const long call[7], uint64_t pc)
{
    const long *a = call + 1;

    if (hd.cur != NULL && hd.access_mode & HD_MODE_TX && hd_program_in_libc(pc))
        hd_tx_system_call(pc);
    if (hd.cur == NULL || hd_program_in_loader(pc) || (hd.access_mode & HD_MODE_TX && hd_program_in_libc(pc)))
        return hd_sys6(call[0], a[0], a[1], a[2], a[3], a[4], a[5]);
    return hd_program_in_libc(pc) ? hd_syscall_inside(call[0], a, pc) : hd_syscall(call[0], a, pc);
}
