/* SPDX-License-Identifier: BSD-2-Clause
 *
 * switch_x86_64.S - the context switch and the first frame of a fiber.
 *
 * A fiber that does not run has, from its saved stack pointer upwards:
 *     +0   MXCSR (4 bytes), x87 control word (2 bytes), padding
 *     +8   r15 r14 r13 r12 rbx rbp (HD_SAVED_* in fiber.h)
 *     +56  return address
 * The CFI describes that, so that gdb and the report can unwind a suspended fiber.  The FS base is set while the
 * stacks are switched; no code of ours in between uses TLS. */

/* The FS base that wrfsbase has set last.  The scheduler's own context shares main's, and the
 * instruction takes half the time of a switch. */
    .local fsbase_now
    .comm fsbase_now, 8, 8

    .text

/* void hd_switch(uint64_t *save_sp, uint64_t new_sp, uint64_t fsbase) */
    .globl hd_switch
    .hidden hd_switch
    .type hd_switch, @function
    .p2align 4
hd_switch:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    fnstcw 4(%rsp)
    cmpb $0, hd_float_modes_exchanged(%rip)
    jne 6f
    movl hd_float_modes_first(%rip), %eax
    movl %eax, (%rsp)
7:  movzwl 4(%rsp), %ecx
    movq %rsp, (%rdi)
    cmpb $0, hd_has_fsgsbase(%rip)
    je 3f
    cmpq %rdx, fsbase_now(%rip)
    je 1f
    movq %rdx, fsbase_now(%rip)
    wrfsbase %rdx
1:  movq %rsi, %rsp
    cmpl (%rsp), %eax
    jne 4f
    cmpw 4(%rsp), %cx
    jne 4f
2:  addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    popq %r14
    .cfi_adjust_cfa_offset -8
    popq %r13
    .cfi_adjust_cfa_offset -8
    popq %r12
    .cfi_adjust_cfa_offset -8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    popq %rbp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_adjust_cfa_offset 56
    /* No FSGSBASE: arch_prctl(ARCH_SET_FS).  rax, rcx, r11 are lost. */
3:  cmpb $0, hd_debug_on(%rip)
    jne 5f
    movl %eax, %r8d
    movl %ecx, %r9d
    movq %rsi, %r10
    movl $158, %eax
    movl $0x1002, %edi
    movq %rdx, %rsi
    syscall
    movl %r8d, %eax
    movl %r9d, %ecx
    movq %r10, %rsi
    jmp 1b
4:  ldmxcsr (%rsp)
    fldcw 4(%rsp)
    jmp 2b
    /* Threads may differ in MXCSR (float_modes.h). */
6:  stmxcsr (%rsp)
    movl (%rsp), %eax
    jmp 7b
    /* Under a debugger every fiber has a kernel thread (debug.h), which has its own FS base and sleeps in this
     * call.  The stack is aligned: eight words since the caller's frame. */
5:  movq %rsi, %rdi
    call hd_debug_pass
.Lgo_on:
    movq %rax, %rsp
    jmp 4b
    .cfi_endproc
    .size hd_switch, .-hd_switch

/* void hd_fiber_rest(unsigned slot): the kernel thread of a fiber that has not begun sleeps here, and then becomes
 * the fiber.  It never returns. */
    .globl hd_fiber_rest
    .hidden hd_fiber_rest
    .type hd_fiber_rest, @function
    .p2align 4
hd_fiber_rest:
    .cfi_startproc
    .cfi_undefined rip
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call hd_debug_wait
    jmp .Lgo_on
    .cfi_endproc
    .size hd_fiber_rest, .-hd_fiber_rest

/* _Noreturn void hd_fiber_call(void *(*fn)(void *), void *arg, uintptr_t *frames): calls a function of the target
 * with registers and a stack that are the same in every execution, and then calls hd_fiber_returned with its
 * result.  *frames is the end of the target's frames. */
    .globl hd_fiber_call
    .hidden hd_fiber_call
    .type hd_fiber_call, @function
    .p2align 4
hd_fiber_call:
    .cfi_startproc
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    movq %rsp, (%rdx)
    movq %rdi, %rax
    movq %rsi, %rdi
    xorl %ebx, %ebx
    xorl %ebp, %ebp
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
    call *%rax
    movq %rax, %rdi
    call hd_fiber_returned
    ud2
    .cfi_endproc
    .size hd_fiber_call, .-hd_fiber_call

/* The outermost frame of a fiber, to which hd_switch returns on a new one. */
    .globl hd_fiber_entry
    .hidden hd_fiber_entry
    .type hd_fiber_entry, @function
    .p2align 4
hd_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    call hd_fiber_main
    ud2
    .cfi_endproc
    .size hd_fiber_entry, .-hd_fiber_entry

/* void hd_call_on(void *stack_top, void (*fn)(void *), void *arg): call fn on
 * another stack and come back. */
    .globl hd_call_on
    .hidden hd_call_on
    .type hd_call_on, @function
    .p2align 4
hd_call_on:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    movq %rdi, %rsp
    movq %rdx, %rdi
    call *%rsi
    movq %rbp, %rsp
    .cfi_def_cfa_register rsp
    popq %rbp
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size hd_call_on, .-hd_call_on

/* void hd_run_on(void *stack_top, void (*fn)(void)): leave this stack for good. */
    .globl hd_run_on
    .hidden hd_run_on
    .type hd_run_on, @function
    .p2align 4
hd_run_on:
    .cfi_startproc
    .cfi_undefined rip
    movq %rdi, %rsp
    xorl %ebp, %ebp
    call *%rsi
    ud2
    .cfi_endproc
    .size hd_run_on, .-hd_run_on

    .section .note.GNU-stack, "", @progbits
