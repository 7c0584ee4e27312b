/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics_x86_64.S - the entry from the trampolines of atomic instructions
 * (library_atomics.h). */

#include "runtime/sys/vectors_x86_64.h"

    .text

/* Called by a trampoline, which has skipped the red zone and pushed the address of the instruction.
 * All registers and flags must be preserved. */
    .globl hd_locked_entry
    .hidden hd_locked_entry
    .type hd_locked_entry, @function
    .p2align 4
hd_locked_entry:
    .cfi_startproc
    .cfi_def_cfa rsp, 144
    .cfi_offset rip, -136
    pushfq
    .cfi_adjust_cfa_offset 8
    .macro keep reg
    pushq %\reg
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \reg, 0
    .endm
    keep r15
    keep r14
    keep r13
    keep r12
    keep r11
    keep r10
    keep r9
    keep r8
    keep rdi
    keep rsi
    keep rbp
    pushq %rsp
    .cfi_adjust_cfa_offset 8
    keep rbx
    keep rdx
    keep rcx
    keep rax
    movq %rsp, %rbx
    .cfi_def_cfa_register rbx
    hd_save_vectors
    movq %rbx, %rdi
    movq 144(%rbx), %rsi
    call hd_locked_point
    hd_load_vectors
    movq %rbx, %rsp
    .cfi_def_cfa_register rsp
    popq %rax
    popq %rcx
    popq %rdx
    popq %rbx
    leaq 8(%rsp), %rsp
    popq %rbp
    popq %rsi
    popq %rdi
    popq %r8
    popq %r9
    popq %r10
    popq %r11
    popq %r12
    popq %r13
    popq %r14
    popq %r15
    popfq
    .cfi_def_cfa rsp, 144
    ret $8
    .cfi_endproc
    .size hd_locked_entry, .-hd_locked_entry

    .section .note.GNU-stack, "", @progbits
