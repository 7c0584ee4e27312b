/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vectors_x86_64.h - for assembly: all vector registers, and the mode of floating point, are kept
 * on the stack while other fibers may run.  0xe7: up to AVX-512; their area has a header that must
 * be clear. */

/* RSP goes down to an aligned area; RAX, RCX, RDX and RDI are lost. */
    .macro hd_save_vectors
    subq $2752, %rsp
    andq $-64, %rsp
    cmpb $0, hd_has_xsave(%rip)
    jne 71f
    fxsave64 (%rsp)
    jmp 72f
71: leaq 512(%rsp), %rdi
    xorl %eax, %eax
    movl $8, %ecx
    cld
    rep stosq
    movl $0xe7, %eax
    xorl %edx, %edx
    xsave64 (%rsp)
72:
    .endm

/* RSP is at that area and stays there; RAX and RDX are lost. */
    .macro hd_load_vectors
    cmpb $0, hd_has_xsave(%rip)
    jne 73f
    fxrstor64 (%rsp)
    jmp 74f
73: movl $0xe7, %eax
    xorl %edx, %edx
    xrstor64 (%rsp)
74:
    .endm
