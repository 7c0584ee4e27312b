/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api_x86_64.S - the call before inline assembly of the program (api.c). */

#include "runtime/sys/vectors_x86_64.h"

    .text

/* heddle_rt_assembly: `heddle cc --asm=point` puts calls of it before inline assembly, where every
 * register except the flags may be in use, and the stack may have any alignment.  It also saves the
 * vector registers, because another fiber may run meanwhile. */
    .globl heddle_rt_assembly
    .type heddle_rt_assembly, @function
    .p2align 4
heddle_rt_assembly:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    pushq %rax
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    hd_save_vectors
    movq 8(%rbp), %rdi
    call hd_assembly_point
    hd_load_vectors
    leaq -72(%rbp), %rsp
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rax
    popq %rbp
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .size heddle_rt_assembly, .-heddle_rt_assembly

    .section .note.GNU-stack, "", @progbits
