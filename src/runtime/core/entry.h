/* SPDX-License-Identifier: BSD-2-Clause
 *
 * entry.h - entry stubs: they save the registers with which the target's code reaches an operation. */
#ifndef HD_RUNTIME_CORE_ENTRY_H
#define HD_RUNTIME_CORE_ENTRY_H

#include <stdint.h>

/* Registers of the target's code at the entry of a hook that may poll: the state that a polling
 * loop must repeat.  The entry stub saves them (HD_POLL_ENTRY). */
struct hd_entry_regs {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp;
    uint32_t frame; /* maximum number of words from rsp up to the target's return address */
    uint32_t unused; /* bytes from rsp up that are not part of the state (a red zone) */
    uint8_t size;   /* atomic operation: size of its location in bytes */
    uint64_t operand; /* atomic operation that may write: hash of the values that it writes and
                       * expects */
};
extern struct hd_entry_regs hd_entry __attribute__((visibility("hidden")));

/* The assembly with which an entry stub saves these registers. */
#define HD_SAVE_ENTRY                  \
    "  movq %rbx, hd_entry+0(%rip)\n" \
    "  movq %rbp, hd_entry+8(%rip)\n" \
    "  movq %r12, hd_entry+16(%rip)\n" \
    "  movq %r13, hd_entry+24(%rip)\n" \
    "  movq %r14, hd_entry+32(%rip)\n" \
    "  movq %r15, hd_entry+40(%rip)\n" \
    "  movq %rsp, hd_entry+48(%rip)\n"

/* Exports `name` as a stub that saves the callee-saved registers and jumps to hd_impl_<name>, which
 * has the same signature. */
#define HD_POLL_ENTRY(name)                                       \
    __asm__(".pushsection .text\n"                                \
            ".globl " #name "\n"                                  \
            ".type " #name ",@function\n"                         \
            ".p2align 4\n" #name ":\n"                            \
            ".cfi_startproc\n"                                    \
            HD_SAVE_ENTRY                                         \
            "  jmp hd_impl_" #name "\n"                           \
            ".cfi_endproc\n"                                      \
            ".size " #name ", .-" #name "\n"                      \
            ".popsection\n")

/* Like HD_POLL_ENTRY, for a lock: saves the registers only while hd_cycle_locks is set. */
#define HD_LOCK_ENTRY(name)                                       \
    __asm__(".pushsection .text\n"                                \
            ".globl " #name "\n"                                  \
            ".type " #name ",@function\n"                         \
            ".p2align 4\n" #name ":\n"                            \
            ".cfi_startproc\n"                                    \
            "  cmpb $0, hd_cycle_locks(%rip)\n"                   \
            "  jne 1f\n"                                          \
            "  jmp hd_impl_" #name "\n"                           \
            "1:\n"                                                \
            HD_SAVE_ENTRY                                         \
            "  jmp hd_impl_" #name "\n"                           \
            ".cfi_endproc\n"                                      \
            ".size " #name ", .-" #name "\n"                      \
            ".popsection\n")

#endif
