/* SPDX-License-Identifier: BSD-2-Clause
 *
 * jump.c - jumps out of signal handlers, which restore the signal mask. libc saves and restores the
 * mask of the kernel, but the model keeps one mask per thread (signals.h).  So before libc saves
 * the mask, the runtime gives the thread's mask to the kernel; before a jump, the runtime restores
 * the thread's mask in the model.
 * setjmp returns twice for one call, so the interposer must reach it by a jump. */
#include <setjmp.h>

#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/signal.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"

void *hd_jump_real __attribute__((visibility("hidden")));
void hd_jump_saves(void) __attribute__((visibility("hidden")));

void hd_jump_find(void)
{
    hd_real_find(&hd_jump_real, "__sigsetjmp");
}

void hd_jump_saves(void)
{
    if (hd.cur != NULL)
        hd_signal_use_mask();
}

#define CALL(function)                                        \
    "  pushq %rdi\n  .cfi_adjust_cfa_offset 8\n"              \
    "  pushq %rsi\n  .cfi_adjust_cfa_offset 8\n"              \
    "  subq $8, %rsp\n  .cfi_adjust_cfa_offset 8\n"           \
    "  call " #function "\n"                                  \
    "  addq $8, %rsp\n  .cfi_adjust_cfa_offset -8\n"          \
    "  popq %rsi\n  .cfi_adjust_cfa_offset -8\n"              \
    "  popq %rdi\n  .cfi_adjust_cfa_offset -8\n"
__asm__(".pushsection .text\n"
        ".globl __sigsetjmp\n.type __sigsetjmp,@function\n.p2align 4\n"
        "__sigsetjmp:\n.cfi_startproc\n"
        "  cmpq $0, hd_jump_real(%rip)\n"
        "  jne 1f\n"
        CALL(hd_jump_find)
        "1:\n"
        "  testl %esi, %esi\n"
        "  je 2f\n"
        CALL(hd_jump_saves)
        "2:\n"
        "  jmp *hd_jump_real(%rip)\n"
        ".cfi_endproc\n.size __sigsetjmp, .-__sigsetjmp\n"
        ".popsection\n");

static void take_mask_back(const struct __jmp_buf_tag *env, uint64_t pc)
{
    if (hd.cur != NULL && env->__mask_was_saved) {
        sigset_t saved;

        __builtin_memcpy(&saved, &env->__saved_mask, sizeof saved);
        hd_signal_set_mask(SIG_SETMASK, &saved, NULL, pc);
    }
}

_Noreturn void __longjmp_chk(struct __jmp_buf_tag env[1], int value);
#define JUMP(name)                                                            \
    HD_EXPORT _Noreturn void name(struct __jmp_buf_tag env[1], int value)     \
    {                                                                         \
        take_mask_back(env, HD_PC);                                           \
        HD_REAL(name)(env, value);                                            \
        __builtin_unreachable();                                              \
    }
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
