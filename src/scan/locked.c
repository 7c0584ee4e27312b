/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked.c - finds atomic instructions.  See locked.h. */
#include "scan/locked.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scan/code.h"
#include "scan/disassembler.h"

enum { JUMP = 5, LEAST = 1024 };
_Static_assert((int)HD_LOCKED_NONE == (int)HD_CODE_NO_REGISTER, "registers have one numbering");

struct search {
    const char *only; /* see hd_locked_scan */
    struct hd_image im;
    csh cs;
    cs_insn *insn;
    struct hd_locked_site *site; /* sites in the current function */
    size_t nsites, sites_room;
    uint64_t *target; /* targets of jumps in that function */
    size_t ntargets, targets_room;
};

static void *grown(void *list, size_t n, size_t *room, size_t each)
{
    if (n < *room)
        return list;
    *room = 2 * *room + LEAST;
    return hd_resized(list, *room, each);
}

/* ---- one instruction --------------------------------------------------------------------- */

static unsigned number_of(unsigned reg)
{
    static const uint16_t high[] = { X86_REG_AH, X86_REG_CH, X86_REG_DH, X86_REG_BH };

    for (unsigned i = 0; i < 4; i++)
        if (high[i] == reg)
            return HD_LOCKED_HIGH + i;
    return reg == X86_REG_RIP ? HD_LOCKED_RIP : hd_code_register(reg);
}

static enum hd_locked_op op_of(unsigned id)
{
    switch (id) {
    case X86_INS_XCHG: return HD_LOCKED_XCHG;
    case X86_INS_CMPXCHG: return HD_LOCKED_CMPXCHG;
    case X86_INS_XADD: return HD_LOCKED_XADD;
    case X86_INS_ADD: return HD_LOCKED_ADD;
    case X86_INS_SUB: return HD_LOCKED_SUB;
    case X86_INS_AND: return HD_LOCKED_AND;
    case X86_INS_OR: return HD_LOCKED_OR;
    case X86_INS_XOR: return HD_LOCKED_XOR;
    case X86_INS_INC: return HD_LOCKED_INC;
    case X86_INS_DEC: return HD_LOCKED_DEC;
    case X86_INS_NEG: return HD_LOCKED_NEG;
    case X86_INS_NOT: return HD_LOCKED_NOT;
    case X86_INS_BTS: return HD_LOCKED_BTS;
    case X86_INS_BTR: return HD_LOCKED_BTR;
    case X86_INS_BTC: return HD_LOCKED_BTC;
    case X86_INS_CMPXCHG8B:
    case X86_INS_CMPXCHG16B: return HD_LOCKED_CMPXCHG_PAIR;
    default: return HD_LOCKED_OTHER;
    }
}

static const cs_x86_op *memory_of(const cs_x86 *x)
{
    for (uint8_t k = 0; k < x->op_count; k++)
        if (x->operands[k].type == X86_OP_MEM)
            return &x->operands[k];
    return NULL;
}

/* Rule L2: true if the operand is on the stack or thread-local. */
static bool is_own(const cs_x86_op *m)
{
    return m->mem.base == X86_REG_RSP || m->mem.segment == X86_REG_FS || m->mem.segment == X86_REG_GS;
}

static bool is_atomic(const cs_insn *insn, const cs_x86_op *m)
{
    return m != NULL && !is_own(m) &&
           (insn->detail->x86.prefix[0] == X86_PREFIX_LOCK || insn->id == X86_INS_XCHG);
}

static void note_other_operand(const cs_x86 *x, struct hd_locked_site *s)
{
    for (uint8_t k = 0; k < x->op_count; k++) {
        if (x->operands[k].type == X86_OP_REG)
            s->source = (uint8_t)number_of(x->operands[k].reg);
        else if (x->operands[k].type == X86_OP_IMM)
            s->value = x->operands[k].imm;
    }
}

