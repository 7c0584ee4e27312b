/* SPDX-License-Identifier: BSD-2-Clause
 *
 * code.c - tracks the addresses that a function computes.
 *
 * In instrumented code, most memory operands without a hook refer to the function's own stack, thread-local
 * variables, constants or import tables.  To recognise these, the analysis classifies the content of each
 * register either as the address of memory that no other thread writes, or as unknown.  The state at the start
 * of a block is the meet of those at the ends of its predecessors.
 *
 * F1  A block without a known predecessor is entered through a switch table, an exception or longjmp.  Its
 *     state is the meet of the states at all calls and computed jumps.
 * F2  The stack pointer is always an address of the stack. */
#include "scan/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "scan/disassembler.h"

enum value { ANY, PRIVATE, CONSTANT, UNREACHED };
enum { REGISTERS = 16, NO_REGISTER = HD_CODE_NO_REGISTER };

struct state {
    uint8_t reg[REGISTERS];
};

enum flow { GOES_ON, JUMPS, BRANCHES, CALLS, ENDS, JUMPS_ANYWHERE };

/* What is known of the register `to` of struct ins after the instruction. */
enum effect {
    NONE, /* nothing, as of every other register that the instruction writes */
    SET,  /* `value` */
    COPY, /* what was known of the register `from` */
    KEEP, /* what was known of it before: for example, a pointer plus a constant */
    JOIN, /* what was known of the base or index of an operand */
};

struct operand {
    uint8_t base, index; /* NO_REGISTER: none */
    bool harmless;       /* the operand is private or constant, whatever the registers hold */
};

struct ins {
    uint64_t addr, target;
    uint8_t size, flow, effect, to, from, value;
    uint8_t noperands;
    uint32_t to_ins;     /* 1 + the index of the jump target within the function */
    bool leads_here;     /* a jump leads here */
    bool first;          /* first instruction of a range */
    struct operand operand[2];
    uint16_t written;    /* bits: the registers that it writes */
    const char *callee;
};

struct hd_code {
    const struct hd_image *image;
    csh cs;
    cs_insn *insn;
    struct ins *ins;
    struct state *in;
    size_t n, cap;
    size_t range[HD_CODE_RANGES]; /* first instruction of each range */
    unsigned nranges;
};

struct hd_code *hd_code_open(const struct hd_image *image)
{
    struct hd_code *c = hd_zeroed(1, sizeof *c);

    c->image = image;
    hd_disassembler_open(&c->cs, &c->insn);
    return c;
}

void hd_code_close(struct hd_code *c)
{
    hd_disassembler_close(&c->cs, c->insn);
    free(c->ins);
    free(c->in);
    free(c);
}

/* ---- registers --------------------------------------------------------------------------- */

