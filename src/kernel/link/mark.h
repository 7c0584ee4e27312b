/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mark.h - marks, by which a test inside Linux (kernel/guest) tells the plugin where it is. A mark is a NOP of eight
 * bytes that contains a number.  It does nothing and needs no privileges. */
#ifndef HD_KERNEL_LINK_MARK_H
#define HD_KERNEL_LINK_MARK_H

#define HD_MARK_SIZE 8
#define HD_MARK_HEAD "\x0f\x1f\x84\x00" /* nopl N(%rax,%rax), N: the number and the tail */
#define HD_MARK_TAIL "hdk"

enum hd_mark {
    HD_MARK_BEGIN = 1, /* an execution begins; all threads of the test wait for it */
    HD_MARK_STOP,      /* the current thread ends its part */
    HD_MARK_LINE,      /* the test has sent a line of text */
    HD_MARK_CLEAN,     /* the execution is over */
    HD_MARK_WRONG,     /* like HD_MARK_CLEAN, but the test has failed; a line that it has sent says why */
    HD_MARK_START = 32, /* + N: the current thread, which is the Nth, begins its part */
};

#define HD_MARK(number)                                                                            \
    __asm__ volatile(".byte 0x0f, 0x1f, 0x84, 0x00, %c0, 0x68, 0x64, 0x6b" ::"i"(number) : "memory")

#define HD_MARK_START_ADDRESS 1 /* names the point at START: no instruction of the kernel has this address */

#define HD_GUEST_PORT 0xe9 /* the test sends its lines to QEMU's debug console */

#endif
