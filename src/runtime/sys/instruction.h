/* SPDX-License-Identifier: BSD-2-Clause
 *
 * instruction.h - decodes the common integer instructions of x86-64: which registers an instruction reads and writes,
 * what it does to memory, and where execution continues. */
#ifndef HD_RUNTIME_SYS_INSTRUCTION_H
#define HD_RUNTIME_SYS_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_RAX = 0, HD_RDX = 2, HD_RBX = 3, HD_RSP = 4, HD_RBP = 5, HD_RSI = 6, HD_RDI = 7, HD_NO_REGISTER = 16 };

enum hd_code_flow { HD_CODE_ON, HD_CODE_JUMPS, HD_CODE_BRANCHES, HD_CODE_CALLS, HD_CODE_RETURNS };

struct hd_instruction {
    const uint8_t *next;
    const uint8_t *target;  /* target of a jump, branch or call; NULL: computed */
    uint32_t reads, writes; /* sets of registers; writes: those written as a whole.  A register that is written in
                             * part also counts as read */
    uint32_t changes;       /* registers that are written as a whole or in part */
    enum hd_code_flow flow;
    bool loads, stores;     /* whether the memory operand is read or written, unless it is thread-local */
    bool computes;          /* the instruction writes the address of the memory operand to a register */
    uint8_t copied;         /* the register that the instruction copies to another one as a whole; HD_NO_REGISTER:
                             * none */
    uint8_t base;           /* base register of the memory operand; HD_NO_REGISTER: none */
    bool indexed;           /* the address of the memory operand also has an index register */
    uint8_t size;           /* size of the memory operand in bytes */
    int32_t offset;
    uintptr_t address;      /* address of the memory operand if it is relative to the instruction pointer;
                             * otherwise 0 */
    int32_t shift;          /* number that the instruction adds to rsp; push, pop, add and sub do not count as
                             * writes of rsp */
};

/* Decodes the instruction at `at`.  Returns false if the decoder does not know it. */
bool hd_instruction_read(const uint8_t *at, struct hd_instruction *out);

/* If p points to a stub of the procedure linkage table, returns the address of the pointer through which the stub
 * jumps.  Otherwise returns 0. */
uintptr_t hd_instruction_linkage(const uint8_t *p);

#endif
