/* SPDX-License-Identifier: BSD-2-Clause
 *
 * real_x86_64.S - the thunks from an interposer to libc's function (real.h). */

    .text

/* Thunks, which HD_REAL calls (real.c).  Thunk n sets the selector to hd_selector_of_libc, calls hd_real_targets[n],
 * and restores the selector.  Arguments in registers stay there; the thunk copies six words of stack arguments, more
 * than any function of libc has. */
    .globl hd_real_thunks
    .hidden hd_real_thunks
    .type hd_real_thunks, @function
    .p2align 4
hd_real_thunks:
    .cfi_startproc
    .set n, 0
    .rept 1024 /* HD_REAL_THUNKS */
    .p2align 4
    movl $n, %r11d
    jmp .Lopen
    .set n, n + 1
    .endr
    .p2align 4
.Lopen:
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    subq $64, %rsp
    movups 16(%rbp), %xmm8
    movups 32(%rbp), %xmm9
    movups 48(%rbp), %xmm10
    movups %xmm8, (%rsp)
    movups %xmm9, 16(%rsp)
    movups %xmm10, 32(%rsp)
    movzbl hd_selector(%rip), %r10d
    movb %r10b, -8(%rbp)
    movzbl hd_selector_of_libc(%rip), %r10d
    movb %r10b, hd_selector(%rip)
    leaq hd_real_targets(%rip), %r10
    call *(%r10,%r11,8)
    movb -8(%rbp), %r10b
    movb %r10b, hd_selector(%rip)
    leave
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .size hd_real_thunks, .-hd_real_thunks

    .section .note.GNU-stack, "", @progbits