static const struct {
    uint16_t q, d, w, b;
} names[REGISTERS] = {
    { X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL }, { X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL },
    { X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL }, { X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
    { X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL }, { X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
    { X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL }, { X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
    { X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B }, { X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
    { X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B }, { X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
    { X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B }, { X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
    { X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B }, { X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
};

enum { RSP = 4, RBP = 5 };
#define CALL_CLOBBERS 0x0fc7u /* all but rbx, rsp, rbp, r12 to r15 */

unsigned hd_code_register(unsigned reg)
{
    for (unsigned i = 0; i < REGISTERS; i++)
        if (reg == names[i].q || reg == names[i].d || reg == names[i].w || reg == names[i].b)
            return i;
    switch (reg) {
    case X86_REG_AH:
        return 0;
    case X86_REG_CH:
        return 1;
    case X86_REG_DH:
        return 2;
    case X86_REG_BH:
        return 3;
    default:
        return NO_REGISTER;
    }
}

static bool is_whole(unsigned reg)
{
    unsigned i = hd_code_register(reg);

    return i < REGISTERS && names[i].q == reg;
}

/* ---- one instruction --------------------------------------------------------------------------- */

static bool is_constant(const struct hd_image *im, uint64_t addr)
{
    const struct hd_image_section *s = hd_image_section(im, addr);

    return s != NULL && s->constant;
}

/* Returns the import to which a stub of the procedure linkage table jumps. */
static const char *import_behind(struct hd_code *c, uint64_t addr)
{
    const struct hd_image_section *s = hd_image_section(c->image, addr);
    const uint8_t *at;
    size_t left;

    if (s == NULL || !s->stubs || s->bytes == NULL)
        return NULL;
    at = s->bytes + (addr - s->addr);
    left = s->size - (addr - s->addr);
    for (int i = 0; i < 3 && cs_disasm_iter(c->cs, &at, &left, &addr, c->insn); i++) {
        const cs_x86 *x = &c->insn->detail->x86;

        if (c->insn->id == X86_INS_JMP && x->operands[0].type == X86_OP_MEM &&
            x->operands[0].mem.base == X86_REG_RIP)
            return hd_image_import(c->image, addr + (uint64_t)x->operands[0].mem.disp);
    }
    return NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void note_reference(const char *name, struct hd_code_facts *out)
{
    if (name == NULL)
        return;
    out->point |= strcmp(name, "heddle_rt_assembly") == 0;
    if (begins(name, "__tsan_")) {
        if (strcmp(name, "__tsan_func_entry") == 0 || strcmp(name, "__tsan_func_exit") == 0)
            out->entries = true;
        else if (strcmp(name, "__tsan_init") == 0)
            out->runtime_helper = true;
        else
            out->hooks = true;
    }
    if (begins(name, "_ITM_") || strcmp(name, "__gmon_start__") == 0 || strcmp(name, "__cxa_finalize") == 0 ||
        strcmp(name, "__libc_start_main") == 0)
        out->runtime_helper = true;
}

static bool touches_nothing(const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_NOP:
    case X86_INS_LEA:
    case X86_INS_PREFETCH:
    case X86_INS_PREFETCHW:
    case X86_INS_PREFETCHNTA:
    case X86_INS_PREFETCHT0:
    case X86_INS_PREFETCHT1:
    case X86_INS_PREFETCHT2:
        return true;
    default:
        return insn->detail->x86.op_count == 0 && insn->id != X86_INS_XLATB;
    }
}

static void note_memory(struct hd_code *c, struct ins *i, const cs_x86_op *op, uint64_t next,
                        struct hd_code_facts *out)
{
    struct operand *o = &i->operand[i->noperands];
    uint64_t target;

    if (i->noperands == 2)
        return;
    i->noperands++;
    *o = (struct operand){ (uint8_t)hd_code_register(op->mem.base), (uint8_t)hd_code_register(op->mem.index), false };
    if (op->mem.segment == X86_REG_FS) {
        o->harmless = true; /* a thread-local variable */
    } else if (op->mem.base == X86_REG_RIP) {
        target = next + (uint64_t)op->mem.disp;
        o->harmless = is_constant(c->image, target);
        note_reference(hd_image_import(c->image, target), out);
    } else if (c->image->fixed && op->mem.disp > 0) {
        o->harmless = is_constant(c->image, (uint64_t)op->mem.disp);
        if (o->base == NO_REGISTER && o->index == NO_REGISTER)
            note_reference(hd_image_import(c->image, (uint64_t)op->mem.disp), out);
    }
}

static void note_flow(struct hd_code *c, struct ins *i, const cs_insn *insn)
{
    const cs_x86 *x = &insn->detail->x86;
    bool direct = x->op_count == 1 && x->operands[0].type == X86_OP_IMM;
    uint8_t group = 0;

    for (uint8_t k = 0; k < insn->detail->groups_count; k++)
        if (insn->detail->groups[k] == CS_GRP_CALL || insn->detail->groups[k] == CS_GRP_RET ||
            insn->detail->groups[k] == CS_GRP_JUMP || insn->detail->groups[k] == CS_GRP_IRET)
            group = insn->detail->groups[k];
    if (direct)
        i->target = (uint64_t)x->operands[0].imm;
    if (insn->id == X86_INS_JMP)
        i->flow = direct ? JUMPS : JUMPS_ANYWHERE;
    else if (group == CS_GRP_CALL)
        i->flow = CALLS;
    else if (group == CS_GRP_RET || group == CS_GRP_IRET || insn->id == X86_INS_UD2 || insn->id == X86_INS_HLT)
        i->flow = ENDS;
    else if (group == CS_GRP_JUMP || (direct && (insn->id == X86_INS_LOOP || insn->id == X86_INS_JRCXZ)))
        i->flow = BRANCHES;
    if ((i->flow == CALLS || i->flow == JUMPS) && direct)
        i->callee = import_behind(c, i->target);
    else if (i->flow == CALLS && x->operands[0].type == X86_OP_MEM && x->operands[0].mem.base == X86_REG_RIP)
        i->callee = hd_image_import(c->image, i->addr + i->size + (uint64_t)x->operands[0].mem.disp);
}

/* Determines the effect on the first operand, if that may still be an address of private memory. */
static void note_effect(struct hd_code *c, struct ins *i, const cs_insn *insn)
{
    const cs_x86_op *op = insn->detail->x86.operands;
    unsigned n = insn->detail->x86.op_count;

    if (n == 0 || op[0].type != X86_OP_REG || !is_whole(op[0].reg))
        return;
    i->to = (uint8_t)hd_code_register(op[0].reg);
    switch (insn->id) {
    case X86_INS_MOV:
    case X86_INS_MOVABS:
        if (op[1].type == X86_OP_REG && is_whole(op[1].reg)) {
            i->effect = COPY;
            i->from = (uint8_t)hd_code_register(op[1].reg);
        } else if (op[1].type == X86_OP_MEM && op[1].mem.segment == X86_REG_FS &&
                   op[1].mem.base == X86_REG_INVALID && op[1].mem.index == X86_REG_INVALID && op[1].mem.disp == 0) {
            i->effect = SET; /* the address of the thread control block */
            i->value = PRIVATE;
        } else if (op[1].type == X86_OP_IMM && c->image->fixed && is_constant(c->image, (uint64_t)op[1].imm)) {
            i->effect = SET;
            i->value = CONSTANT;
        }
        break;
    case X86_INS_LEA:
        if (op[1].mem.base == X86_REG_RIP) {
            i->effect = SET;
            i->value = is_constant(c->image, i->addr + i->size + (uint64_t)op[1].mem.disp) ? CONSTANT : ANY;
        } else {
            i->effect = JOIN; /* computed from base and index, one of which is an address */
            i->operand[0] = (struct operand){ (uint8_t)hd_code_register(op[1].mem.base),
                                              (uint8_t)hd_code_register(op[1].mem.index), true };
        }
        break;
    case X86_INS_ADD:
    case X86_INS_SUB:
    case X86_INS_AND:
    case X86_INS_SHL:
    case X86_INS_SHR:
    case X86_INS_OR:
        if (n == 2 && op[1].type == X86_OP_IMM) {
            i->effect = KEEP;
        } else if (n == 2 && op[1].type == X86_OP_REG && (insn->id == X86_INS_ADD || insn->id == X86_INS_SUB)) {
            i->effect = JOIN;
            i->operand[1] = (struct operand){ i->to, (uint8_t)hd_code_register(op[1].reg), true };
        }
        break;
    default:
        break;
    }
}

static void note_written(struct hd_code *c, struct ins *i, const cs_insn *insn)
{
    cs_regs read, write;
    uint8_t nread, nwrite;

    if (cs_regs_access(c->cs, insn, read, &nread, write, &nwrite) != CS_ERR_OK) {
        i->written = 0xffff;
        return;
    }
    for (uint8_t k = 0; k < nwrite; k++)
        if (hd_code_register(write[k]) < REGISTERS)
            i->written |= (uint16_t)(1u << hd_code_register(write[k]));
    if (i->flow == CALLS)
        i->written |= CALL_CLOBBERS;
}

static void note_immediates(struct hd_code *c, const cs_x86 *x, struct hd_code_facts *out)
{
    for (uint8_t k = 0; c->image->fixed && k < x->op_count; k++)
        if (x->operands[k].type == X86_OP_IMM)
            note_reference(hd_image_import(c->image, (uint64_t)x->operands[k].imm), out);
}

/* True for transactional instructions that heddle cc has not replaced (program/transactions.h). */
static bool is_transactional(unsigned id)
{
    return id == X86_INS_XBEGIN || id == X86_INS_XEND || id == X86_INS_XABORT || id == X86_INS_XTEST;
}

static void note_instruction(struct hd_code *c, struct ins *i, const cs_insn *insn, struct hd_code_facts *out)
{
    const cs_x86 *x = &insn->detail->x86;
    bool memory = false;

    *i = (struct ins){ .addr = insn->address, .size = (uint8_t)insn->size };
    note_flow(c, i, insn);
    note_reference(i->callee, out);
    note_immediates(c, x, out);
    for (uint8_t k = 0; k < x->op_count; k++)
        if (x->operands[k].type == X86_OP_MEM) {
            memory = true;
            if (touches_nothing(insn))
                continue;
            note_memory(c, i, &x->operands[k], insn->address + insn->size, out);
        }
    out->locked |= x->prefix[0] == X86_PREFIX_LOCK || (insn->id == X86_INS_XCHG && memory) || is_transactional(insn->id);
    out->syscall |= insn->id == X86_INS_SYSCALL || insn->id == X86_INS_SYSENTER ||
                    (insn->id == X86_INS_INT && x->operands[0].imm == 0x80);
    note_effect(c, i, insn);
    note_written(c, i, insn);
}

/* ---- decoding ------------------------------------------------------------------------------------ */

static struct ins *next_ins(struct hd_code *c)
{
    if (c->n == c->cap) {
        c->cap = 2 * c->cap + 1024;
        c->ins = hd_resized(c->ins, c->cap, sizeof *c->ins);
        c->in = hd_resized(c->in, c->cap, sizeof *c->in);
    }
    return &c->ins[c->n++];
}

static void decode(struct hd_code *c, const struct hd_code_range *r, struct hd_code_facts *out)
{
    const struct hd_image_section *s = hd_image_section(c->image, r->addr);
    const uint8_t *at = s->bytes + (r->addr - s->addr);
    size_t left = r->size, first = c->n;
    uint64_t addr = r->addr;

    while (left > 0) {
        if (!cs_disasm_iter(c->cs, &at, &left, &addr, c->insn)) {
            /* An unknown instruction may do anything. */
            out->accesses = true;
            at++, left--, addr++;
            continue;
        }
        note_instruction(c, next_ins(c), c->insn, out);
    }
    if (c->n > first) {
        c->ins[first].first = true;
        c->range[c->nranges++] = first;
    }
}

static struct ins *at_address(struct hd_code *c, uint64_t addr)
{
    for (unsigned r = 0; r < c->nranges; r++) { /* instructions are sorted within each range */
        size_t lo = c->range[r], hi = r + 1 < c->nranges ? c->range[r + 1] : c->n;

        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;

            if (c->ins[mid].addr == addr)
                return &c->ins[mid];
            if (c->ins[mid].addr < addr)
                lo = mid + 1;
            else
                hi = mid;
        }
    }
    return NULL;
}

static bool falls_through(const struct ins *i)
{
    return i->flow == GOES_ON || i->flow == BRANCHES || i->flow == CALLS;
}

/* ---- values --------------------------------------------------------------------------------------- */

static const struct state unreached = { { UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED,
                                          UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED,
                                          UNREACHED, UNREACHED, UNREACHED, UNREACHED } };

/* Replaces the state by its meet with `with`.  Returns true if that changes it. */
static bool meet(struct state *into, const struct state *with)
{
    bool changed = false;

    for (unsigned r = 0; r < REGISTERS; r++) {
        uint8_t a = into->reg[r], b = with->reg[r];
        uint8_t m = a == UNREACHED ? b : b == UNREACHED || a == b ? a : ANY;

        changed |= m != a;
        into->reg[r] = m;
    }
    return changed;
}

static uint8_t value_of(const struct state *s, unsigned reg)
{
    return reg < REGISTERS ? s->reg[reg] : ANY;
}

/* Returns the class of an address that is computed from a base and an index. */
static uint8_t joined(const struct state *s, const struct operand *o)
{
    uint8_t base = value_of(s, o->base), index = value_of(s, o->index);

    return base != ANY ? base : index;
}

static void step(const struct ins *i, struct state *s)
{
    uint8_t kept = ANY;

    switch (i->effect) {
    case SET:
        kept = i->value;
        break;
    case COPY:
        kept = value_of(s, i->from);
        break;
    case KEEP:
        kept = value_of(s, i->to);
        break;
    case JOIN:
        kept = joined(s, i->operand[1].harmless ? &i->operand[1] : &i->operand[0]);
        break;
    default:
        break;
    }
    for (unsigned r = 0; r < REGISTERS; r++)
        if (i->written >> r & 1)
            s->reg[r] = ANY;
    if (i->effect != NONE)
        s->reg[i->to] = kept;
    s->reg[RSP] = PRIVATE; /* rule F2: always an address of the stack */
}

/* Goes through all blocks once.  Returns true if something changed. */
static bool flow_once(struct hd_code *c, struct state *anywhere)
{
    bool changed = false;
    struct state s = unreached;

    for (size_t k = 0; k < c->n; k++) {
        struct ins *i = &c->ins[k];
        bool falls = k > 0 && !i->first && falls_through(&c->ins[k - 1]);

        if (falls)
            changed |= meet(&c->in[k], &s);
        if (!falls && !i->leads_here && k > 0)
            changed |= meet(&c->in[k], anywhere); /* rule F1: the block has no known predecessor */
        s = c->in[k];
        step(i, &s);
        if (i->flow == CALLS || i->flow == JUMPS_ANYWHERE)
            changed |= meet(anywhere, &s);
        if (i->to_ins != 0)
            changed |= meet(&c->in[i->to_ins - 1], &s);
    }
    return changed;
}

static void find_values(struct hd_code *c)
{
    struct state entry = { { ANY } }, anywhere = unreached;

    entry.reg[RSP] = PRIVATE;
    for (size_t k = 0; k < c->n; k++)
        c->in[k] = unreached;
    c->in[0] = entry;
    while (flow_once(c, &anywhere))
        continue;
    for (size_t k = 0; k < c->n; k++)
        if (c->in[k].reg[RSP] == UNREACHED) /* no predecessor was found, so it may be entered from outside */
            c->in[k] = entry;
    while (flow_once(c, &anywhere))
        continue;
}

static bool accesses(const struct hd_code *c)
{
    for (size_t k = 0; k < c->n; k++)
        for (uint8_t n = 0; n < c->ins[k].noperands; n++) {
            const struct operand *o = &c->ins[k].operand[n];

            if (!o->harmless && joined(&c->in[k], o) == ANY)
                return true;
        }
    return false;
}

/* ---- the function ------------------------------------------------------------------------------------ */

static void find_targets(struct hd_code *c)
{
    for (size_t k = 0; k < c->n; k++)
        if (c->ins[k].flow == JUMPS || c->ins[k].flow == BRANCHES) {
            struct ins *to = at_address(c, c->ins[k].target);

            if (to == NULL)
                continue;
            to->leads_here = true;
            c->ins[k].to_ins = (uint32_t)(to - c->ins) + 1;
        }
}

static bool is_setjmp(const char *name)
{
    return name != NULL && strstr(name, "setjmp") != NULL;
}

static void tell_resumes(const struct hd_code *c, void (*resume)(uint64_t, void *), void *arg)
{
    for (size_t k = 1; k < c->n; k++) {
        const struct ins *i = &c->ins[k], *before = i - 1;
        bool falls = !i->first && falls_through(before);

        if ((!falls && !i->leads_here) || (falls && before->flow == CALLS && is_setjmp(before->callee)))
            resume(i->addr, arg);
    }
}

void hd_code_look(struct hd_code *c, const struct hd_code_range *range, unsigned n,
                  struct hd_code_facts *out, void (*resume)(uint64_t, void *), void *arg)
{
    *out = (struct hd_code_facts){ 0 };
    HD_INVARIANT(n <= HD_CODE_RANGES, "a function is in too many pieces");
    c->n = c->nranges = 0;
    for (unsigned i = 0; i < n; i++)
        decode(c, &range[i], out);
    if (c->n == 0)
        return;
    find_targets(c);
    if (!out->hooks && !out->accesses) {
        find_values(c);
        out->accesses = accesses(c);
    }
    if (resume != NULL)
        tell_resumes(c, resume, arg);
}
