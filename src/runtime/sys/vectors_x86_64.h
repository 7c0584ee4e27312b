/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vectors_x86_64.h - assembly macros that keep all vector registers and the floating-point mode on
 * the stack while other fibers may run.  The mask 0xe7 selects the state components up to AVX-512.
 * The header of the XSAVE area must be zero. */

/* Saves the state.  Moves RSP down to an aligned area.  Clobbers RAX, RCX, RDX and RDI. */
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

/* Loads the state.  Precondition: RSP points to the area that hd_save_vectors made.  RSP does not
 * change.  Clobbers RAX and RDX. */
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
