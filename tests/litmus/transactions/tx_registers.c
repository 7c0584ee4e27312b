/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An abort goes on at the label of the begin: the status in eax, all other registers, the carry flag, the stack and the
 * red zone as they were at the begin.  The body changes all of them and aborts itself. */
#include "rtm.h"

/* What the code below finds after the abort. */
struct {
    long rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15, moved, near, far, pushed, carry, xmm[4];
} found;
long stack_before;

/* Numbers the registers, begins, changes everything, aborts, and stores what it finds then. */
void abort_after_changes(void);
__asm__(".text\n.globl abort_after_changes\n.type abort_after_changes, @function\nabort_after_changes:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15; pushq $77\n"
        "movq $2, %rbx; movq $3, %rcx; movq $4, %rdx; movq $5, %rsi; movq $6, %rdi; movq $7, %rbp\n"
        "movq $8, %r8; movq $9, %r9; movq $10, %r10; movq $11, %r11\n"
        "movq $12, %r12; movq $13, %r13; movq $14, %r14; movq $15, %r15\n"
        "movq %r8, %xmm0; movq %r9, %xmm7; movq %r10, %xmm8; movq %r11, %xmm15\n"
        "movq %r12, -8(%rsp); movq %r13, -120(%rsp); movq %rsp, stack_before(%rip)\n"
        "movl $-1, %eax; stc\n"
        "xbegin 1f\n"
        "clc\n"
        "movq $0, (%rsp); movq $0, -8(%rsp); movq $0, -120(%rsp)\n"
        "pxor %xmm0, %xmm0; pxor %xmm7, %xmm7; pxor %xmm8, %xmm8; pxor %xmm15, %xmm15\n"
        "movl $0, %ebx; movl $0, %ecx; movl $0, %edx; movl $0, %esi; movl $0, %edi; movl $0, %ebp\n"
        "movl $0, %r8d; movl $0, %r9d; movl $0, %r10d; movl $0, %r11d\n"
        "movl $0, %r12d; movl $0, %r13d; movl $0, %r14d; movl $0, %r15d\n"
        "leaq -64(%rsp), %rsp\n"
        "xabort $9\n"
        "1: movq %rax, found(%rip)\n"
        "setc %al; movzbl %al, %eax; movq %rax, found+152(%rip)\n"
        "movq %rbx, found+8(%rip); movq %rcx, found+16(%rip); movq %rdx, found+24(%rip); movq %rsi, found+32(%rip)\n"
        "movq %rdi, found+40(%rip); movq %rbp, found+48(%rip); movq %r8, found+56(%rip); movq %r9, found+64(%rip)\n"
        "movq %r10, found+72(%rip); movq %r11, found+80(%rip); movq %r12, found+88(%rip); movq %r13, found+96(%rip)\n"
        "movq %r14, found+104(%rip); movq %r15, found+112(%rip)\n"
        "movq -8(%rsp), %rax; movq %rax, found+128(%rip); movq -120(%rsp), %rax; movq %rax, found+136(%rip)\n"
        "movq (%rsp), %rax; movq %rax, found+144(%rip)\n"
        "movq %rsp, %rax; subq stack_before(%rip), %rax; movq %rax, found+120(%rip)\n"
        "movq %xmm0, found+160(%rip); movq %xmm7, found+168(%rip); movq %xmm8, found+176(%rip); movq %xmm15, found+184(%rip)\n"
        "movq stack_before(%rip), %rsp; leaq 8(%rsp), %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n"
        ".size abort_after_changes, .-abort_after_changes\n");

int main(void)
{
    abort_after_changes();
    assert(found.rax == _XABORT_RETRY || found.rax == (_XABORT_EXPLICIT | 9l << 24));
    assert(found.rbx == 2 && found.rcx == 3 && found.rdx == 4 && found.rsi == 5 && found.rdi == 6 && found.rbp == 7);
    assert(found.r8 == 8 && found.r9 == 9 && found.r10 == 10 && found.r11 == 11);
    assert(found.r12 == 12 && found.r13 == 13 && found.r14 == 14 && found.r15 == 15);
    assert(found.moved == 0 && found.near == 12 && found.far == 13 && found.pushed == 77 && found.carry == 1);
    assert(found.xmm[0] == 8 && found.xmm[1] == 9 && found.xmm[2] == 10 && found.xmm[3] == 11);
    return 0;
}
