/* SPDX-License-Identifier: BSD-2-Clause
 *
 * liveness.h - finds the parts of a thread's state that can no longer matter after an operation.
 *
 * When a loop loads a word and then tries to exchange it, the old value stays in a register or in the frame during
 * the next round, but the loop overwrites it before reading it.  Two states that differ only in such a value count as
 * the same state.
 *
 * V1  A callee-saved register or a word of the frame is dead at pc if on every path from there the code
 *     writes it as a whole before it reads it.  Code that instruction.h does not decode, computed jumps
 *     and calls of anything but hooks of instrumented accesses count as reads.
 * V2  A load through a pointer may read any word.  Only loads from the stack at another offset, and loads of global
 *     or thread-local variables, are known to read something else.
 * V3  Hooks preserve registers, and those of plain accesses touch no memory of the target.  A hook of an atomic
 *     operation accesses its object, and the hook of a compare-and-swap also reads the expected value.  The dead word
 *     must lie elsewhere.  For the expected value, the code must show the address, or the register that contains it
 *     at pc.  The address of the object may come from memory; hd_await_own_memory notices if the object is a word
 *     that was taken to be dead.
 * V4  A word is dead for the thread itself.  Another thread that reads it has a data race with the
 *     thread, which has written it by a plain store and has not released anything since.
 * V5  A word that the code addresses through a register may be in memory that threads share: the node that a loop
 *     pushes onto a stack, for example.  Such a word is dead only if the code writes it before it releases
 *     anything.  Until then the code may call hooks of plain accesses and of atomic loads, and must not return.
 *     Loads relative to rsp do not read the word. */
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
    bool shared; /* V5: dead if it is in no stack.  Otherwise the word is in the frame, and its base is HD_RSP or
                  * HD_RBP */
    uint8_t size;
    uint8_t npointers;
    uint8_t pointed[HD_DEAD_POINTERS];                /* V3: the word is dead unless it overlaps this many bytes
                                                       * at the address `pointer` of the same index */
    struct hd_dead_address pointer[HD_DEAD_POINTERS]; /* addresses for `pointed` */
};

struct hd_dead {
    uint64_t pc;
    uint32_t registers; /* set of dead callee-saved registers */
    uint32_t nwords;
    struct hd_dead_word word[HD_DEAD_WORDS];
};

/* Finds, before main, where the program calls hooks. */
void hd_liveness_init(void);
/* Returns what is dead after the operation that returns to pc. */
const struct hd_dead *hd_liveness_at(uint64_t pc);

#endif
