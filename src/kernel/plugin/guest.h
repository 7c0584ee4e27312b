/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guest.h - the guest as the plugin sees it: its instructions, its memory, its interrupt flag.
 *
 * The interface of QEMU 7.2 lets a plugin read neither registers nor memory.  Neither is needed:
 * G1  The RAM of the guest is a file that the plugin maps as well.
 * G2  The stack pointer is known whenever it matters: the memory callback of a call, a return, a push
 *     or a pop tells its address.  Hence the arguments of a function are known at its entry, and a
 *     switch of threads shows as a stack in another block of memory.
 * G3  The interrupt flag changes only by instructions that the plugin sees (cli, sti, popf, iret)
 *     and by the entries of interrupts, which the description names. */
#ifndef HD_KERNEL_PLUGIN_GUEST_H
#define HD_KERNEL_PLUGIN_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/link/link.h"

enum hd_k_op { HD_OP_OTHER, HD_OP_CLI, HD_OP_STI, HD_OP_POPF, HD_OP_IRET, HD_OP_HLT, HD_OP_CALL, HD_OP_RET,
               HD_OP_PUSH, HD_OP_POP };

struct hd_insn {
    uint32_t address, next, target; /* target: of a direct jump or call; otherwise 0 */
    uint8_t op;                     /* enum hd_k_op */
    uint8_t size;
    bool atomic;
    uint16_t entry;                 /* 1 + index of the function that begins here; 0: none */
};

/* Decodes the properties of an instruction that the plugin needs. */
void hd_insn_decode(struct hd_insn *i, uint32_t address, const uint8_t *bytes, unsigned size);

/* Returns the word at an address, or 0 if it is outside of the RAM. */
uint32_t hd_guest_word(const struct hd_klink *link, const uint8_t *ram, uint32_t address);

/* On its first call, maps the guest's memory (hd_kp.ram) and connects to QEMU's -qtest.  QEMU has created both
 * before the first instruction runs.  The tool removes the files after the first execution. */
void hd_guest_meet(void);
/* Raises and lowers the timer's line of the interrupt controller, as a client of -qtest.  The processor takes the
 * interrupt after the instruction that is about to run.  Returns false if there is no connection. */
bool hd_guest_tick(const struct hd_klink *link);

#endif
