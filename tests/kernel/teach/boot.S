/* SPDX-License-Identifier: BSD-2-Clause
 *
 * boot.S - the parts of the teaching kernel that cannot be written in C: the multiboot header, the
 * entries of interrupts, and the switch of threads. */
        .set    MAGIC, 0x1badb002
        .set    FLAGS, 0

        .section .multiboot, "a"
        .align  4
        .long   MAGIC, FLAGS, -(MAGIC + FLAGS)

        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm

        .text
function _start
        mov     $first_stack_end, %esp
        lgdt    gdt_pointer
        ljmp    $8, $1f
1:      mov     $16, %eax
        mov     %eax, %ds
        mov     %eax, %es
        mov     %eax, %ss
        push    %ebx                    /* what the loader tells: struct multiboot */
        call    kernel_main
2:      hlt
        jmp     2b
        end     _start

/* void switch_threads(struct thread *from, struct thread *to): the stack pointer is the first
 * member of a thread. */
function switch_threads
        mov     4(%esp), %eax
        mov     8(%esp), %edx
        push    %ebp
        push    %ebx
        push    %esi
        push    %edi
        mov     %esp, (%eax)
        mov     (%edx), %esp
        pop     %edi
        pop     %esi
        pop     %ebx
        pop     %ebp
        ret
        end     switch_threads

function timer_entry
        pusha
        cld
        call    timer_interrupt
        popa
        iret
        end     timer_entry

/* bool intr_disable(void): were interrupts enabled before? */
function intr_disable
        pushf
        pop     %eax
        shr     $9, %eax
        and     $1, %eax
        cli
        ret
        end     intr_disable

function intr_enable
        sti
        ret
        end     intr_enable

        /* exceptions: the handler gets the number and the address of the instruction */
        .macro  fault number, code
fault_\number:
        .if     \code == 0
        push    $0
        .endif
        push    $\number
        jmp     fault_entry
        .endm
        fault   0, 0
        fault   6, 0
        fault   8, 1
        fault   13, 1
        fault   14, 1

function fault_entry
        mov     8(%esp), %eax
        pop     %edx
        push    %eax
        push    %edx
        call    exception
        hlt
        end     fault_entry

        .section .rodata
        .align  4
        .globl  fault_entries
fault_entries:
        .long   0, fault_0, 6, fault_6, 8, fault_8, 13, fault_13, 14, fault_14, -1

        .align  8
gdt:    .quad   0
        .quad   0x00cf9a000000ffff      /* code, flat */
        .quad   0x00cf92000000ffff      /* data, flat */
gdt_pointer:
        .word   23
        .long   gdt

        .bss
        .align  4096
        .globl  first_thread            /* main: its record, and its stack at the end of the page */
first_thread:
        .skip   4096
first_stack_end:
        .section .note.GNU-stack, "", @progbits
