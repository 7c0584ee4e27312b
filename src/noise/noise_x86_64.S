/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noise_x86_64.S - the functions of points.def: make noise, then go on in the next library's
 * function of that name.  That is a jump with all arguments as they were, so one piece of
 * code serves every signature, and whoever unwinds the stack meets no frame of ours.  None of
 * these functions has arguments in vector registers. */

    .macro KEEP register
    pushq %\register
    .cfi_adjust_cfa_offset 8
    .endm

    .macro GIVE_BACK register
    popq %\register
    .cfi_adjust_cfa_offset -8
    .endm

    .macro POINT name
    .text
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    KEEP rdi
    KEEP rsi
    KEEP rdx
    KEEP rcx
    KEEP r8
    KEEP r9
    subq $8, %rsp /* aligned for a call */
    .cfi_adjust_cfa_offset 8
    leaq .Lpoint_\name(%rip), %rdi
    call hd_noise_point
    movq %rax, %r11
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    GIVE_BACK r9
    GIVE_BACK r8
    GIVE_BACK rcx
    GIVE_BACK rdx
    GIVE_BACK rsi
    GIVE_BACK rdi
    jmp *%r11
    .cfi_endproc
    .size \name, . - \name
    .data
    .p2align 3
.Lpoint_\name: /* struct hd_noise_point */
    .quad 0
    .asciz "\name"
    .endm

#define X(name) POINT name
#include "noise/points.def"
#undef X

    .section .note.GNU-stack, "", @progbits
