/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp_x86_64.S - calls clang's outlined parallel region, which has one argument per variable
 * that the region uses. */

    .text

/* hd_openmp_call(fn, int *global, int *bound, void *const *args, size_t n) */
    .globl hd_openmp_call
    .hidden hd_openmp_call
    .type hd_openmp_call, @function
    .p2align 4
hd_openmp_call:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    movq %rdi, %rax
    movq %rsi, %rdi
    movq %rdx, %rsi
    movq %rcx, %r11
    movq %r8, %r10
    leaq -3(%r10), %rcx /* arguments from the fifth on, and one word for alignment */
    andq $-2, %rcx
    cmpq $4, %r10
    jle 1f
    leaq (,%rcx,8), %rdx
    subq %rdx, %rsp
    movq $4, %rcx
2:  movq (%r11,%rcx,8), %rdx
    movq %rdx, -32(%rsp,%rcx,8)
    incq %rcx
    cmpq %r10, %rcx
    jl 2b
1:  cmpq $1, %r10
    jl 3f
    movq (%r11), %rdx
    cmpq $2, %r10
    jl 3f
    movq 8(%r11), %rcx
    cmpq $3, %r10
    jl 3f
    movq 16(%r11), %r8
    cmpq $4, %r10
    jl 3f
    movq 24(%r11), %r9
3:  call *%rax
    leave
    .cfi_def_cfa rsp, 8
    ret
    .cfi_endproc
    .size hd_openmp_call, .-hd_openmp_call

    .section .note.GNU-stack, "", @progbits
