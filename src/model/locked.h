/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked.h - atomic instructions in code that is not instrumented, as the tool passes them to the
 * runtime: where they are, and what they do to which memory. */
#ifndef HD_MODEL_LOCKED_H
#define HD_MODEL_LOCKED_H

#include <stdint.h>

#define HD_MAX_LOCKED_OBJECTS 128
#define HD_MAX_LOCKED (1u << 15)

enum hd_locked_op {
    HD_LOCKED_XCHG, HD_LOCKED_CMPXCHG, HD_LOCKED_XADD, HD_LOCKED_ADD, HD_LOCKED_SUB, HD_LOCKED_AND,
    HD_LOCKED_OR, HD_LOCKED_XOR, HD_LOCKED_INC, HD_LOCKED_DEC, HD_LOCKED_NEG, HD_LOCKED_NOT,
    HD_LOCKED_BTS, HD_LOCKED_BTR, HD_LOCKED_BTC, HD_LOCKED_CMPXCHG_PAIR, HD_LOCKED_OTHER
};

/* Registers are numbered as in machine code. */
enum { HD_LOCKED_NONE = 16, HD_LOCKED_RIP = 17, HD_LOCKED_HIGH = 32 /* + n: the second byte of register n */ };

/* One instruction.  Addresses are those in the object's file. */
struct hd_locked_site {
    uint64_t addr;
    int64_t value;              /* value of the other operand if it is a constant */
    int32_t disp;
    uint8_t length, op, size;   /* length of the instruction; enum hd_locked_op; bytes of memory */
    uint8_t base, index, scale; /* parts of the address */
    uint8_t source;             /* the register that is the other operand; HD_LOCKED_NONE: it is `value` */
    uint8_t disp_at;            /* offset of disp within the instruction if the address is relative to the
                                 * instruction pointer; otherwise 0 */
    uint8_t before, moved;      /* a jump may replace `moved` bytes, beginning `before` bytes before the
                                 * instruction; 0: none */
};

struct hd_locked_span {
    char path[256];
    uint32_t first, n;
};

struct hd_locked_table {
    uint32_t nspans;
    struct hd_locked_span span[HD_MAX_LOCKED_OBJECTS]; /* the first is the program */
    uint32_t nsites;
    struct hd_locked_site site[HD_MAX_LOCKED]; /* sorted by address within each object */
};

#endif
