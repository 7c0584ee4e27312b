/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction_x86_64.S - the functions that code of `heddle cc` calls instead of transactional instructions
 * (program/transactions.h).  The compiler expects all registers, the flags and the red zone to be preserved; the
 * inserted code has already skipped the red zone. */

#include "runtime/sys/vectors_x86_64.h"

    .text

    .macro keep reg
    pushq %\reg
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \reg, 0
    .endm

/* skipped: bytes between the stack pointer of the program's code and the return address; the CFI hides
 * them, since the unwind tables of that code do not know them.
 * Pushes a struct hd_tx_frame (watch/transaction.h), saves the vector registers below it, and calls the
 * function with the frame and the lowest address. */
    .macro instruction name, function, skipped
    .globl \name
    .type \name, @function
    .p2align 4
\name:
    .cfi_startproc
    .cfi_def_cfa rsp, \skipped + 8
    .cfi_offset rip, -\skipped - 8
    movq %rbx, hd_entry+0(%rip)
    movq %rbp, hd_entry+8(%rip)
    movq %r12, hd_entry+16(%rip)
    movq %r13, hd_entry+24(%rip)
    movq %r14, hd_entry+32(%rip)
    movq %r15, hd_entry+40(%rip)
    movq %rsp, hd_entry+48(%rip)
    pushfq
    .cfi_adjust_cfa_offset 8
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
    movq %rsp, %rsi
    call \function
    jmp .Lgo_on
    .cfi_endproc
    .size \name, .-\name
    .endm

    instruction heddle_rt_xbegin, hd_tx_begin, 128
    instruction heddle_rt_xend, hd_tx_end, 128
    instruction heddle_rt_xabort, hd_tx_abort, 136
    /* GNU TM: an ordinary call, which may return twice */
    instruction _ITM_beginTransaction, hd_itm_begin, 0

/* _Noreturn void hd_tx_resume(uintptr_t lowest, struct hd_tx_frame *frame) */
    .globl hd_tx_resume
    .hidden hd_tx_resume
    .type hd_tx_resume, @function
    .p2align 4
hd_tx_resume:
    .cfi_startproc
    .cfi_undefined rip
    movq %rdi, %rsp
    movq %rsi, %rbx
.Lgo_on:
    hd_load_vectors
    movq %rbx, %rsp
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
    ret
    .cfi_endproc
    .size hd_tx_resume, .-hd_tx_resume

/* The replacement of cpuid: reports transactions as hd_tx_told says (tx_cpuid.h). */
    .globl heddle_rt_cpuid
    .type heddle_rt_cpuid, @function
    .p2align 4
heddle_rt_cpuid:
    .cfi_startproc
    pushfq
    .cfi_adjust_cfa_offset 8
    cmpl $7, %eax
    jne 1f
    testl %ecx, %ecx
    jne 1f
    cpuid
    btrl $11, %ebx
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movl hd_tx_told(%rip), %eax
    orl %eax, %ebx
    notl %eax
    andl %eax, %edx
    popq %rax
    .cfi_adjust_cfa_offset -8
    jmp 2f
1:  cpuid
2:  popfq
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size heddle_rt_cpuid, .-heddle_rt_cpuid

/* Clears ZF in a transaction and sets it elsewhere. */
    .globl heddle_rt_xtest
    .type heddle_rt_xtest, @function
    .p2align 4
heddle_rt_xtest:
    .cfi_startproc
    cmpb $0, hd_tx_active(%rip)
    ret
    .cfi_endproc
    .size heddle_rt_xtest, .-heddle_rt_xtest

    .section .note.GNU-stack, "", @progbits
