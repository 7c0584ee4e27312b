/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.S - the start of a kernel that is entered as Pintos is: in real mode at 0x2000:start, with a stack, and to be
 * run at 0xc0000000 above its place in memory.  Besides, the entries of interrupts and the switch of threads. */
        .set    BASE, 0xc0000000
        .set    KERNEL, 0xc0020000

        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm

        .section .start, "ax"
        .code16
        .globl  start
start:
        cli
        mov     $0x2000, %ax
        mov     %ax, %ds
        data32 addr32 lgdt first_gdt - KERNEL
        mov     %cr0, %eax
        or      $1, %eax
        mov     %eax, %cr0
        data32 ljmp $8, $1f - BASE

        .code32
1:      mov     $16, %eax
        mov     %eax, %ds
        mov     %eax, %es
        mov     %eax, %ss
        mov     $_start_bss - BASE, %edi
        mov     $_end_bss - BASE, %ecx
        sub     %edi, %ecx
        xor     %eax, %eax
        cld
        rep stosb
        /* 16 MB, in pages of 4 MB, at 0 and at BASE */
        mov     $directory - BASE, %edi
        mov     $0x83, %eax
        mov     $4, %ecx
2:      mov     %eax, (%edi)
        mov     %eax, 0xc00(%edi)
        add     $4, %edi
        add     $0x400000, %eax
        loop    2b
        mov     %cr4, %eax
        or      $0x10, %eax
        mov     %eax, %cr4
        mov     $directory - BASE, %eax
        mov     %eax, %cr3
        mov     %cr0, %ecx
        or      $0x80000000, %ecx
        mov     %ecx, %cr0
        mov     $3f, %ecx
        jmp     *%ecx
3:      lgdt    gdt_pointer
        movl    $0, directory           /* a null pointer is not mapped */
        mov     %eax, %cr3
        mov     $first_stack_end, %esp
        call    kernel_main

        .text
/* void switch_threads(struct thread *from, struct thread *to) */
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

function intr20_stub
        pusha
        cld
        call    timer_interrupt
        popa
        iret
        end     intr20_stub

        .irp    number, 00, 06, 0d, 0e
function intr\number\()_stub
        hlt
        end     intr\number\()_stub
        .endr

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

        .section .rodata
        .align  8
gdt:    .quad   0
        .quad   0x00cf9a000000ffff      /* code, flat */
        .quad   0x00cf92000000ffff      /* data, flat */
first_gdt:
        .word   23
        .long   gdt - BASE
gdt_pointer:
        .word   23
        .long   gdt

        .bss
        .align  4096
directory:
        .skip   4096
        .globl  first_thread
first_thread:
        .skip   4096
first_stack_end:
        .section .note.GNU-stack, "", @progbits