static void note_site(struct search *f, const cs_insn *insn, const cs_x86_op *m)
{
    const cs_x86 *x = &insn->detail->x86;
    struct hd_locked_site *s;

    f->site = grown(f->site, f->nsites, &f->sites_room, sizeof *f->site);
    s = &f->site[f->nsites++];
    *s = (struct hd_locked_site){ .addr = insn->address, .length = (uint8_t)insn->size, .size = m->size,
                                  .op = (uint8_t)op_of(insn->id), .disp = (int32_t)m->mem.disp,
                                  .base = (uint8_t)number_of(m->mem.base), .index = (uint8_t)number_of(m->mem.index),
                                  .scale = (uint8_t)m->mem.scale, .source = HD_LOCKED_NONE };
    if (s->base == HD_LOCKED_RIP)
        s->disp_at = x->encoding.disp_offset;
    note_other_operand(x, s);
}

static void note_target(struct search *f, const cs_insn *insn)
{
    const cs_x86 *x = &insn->detail->x86;

    if (x->op_count != 1 || x->operands[0].type != X86_OP_IMM || !cs_insn_group(f->cs, insn, CS_GRP_JUMP))
        return;
    f->target = grown(f->target, f->ntargets, &f->targets_room, sizeof *f->target);
    f->target[f->ntargets++] = (uint64_t)x->operands[0].imm;
}

/* ---- one function -------------------------------------------------------------------------- */

/* True if the function may have atomic instructions.  Most functions contain none of these bytes and need not
 * be decoded. */
static bool may_have(const uint8_t *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i] == 0xf0 || at[i] == 0x86 || at[i] == 0x87)
            return true;
    return false;
}

static bool decode(struct search *f, const uint8_t *at, size_t left, uint64_t addr)
{
    f->nsites = f->ntargets = 0;
    while (left > 0) {
        if (!cs_disasm_iter(f->cs, &at, &left, &addr, f->insn))
            return false; /* rule L1: the function contains data */
        const cs_x86_op *m = memory_of(&f->insn->detail->x86);

        if (is_atomic(f->insn, m))
            note_site(f, f->insn, m);
        else
            note_target(f, f->insn);
    }
    return true;
}

/* Rule L3: determines whether a jump may replace the instruction. */
static void allow_jump(const struct search *f, struct hd_locked_site *s)
{
    for (size_t i = 0; i < f->ntargets; i++)
        if (f->target[i] > s->addr && f->target[i] < s->addr + s->length)
            return;
    if (s->length >= JUMP)
        s->moved = s->length;
}

/* True if the function contains inline assembly before which the runtime is already called (--asm=point). */
static bool is_point(struct hd_code *code, const struct hd_image_function *fn)
{
    struct hd_code_range range = { fn->addr, fn->size };
    struct hd_code_facts facts;

    hd_code_look(code, &range, 1, &facts, NULL, NULL);
    return facts.point;
}

static bool has_points(const struct hd_image *im)
{
    for (size_t i = 0; i < im->nslots; i++)
        if (strcmp(im->slot[i].name, "heddle_rt_assembly") == 0)
            return true;
    return false;
}

static void look(struct search *f, struct hd_code *code, void (*fn)(const struct hd_locked_site *, void *), void *arg)
{
    bool wanted = f->only == NULL;

    for (size_t i = 0; i < f->im.nfunctions; i++) {
        const struct hd_image_function *in = &f->im.function[i];
        const struct hd_image_section *s = hd_image_section(&f->im, in->addr);

        if (in->name != NULL)
            wanted = f->only == NULL || strcmp(in->name, f->only) == 0;
        if (!wanted || !in->certain || !may_have(s->bytes + (in->addr - s->addr), in->size) ||
            !decode(f, s->bytes + (in->addr - s->addr), in->size, in->addr) || f->nsites == 0 ||
            (code != NULL && is_point(code, in)))
            continue;
        for (size_t k = 0; k < f->nsites; k++) {
            allow_jump(f, &f->site[k]);
            fn(&f->site[k], arg);
        }
    }
}

bool hd_locked_scan(const char *path, const char *only, void (*fn)(const struct hd_locked_site *, void *), void *arg)
{
    struct search f = { .only = only };
    struct hd_code *code;

    if (!hd_image_open(&f.im, path))
        return false;
    hd_disassembler_open(&f.cs, &f.insn);
    code = has_points(&f.im) ? hd_code_open(&f.im) : NULL;
    look(&f, code, fn, arg);
    if (code != NULL)
        hd_code_close(code);
    hd_disassembler_close(&f.cs, f.insn);
    free(f.site);
    free(f.target);
    hd_image_close(&f.im);
    return true;
}
