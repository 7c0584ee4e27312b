/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fatal_signals.c - the signals that the runtime handles itself, and the return from its handlers. */
#include "runtime/core/fatal_signals.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

const int hd_fatal_signals[HD_FATAL_SIGNALS] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS,
                                                 SIGTRAP, HD_SIGNAL_HANGS };

/* The return address of handlers.  At this point the stack pointer points to a ucontext_t in which
 * the kernel has saved all registers.  The CFI describes that, so that a debugger can unwind from a
 * handler to the code that it interrupted.  Unwinders look up the byte before a return address:
 * hence the first instruction, which never runs. */
#define IN_CONTEXT(reg, offset) /* DW_CFA_expression: DW_OP_breg7 offset, in two bytes */ \
    "  .cfi_escape 0x10, " #reg ", 3, 0x77, 0x80 | (" #offset " & 0x7f), " #offset " >> 7\n"
__asm__(".pushsection .text\n"
        ".hidden hd_sigreturn\n.globl hd_sigreturn\n.type hd_sigreturn,@function\n"
        "  .cfi_startproc\n  .cfi_signal_frame\n"
        "  .cfi_escape 0x0f, 4, 0x77, 0x80 | (160 & 0x7f), 160 >> 7, 6\n" /* CFA: interrupted sp */
        IN_CONTEXT(8, 40) IN_CONTEXT(9, 48) IN_CONTEXT(10, 56) IN_CONTEXT(11, 64)
        IN_CONTEXT(12, 72) IN_CONTEXT(13, 80) IN_CONTEXT(14, 88) IN_CONTEXT(15, 96)
        IN_CONTEXT(5, 104) IN_CONTEXT(4, 112) IN_CONTEXT(6, 120) IN_CONTEXT(3, 128)
        IN_CONTEXT(1, 136) IN_CONTEXT(0, 144) IN_CONTEXT(2, 152) IN_CONTEXT(7, 160)
        IN_CONTEXT(16, 168)
        "  nop\n"
        "hd_sigreturn:\n  movq $15, %rax\n  syscall\n"
        "  .cfi_endproc\n  .size hd_sigreturn, .-hd_sigreturn\n"
        ".popsection\n");
_Static_assert(offsetof(ucontext_t, uc_mcontext.gregs) == 40 && REG_R8 == 0 && REG_RDI == 8 &&
                   REG_RBP == 10 && REG_RDX == 12 && REG_RSP == 15 && REG_RIP == 16,
               "the offsets above");

bool hd_signal_is_fatal(int signal)
{
    for (size_t i = 0; i < HD_FATAL_SIGNALS; i++)
        if (hd_fatal_signals[i] == signal)
            return true;
    return false;
}

uint64_t hd_fatal_signals_set(void)
{
    uint64_t set = 0;

    for (size_t i = 0; i < HD_FATAL_SIGNALS; i++)
        set |= UINT64_C(1) << (hd_fatal_signals[i] - 1);
    return set;
}

void hd_fatal_signals_use_stack(void)
{
    enum { ALT_STACK = 256 * 1024 };
    stack_t alt = { .ss_sp = hd_mem_map_stack(ALT_STACK), .ss_size = ALT_STACK };

    HD_INVARIANT(alt.ss_sp != NULL, "no memory for the signal stack");
    hd_sys(SYS_sigaltstack, &alt, 0, 0);
}
