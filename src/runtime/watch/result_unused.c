/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result_unused.c - follows the code after a call until rax is read or written.
 *
 * It understands the common integer instructions.  A call through the procedure linkage table or a
 * pointer ends the search, since the callee may overwrite rax.  A call to a function of the same
 * object does not, since the compiler may know which registers that function preserves.  No libc. */
#include "runtime/watch/result_unused.h"

#include "base/limits.h"

#include <stddef.h>

enum fate { GOES_ON, WRITTEN, READ };

enum { MAX_INSTRUCTIONS = 48, NO_REGISTER = 16 };

struct decoder {
    const uint8_t *at;
    bool rex, wide, narrow; /* any REX prefix; 64 bits; 16 bits */
    uint8_t r, x, b;        /* 8 or 0 */
    /* of the last operands */
    unsigned reg, rm; /* rm: NO_REGISTER for memory */
    bool address;     /* a memory operand whose address uses rax */
};

static int32_t read32(const uint8_t *p)
{
    return (int32_t)(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
}

static void read_memory(struct decoder *d, unsigned mod, unsigned low)
{
    unsigned base = low;

    if (low == 4) {
        uint8_t sib = *d->at++;
        unsigned index = (sib >> 3 & 7) | d->x;

        base = sib & 7;
        d->address |= index == 0;
    }
    if (mod == 0 && base == 5) /* no base: a displacement alone */
        d->at += 4;
    else
        d->address |= (base | d->b) == 0;
    d->at += mod == 1 ? 1 : mod == 2 ? 4 : 0;
}

static void read_operands(struct decoder *d)
{
    uint8_t modrm = *d->at++;
    unsigned mod = modrm >> 6;

    d->reg = (modrm >> 3 & 7) | d->r;
    d->rm = NO_REGISTER;
    d->address = false;
    if (mod == 3)
        d->rm = (modrm & 7) | d->b;
    else
        read_memory(d, mod, modrm & 7);
}

/* For a one-byte operand: without a REX prefix, number 4 is ah. */
static bool is_part(const struct decoder *d, unsigned reg)
{
    return reg == 0 || (reg == 4 && !d->rex);
}

static enum fate reads(const struct decoder *d, bool reg, bool rm)
{
    return d->address || (reg && d->reg == 0) || (rm && d->rm == 0) ? READ : GOES_ON;
}

/* The register operand is written, the other one is read. */
static enum fate loads(const struct decoder *d)
{
    if (reads(d, false, true) == READ || (d->reg == 0 && d->narrow))
        return READ;
    return d->reg == 0 ? WRITTEN : GOES_ON;
}

/* The register operand is read, the other one is written. */
static enum fate stores(const struct decoder *d)
{
    if (reads(d, true, false) == READ || (d->rm == 0 && d->narrow))
        return READ;
    return d->rm == 0 ? WRITTEN : GOES_ON;
}

static enum fate bytes(const struct decoder *d)
{
    return d->address || is_part(d, d->reg) || (d->rm != NO_REGISTER && is_part(d, d->rm)) ? READ
                                                                                          : GOES_ON;
}

static size_t immediate(const struct decoder *d)
{
    return d->narrow ? 2 : 4;
}

static bool is_linkage(const uint8_t *p)
{
    static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
    bool marked = p[0] == endbr[0] && p[1] == endbr[1] && p[2] == endbr[2] && p[3] == endbr[3];

    p += marked ? 4 : 0;
    p += *p == 0xf2 ? 1 : 0;
    return p[0] == 0xff && p[1] == 0x25;
}

/* add, or, adc, sbb, and, sub, xor, cmp */
static enum fate arithmetic(struct decoder *d, uint8_t op)
{
    if ((op & 7) == 4 || (op & 7) == 5)
        return READ; /* al or eax with a constant */
    read_operands(d);
    if ((op & 7) == 0 || (op & 7) == 2)
        return bytes(d);
    bool clears = (op & 0x38) == 0x30 || (op & 0x38) == 0x28;

    if (clears && d->reg == d->rm && d->reg == 0 && !d->narrow)
        return WRITTEN;
    return reads(d, true, true);
}

/* inc, dec, call, jump, push */
static enum fate group_five(struct decoder *d)
{
    read_operands(d);
    if (reads(d, false, true) == READ)
        return READ;
    switch (d->reg & 7) {
    case 0:
    case 1:
    case 6:
        return GOES_ON;
    case 2:
        return WRITTEN;
    default:
        return READ;
    }
}

/* test, not, neg; the others of this group use rax */
static enum fate group_three(struct decoder *d, uint8_t op)
{
    read_operands(d);
    unsigned which = d->reg & 7;

    if (which > 3 || (op == 0xf6 ? bytes(d) : reads(d, false, true)) == READ)
        return READ;
    if (which < 2)
        d->at += op == 0xf6 ? 1 : immediate(d);
    return GOES_ON;
}

static enum fate two_bytes(struct decoder *d, uint8_t op)
{
    if (op == 0x1e || op == 0x1f) { /* endbr64, nop */
        read_operands(d);
        return GOES_ON;
    }
    read_operands(d);
    if (op == 0xb6 || op == 0xb7 || op == 0xbe || op == 0xbf) {
        if ((op & 1) == 0 && d->rm != NO_REGISTER && is_part(d, d->rm))
            return READ;
        return loads(d);
    }
    if ((op >= 0x40 && op <= 0x4f) || op == 0xaf)
        return reads(d, true, true);
    if (op >= 0x90 && op <= 0x9f)
        return reads(d, false, true);
    switch (op) { /* between vector registers and memory */
    case 0x10: case 0x11: case 0x28: case 0x29: case 0x57: case 0x6f: case 0x7f: case 0xd6: case 0xef:
        return d->address ? READ : GOES_ON;
    default:
        return READ;
    }
}

static enum fate one_byte(struct decoder *d, uint8_t op)
{
    if (op < 0x40 && (op & 7) < 6)
        return arithmetic(d, op);
    if (op >= 0x50 && op <= 0x57)
        return ((op & 7) | d->b) == 0 ? READ : GOES_ON;
    if (op >= 0x58 && op <= 0x5f)
        return ((op & 7) | d->b) == 0 ? WRITTEN : GOES_ON;
    if (op >= 0xb8 && op <= 0xbf) {
        d->at += d->wide ? 8 : immediate(d);
        return ((op & 7) | d->b) != 0 ? GOES_ON : d->narrow ? READ : WRITTEN;
    }
    switch (op) {
    case 0x90: /* nop */
    case 0xc9: /* leave */
        return GOES_ON;
    case 0x88:
    case 0x8a:
    case 0x84:
        read_operands(d);
        return bytes(d);
    case 0x85:
        read_operands(d);
        return reads(d, true, true);
    case 0x89:
        read_operands(d);
        return stores(d);
    case 0x63:
    case 0x8b:
    case 0x8d:
        read_operands(d);
        return loads(d);
    case 0x69:
    case 0x6b:
        read_operands(d);
        d->at += op == 0x6b ? 1 : immediate(d);
        return loads(d);
    case 0x80:
    case 0xc6:
    case 0xc0:
        read_operands(d);
        d->at++;
        return d->rm == NO_REGISTER ? reads(d, false, false) : READ;
    case 0x81:
    case 0x83:
    case 0xc1:
        read_operands(d);
        d->at += op == 0x81 ? immediate(d) : 1;
        return reads(d, false, true);
    case 0xc7:
        read_operands(d);
        d->at += immediate(d);
        if (d->address || (d->rm == 0 && d->narrow))
            return READ;
        return d->rm == 0 ? WRITTEN : GOES_ON;
    case 0xd1:
    case 0xd3:
        read_operands(d);
        return reads(d, false, true);
    case 0xf6:
    case 0xf7:
        return group_three(d, op);
    case 0xff:
        return group_five(d);
    default:
        return READ;
    }
}

static uint8_t read_prefixes(struct decoder *d)
{
    uint8_t op = *d->at++;

    d->rex = d->wide = d->narrow = false;
    d->r = d->x = d->b = 0;
    for (; op == 0x66 || op == 0xf2 || op == 0xf3 || op == 0x64; op = *d->at++) /* 0x64: relative to fs */
        d->narrow |= op == 0x66;
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

static bool is_unread(const uint8_t *at, unsigned *left);

/* True if the result is unread at a jump target too. */
static bool is_unread_at(const uint8_t *target, unsigned *left)
{
    return is_linkage(target) || is_unread(target, left);
}

static bool is_unread(const uint8_t *at, unsigned *left)
{
    struct decoder d = { .at = at };

    while ((*left)-- > 0) {
        uint8_t op = read_prefixes(&d);
        enum fate fate;

        if (op == 0xe8) {
            d.at += 4;
            return is_linkage(d.at + read32(d.at - 4));
        }
        if (op == 0xe9 || op == 0xeb) {
            d.at += op == 0xe9 ? 4 : 1;
            return is_unread_at(d.at + (op == 0xe9 ? read32(d.at - 4) : (int8_t)d.at[-1]), left);
        }
        if (op >= 0x70 && op <= 0x7f) {
            d.at++;
            return is_unread_at(d.at + (int8_t)d.at[-1], left) && is_unread(d.at, left);
        }
        if (op == 0x0f && *d.at >= 0x80 && *d.at <= 0x8f) {
            d.at += 5;
            return is_unread_at(d.at + read32(d.at - 4), left) && is_unread(d.at, left);
        }
        if (op == 0x0f) {
            op = *d.at++;
            fate = two_bytes(&d, op);
        } else {
            fate = one_byte(&d, op);
        }
        if (fate != GOES_ON)
            return fate == WRITTEN;
    }
    *left = 0;
    return false;
}

bool hd_result_is_unused(uint64_t pc)
{
    enum { KNOWN = HD_LIMIT(64, 2) };
    static struct {
        uint64_t pc;
        bool unused;
    } known[KNOWN];
    unsigned i = (unsigned)(pc ^ pc >> 6) % KNOWN, left = MAX_INSTRUCTIONS;

    if (known[i].pc != pc) {
        known[i].unused = is_unread((const uint8_t *)pc, &left);
        known[i].pc = pc;
    }
    return known[i].unused;
}
