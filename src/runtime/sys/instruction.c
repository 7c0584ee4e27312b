/* SPDX-License-Identifier: BSD-2-Clause
 *
 * instruction.c - decodes instructions.  See instruction.h.  No libc. */
#include "runtime/sys/instruction.h"

#include <stddef.h>

struct decoder {
    struct hd_instruction *i;
    const uint8_t *at;
    bool rex, wide, narrow, local; /* rex: it has a REX prefix; wide: 64-bit operands; narrow: 16-bit operands;
                                    * local: thread-local memory */
    uint8_t r, x, b;               /* bits of the REX prefix: 8 or 0 */
    unsigned reg, rm;              /* operands; rm: HD_NO_REGISTER for memory */
};

static int32_t read32(const uint8_t *p)
{
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static uint32_t bit(unsigned reg)
{
    return reg < HD_NO_REGISTER ? 1u << reg : 0;
}

/* For a one-byte operand: without a REX prefix, the numbers from 4 on are ah, ch, dh, bh. */
static uint32_t byte_bit(const struct decoder *d, unsigned reg)
{
    return bit(reg >= 4 && reg < 8 && !d->rex ? reg - 4 : reg);
}

/* ---- operands ------------------------------------------------------------------------ */

static void read_memory(struct decoder *d, unsigned mod, unsigned low)
{
    struct hd_instruction *i = d->i;
    unsigned base = low;
    bool relative = mod == 0 && low == 5;

    if (low == 4) {
        uint8_t sib = *d->at++;
        unsigned index = (sib >> 3 & 7) | d->x;

        base = sib & 7;
        i->indexed = index != HD_RSP;
        i->reads |= i->indexed ? bit(index) : 0;
    }
    if (mod == 0 && base == 5) { /* no base: a displacement alone */
        i->offset = read32(d->at);
        d->at += 4;
        i->address = relative ? (uintptr_t)(d->at + i->offset) : 0;
        return;
    }
    i->base = (uint8_t)(base | d->b);
    i->reads |= bit(i->base);
    i->offset = mod == 1 ? (int8_t)*d->at : mod == 2 ? read32(d->at) : 0;
    d->at += mod == 1 ? 1 : mod == 2 ? 4 : 0;
}

static void read_operands(struct decoder *d)
{
    uint8_t modrm = *d->at++;
    unsigned mod = modrm >> 6;

    d->reg = (modrm >> 3 & 7) | d->r;
    d->rm = HD_NO_REGISTER;
    if (mod == 3)
        d->rm = (modrm & 7) | d->b;
    else
        read_memory(d, mod, modrm & 7);
}

/* Skips an immediate operand of that many bytes.  An address relative to the next instruction includes them. */
static void skip_constant(struct decoder *d, unsigned bytes)
{
    d->at += bytes;
    if (d->i->address != 0)
        d->i->address += bytes;
}

static unsigned immediate(const struct decoder *d)
{
    return d->narrow ? 2 : 4;
}

static uint8_t width(const struct decoder *d)
{
    return d->wide ? 8 : d->narrow ? 2 : 4;
}

static void memory(struct decoder *d, bool loads, bool stores, uint8_t size)
{
    if (d->rm != HD_NO_REGISTER || d->local)
        return;
    d->i->loads |= loads;
    d->i->stores |= stores;
    d->i->size = size;
}

/* Records that the register or memory operand is read, written or both. */
static void rm_operand(struct decoder *d, bool byte, bool reads, bool writes)
{
    uint32_t rm = byte ? byte_bit(d, d->rm) : bit(d->rm);

    memory(d, reads, writes, byte ? 1 : width(d));
    if (reads || (writes && (byte || d->narrow)))
        d->i->reads |= rm;
    if (writes && !byte && !d->narrow)
        d->i->writes |= rm;
    d->i->changes |= writes ? rm : 0;
}

static void reg_operand(struct decoder *d, bool byte, bool reads, bool writes)
{
    uint32_t reg = byte ? byte_bit(d, d->reg) : bit(d->reg);

    if (reads || (writes && (byte || d->narrow)))
        d->i->reads |= reg;
    if (writes && !byte && !d->narrow)
        d->i->writes |= reg;
    d->i->changes |= writes ? reg : 0;
}

/* ---- groups of instructions --------------------------------------------------------- */

/* add, or, adc, sbb, and, sub, xor, cmp */
static void arithmetic(struct decoder *d, uint8_t op)
{
    bool byte = (op & 1) == 0, compares = (op & 0x38) == 0x38, to_rm = (op & 2) == 0;
    bool clears = (op & 0x38) == 0x30 || (op & 0x38) == 0x28;

    if ((op & 7) >= 4) { /* al or eax with a constant */
        d->i->reads |= bit(HD_RAX);
        d->i->writes |= byte || d->narrow || compares ? 0 : bit(HD_RAX);
        d->i->changes |= compares ? 0 : bit(HD_RAX);
        skip_constant(d, byte ? 1 : immediate(d));
        return;
    }
    read_operands(d);
    if (clears && !byte && !d->narrow && d->reg == d->rm) {
        d->i->writes |= bit(d->reg);
        return;
    }
    rm_operand(d, byte, true, to_rm && !compares);
    reg_operand(d, byte, true, !to_rm && !compares);
}

/* add, or, adc, sbb, and, sub, xor, cmp with a constant operand.  Adding a constant to rsp counts as a shift of rsp. */
static void arithmetic_constant(struct decoder *d, uint8_t op)
{
    read_operands(d);
    unsigned which = d->reg & 7;
    bool byte = op == 0x80, shifts = d->rm == HD_RSP && d->wide && (which == 0 || which == 5);
    int32_t by = op == 0x81 && !d->narrow ? read32(d->at) : (int8_t)*d->at;

    skip_constant(d, op == 0x81 ? immediate(d) : 1);
    if (shifts)
        d->i->shift = which == 0 ? by : -by;
    else
        rm_operand(d, byte, true, which != 7);
}

/* inc, dec, call, jump, push */
static bool group_five(struct decoder *d)
{
    struct hd_instruction *i = d->i;

    read_operands(d);
    d->wide |= (d->reg & 7) >= 2;
    switch (d->reg & 7) {
    case 0:
    case 1:
        rm_operand(d, false, true, true);
        return true;
    case 2:
    case 4:
        rm_operand(d, false, true, false);
        i->flow = (d->reg & 7) == 2 ? HD_CODE_CALLS : HD_CODE_JUMPS;
        return true;
    case 6:
        rm_operand(d, false, true, false);
        i->shift = -8;
        return true;
    default:
        return false;
    }
}

/* test, not, neg; mul and div use rax and rdx */
static void group_three(struct decoder *d, uint8_t op)
{
    bool byte = op == 0xf6;

    read_operands(d);
    unsigned which = d->reg & 7;

    rm_operand(d, byte, true, which == 2 || which == 3);
    if (which < 2)
        skip_constant(d, byte ? 1 : immediate(d));
    if (which >= 4) {
        d->i->reads |= bit(HD_RAX) | bit(HD_RDX);
        d->i->changes |= bit(HD_RAX) | bit(HD_RDX);
    }
}

/* Moves between vector registers and memory. */
static bool vector(struct decoder *d, uint8_t op)
{
    switch (op) {
    case 0x10: case 0x28: case 0x57: case 0x6f: case 0xef:
        memory(d, true, false, 16);
        return true;
    case 0x11: case 0x29: case 0x7f: case 0xd6:
        memory(d, false, true, 1); /* at least 1 byte */
        return true;
    default:
        return false;
    }
}

static bool two_bytes(struct decoder *d)
{
    uint8_t op = *d->at++;

    if (op >= 0x80 && op <= 0x8f) {
        d->at += 4;
        d->i->target = d->at + read32(d->at - 4);
        d->i->flow = HD_CODE_BRANCHES;
        return true;
    }
    read_operands(d);
    if (op == 0x1e || op == 0x1f) { /* endbr64, nop */
        d->i->reads = 0;
        return true;
    }
    if (op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf) {
        bool byte = (op & 1) == 0;

        d->i->reads |= byte ? byte_bit(d, d->rm) : bit(d->rm);
        memory(d, true, false, byte ? 1 : 2);
        reg_operand(d, false, false, true);
        return true;
    }
    if ((op >= 0x40 && op <= 0x4f) || op == 0xaf) {
        rm_operand(d, false, true, false);
        reg_operand(d, false, true, true);
        return true;
    }
    if (op >= 0x90 && op <= 0x9f) {
        rm_operand(d, true, true, true);
        return true;
    }
    return vector(d, op);
}

/* Instructions with a register in the opcode. */
static bool short_form(struct decoder *d, uint8_t op)
{
    uint32_t reg = bit((op & 7) | d->b);

    if (op < 0x60 && d->narrow)
        return false;
    if (op < 0x58) { /* push */
        d->i->reads |= reg;
        d->i->shift = -8;
    } else if (op < 0x60) { /* pop */
        d->i->writes |= reg;
        d->i->shift = d->i->size = 8;
        d->i->loads = true;
        d->i->base = HD_RSP;
    } else { /* mov of a constant */
        d->at += d->wide ? 8 : immediate(d);
        d->i->reads |= d->narrow ? reg : 0;
        d->i->writes |= d->narrow ? 0 : reg;
        d->i->changes |= reg;
    }
    return true;
}

/* Moves. */
static void move(struct decoder *d, uint8_t op)
{
    bool byte = op == 0x88 || op == 0x8a;
    bool stores = op == 0x88 || op == 0x89;

    read_operands(d);
    if (op == 0x8d) { /* lea */
        d->i->computes = d->wide;
        reg_operand(d, false, false, true);
        return;
    }
    if (d->wide && d->rm != HD_NO_REGISTER && (op == 0x89 || op == 0x8b))
        d->i->copied = (uint8_t)(stores ? d->reg : d->rm);
    if (op == 0x63) { /* from 32 bits to 64 */
        d->i->reads |= bit(d->rm);
        memory(d, true, false, 4);
    } else {
        rm_operand(d, byte, !stores, stores);
    }
    reg_operand(d, byte, stores, !stores);
}

static bool one_byte(struct decoder *d, uint8_t op)
{
    if (op < 0x40 && (op & 7) < 6) {
        arithmetic(d, op);
        return true;
    }
    if ((op >= 0x50 && op <= 0x5f) || (op >= 0xb8 && op <= 0xbf)) {
        return short_form(d, op);
    }
    if ((op >= 0x70 && op <= 0x7f) || op == 0xeb) {
        d->at++;
        d->i->target = d->at + (int8_t)d->at[-1];
        d->i->flow = op == 0xeb ? HD_CODE_JUMPS : HD_CODE_BRANCHES;
        return true;
    }
    switch (op) {
    case 0x90: /* nop */
        return true;
    case 0xc3:
        d->i->flow = HD_CODE_RETURNS;
        return true;
    case 0xc9: /* leave */
        d->i->reads |= bit(HD_RBP);
        d->i->writes |= bit(HD_RBP) | bit(HD_RSP);
        return true;
    case 0xe8:
    case 0xe9:
        d->at += 4;
        d->i->target = d->at + read32(d->at - 4);
        d->i->flow = op == 0xe8 ? HD_CODE_CALLS : HD_CODE_JUMPS;
        return true;
    case 0x63: case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8d:
        move(d, op);
        return true;
    case 0x84: case 0x85: /* test */
        read_operands(d);
        rm_operand(d, op == 0x84, true, false);
        reg_operand(d, op == 0x84, true, false);
        return true;
    case 0x69: case 0x6b: /* imul */
        read_operands(d);
        skip_constant(d, op == 0x6b ? 1 : immediate(d));
        rm_operand(d, false, true, false);
        reg_operand(d, false, false, true);
        return true;
    case 0x80: case 0x81: case 0x83:
        arithmetic_constant(d, op);
        return true;
    case 0xc0: case 0xc1: case 0xd1: case 0xd3: /* shifts, the last one by cl */
        read_operands(d);
        skip_constant(d, op < 0xd0);
        d->i->reads |= op == 0xd3 ? bit(1) : 0;
        rm_operand(d, op == 0xc0, true, true);
        return true;
    case 0xc6: case 0xc7:
        read_operands(d);
        skip_constant(d, op == 0xc6 ? 1 : immediate(d));
        rm_operand(d, op == 0xc6, false, true);
        return true;
    case 0xf6: case 0xf7:
        group_three(d, op);
        return true;
    case 0xff:
        return group_five(d);
    default:
        return false;
    }
}

static uint8_t read_prefixes(struct decoder *d)
{
    uint8_t op = *d->at++;

    /* 0x64: relative to fs; 0x2e: no effect */
    for (; op == 0x66 || op == 0xf2 || op == 0xf3 || op == 0x64 || op == 0x2e; op = *d->at++) {
        d->narrow |= op == 0x66;
        d->local |= op == 0x64;
    }
    if ((op & 0xf0) == 0x40) {
        d->rex = true;
        d->wide = (op & 8) != 0;
        d->r = (op & 4) != 0 ? 8 : 0;
        d->x = (op & 2) != 0 ? 8 : 0;
        d->b = (op & 1) != 0 ? 8 : 0;
        op = *d->at++;
    }
    d->narrow &= !d->wide;
    return op;
}

bool hd_instruction_read(const uint8_t *at, struct hd_instruction *out)
{
    struct decoder d = { .i = out, .at = at, .rm = HD_NO_REGISTER };

    *out = (struct hd_instruction){ .base = HD_NO_REGISTER, .copied = HD_NO_REGISTER };
    uint8_t op = read_prefixes(&d);
    bool known = op == 0x0f ? two_bytes(&d) : one_byte(&d, op);

    out->next = d.at;
    out->changes |= out->writes;
    return known;
}

uintptr_t hd_instruction_linkage(const uint8_t *p)
{
    struct hd_instruction i;

    if (p[0] == 0xf3 && p[1] == 0x0f && p[2] == 0x1e && p[3] == 0xfa) /* endbr64 */
        p += 4;
    bool jumps = hd_instruction_read(p, &i) && i.flow == HD_CODE_JUMPS && i.target == NULL;

    return jumps ? i.address : 0;
}
