/* SPDX-License-Identifier: BSD-2-Clause
 *
 * liveness.h - finds the parts of a thread's state that can no longer matter after an operation.
 *
 * A loop that loads a word and then tries to exchange it keeps the old value in a register or in its frame for the
 * next round, but overwrites it before it reads it again.  Two states that differ only in such a value count as the
 * same state.
 *
 * V1  A callee-saved register or a word of the frame is dead at pc if on every path from there the code
 *     writes it as a whole before it reads it.  Code that instruction.h does not decode, computed jumps
 *     and calls of anything but hooks of instrumented accesses count as reads.
 * V2  A load through any pointer may read any word.  Only loads from the stack at another offset and from
 *     global or thread-local variables do not.
 * V3  Hooks preserve registers, and those of plain accesses touch no memory of the target.  A hook of an
 *     atomic operation accesses its object, and one of a compare-and-swap reads the value that it expects: if the code
 *     shows the address, or the register that has it at pc, it must be another one.  The address of what is
 *     expected must be known; that of the object may come from memory, and hd_await_own_memory notices if it is
 *     a word that was taken to be dead.
 * V4  A word is dead for the thread itself.  Another thread that reads it has a data race with the
 *     thread, which has written it by a plain store and has not released anything since.
 * V5  A word that the code addresses through a register may be in memory that threads share: the node that a loop
 *     pushes on a stack.  Such a word is dead only if the code writes it before it releases anything: it may call
 *     hooks of plain accesses and of atomic loads until then, and must not return.  Loads from the stack by
 *     rsp do not read it. */
#ifndef HD_RUNTIME_PROGRESS_LIVENESS_H
#define HD_RUNTIME_PROGRESS_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_DEAD_WORDS = 8, HD_DEAD_POINTERS = 6 };

/* An address in terms of the registers after the operation has returned. */
struct hd_dead_address {
    uint8_t base; /* register; HD_NO_REGISTER: not known */
    int32_t offset;
};

struct hd_dead_word {
    struct hd_dead_address at;
    bool shared; /* V5: it is dead if it is in no stack.  Else its base is HD_RSP or HD_RBP, and it is in the frame */
    uint8_t size;
    uint8_t npointers;
    uint8_t pointed[HD_DEAD_POINTERS];                /* V3: it is dead unless it is among so many bytes */
    struct hd_dead_address pointer[HD_DEAD_POINTERS]; /* here */
};

struct hd_dead {
    uint64_t pc;
    uint32_t registers; /* set of callee-saved ones */
    uint32_t nwords;
    struct hd_dead_word word[HD_DEAD_WORDS];
};

/* Finds, before main, where the program calls hooks. */
void hd_liveness_init(void);
/* Returns what is dead after the operation that returns to pc. */
const struct hd_dead *hd_liveness_at(uint64_t pc);

#endif
