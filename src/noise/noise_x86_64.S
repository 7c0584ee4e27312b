/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noise_x86_64.S - interposers for the functions by which threads interact (MEETS in calls.def, and the compiler's
 * atomics).  Each may delay its thread and then jumps to the function of that name in the next library, with all
 * arguments unchanged.  So one piece of code serves every signature, and the stack contains no frame of ours.
 * None of these functions has arguments in vector registers. */

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

#define MEETS(name) POINT name;
#define MEETS_AS(type, name, params, args, result) POINT name;
#define WRITTEN(name)
#define ALWAYS(type, name, params, args, result)
#define CONTROLLED(type, name, params, args, result)
#define POLLS(type, name, params, args, result)
#define WAITS(type, name, params, args, result)
#define CALLS_SYNC
#define CALLS_THREAD
#define CALLS_C11
#include "runtime/calls/calls.def"

    .macro ATOMICS bits
    .irp operation, load, store, exchange, fetch_add, fetch_sub, fetch_and, fetch_or, fetch_xor, compare_exchange_strong, compare_exchange_weak, compare_exchange_val
    POINT __tsan_atomic\bits\()_\operation
    .endr
    .endm
    ATOMICS 8
    ATOMICS 16
    ATOMICS 32
    ATOMICS 64

    .section .note.GNU-stack, "", @progbits
