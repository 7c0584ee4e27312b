/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dispatch_x86_64.S - the entry for trapped system calls (dispatch.h). */

#include "runtime/sys/vectors_x86_64.h"

    .text

/* All registers are those of the system call, except RCX (the address after it) and R11 (the
 * flags).  Everything but RAX must be preserved, including the red zone and the vector registers:
 * other fibers may run meanwhile. */
    .globl hd_dispatch_entry
    .hidden hd_dispatch_entry
    .type hd_dispatch_entry, @function
    .p2align 4
hd_dispatch_entry:
    .cfi_startproc
    .cfi_def_cfa rsp, 0
    .cfi_register rip, rcx
    leaq -128(%rsp), %rsp
    .cfi_adjust_cfa_offset 128
    pushq %rcx
    .cfi_adjust_cfa_offset 8
    .cfi_offset rip, -136
    movq %rbx, hd_entry+0(%rip)
    movq %rbp, hd_entry+8(%rip)
    movq %r12, hd_entry+16(%rip)
    movq %r13, hd_entry+24(%rip)
    movq %r14, hd_entry+32(%rip)
    movq %r15, hd_entry+40(%rip)
    movq %rsp, hd_entry+48(%rip)
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset rbp, -144
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    cld
    pushq %r11
    pushq %r9
    pushq %r8
    pushq %r10
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %rax
    pushq %rbx
    .cfi_offset rbx, -216
    movq %rsp, %rbx
    hd_save_vectors
    leaq 8(%rbx), %rdi
    movq 8(%rbp), %rsi
    call hd_dispatch_call
    movq %rax, 8(%rbx)
    hd_load_vectors
    movq %rbx, %rsp
    popq %rbx
    popq %rax
    popq %rdi
    popq %rsi
    popq %rdx
    popq %r10
    popq %r8
    popq %r9
    popfq
    popq %rbp
    .cfi_def_cfa rsp, 136
    popq %rcx
    .cfi_adjust_cfa_offset -8
    .cfi_register rip, rcx
    leaq 128(%rsp), %rsp
    .cfi_adjust_cfa_offset -128
    jmp *%rcx
    .cfi_endproc
    .size hd_dispatch_entry, .-hd_dispatch_entry

    .section .note.GNU-stack, "", @progbits
