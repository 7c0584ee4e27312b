/* SPDX-License-Identifier: BSD-2-Clause
 *
 * instruction_test.c - the runtime's decoder against Capstone, over the code of this program: where it claims
 * to know an instruction, its length is right, it misses no register that is read or changed and no load, and it
 * claims no register to be written as a whole that is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/sys/instruction.c"
#include "scan/code.h"
#include "scan/disassembler.h"

extern char __executable_start[], etext[];

static uint32_t set_of(const uint16_t *reg, unsigned n, bool wide)
{
    uint32_t set = 0;

    for (unsigned k = 0; k < n; k++) {
        unsigned r = hd_code_register(reg[k]);
        bool whole = (reg[k] >= X86_REG_EAX && reg[k] <= X86_REG_EDX) || reg[k] == X86_REG_ESI || reg[k] == X86_REG_EDI ||
                     reg[k] == X86_REG_EBP || reg[k] == X86_REG_ESP || (reg[k] >= X86_REG_R8D && reg[k] <= X86_REG_R15D) ||
                     (reg[k] >= X86_REG_RAX && reg[k] <= X86_REG_RSP) || (reg[k] >= X86_REG_R8 && reg[k] <= X86_REG_R15);

        if (r < 16 && (!wide || whole))
            set |= 1u << r;
    }
    return set;
}

static bool has_group(const cs_insn *i, uint8_t group)
{
    for (uint8_t k = 0; k < i->detail->groups_count; k++)
        if (i->detail->groups[k] == group)
            return true;
    return false;
}

static void wrong(const cs_insn *i, const char *what)
{
    fail_msg("%s %s at %llx: %s", i->mnemonic, i->op_str, (unsigned long long)i->address, what);
}

static void compare_memory(const cs_insn *c, const struct hd_instruction *i)
{
    const cs_x86 *x = &c->detail->x86;

    for (uint8_t k = 0; k < x->op_count; k++) {
        const cs_x86_op *o = &x->operands[k];

        if (o->type != X86_OP_MEM || c->id == X86_INS_NOP || o->mem.segment == X86_REG_FS)
            continue;
        if (o->mem.base != X86_REG_RIP && hd_code_register(o->mem.base) != i->base)
            wrong(c, "base");
        if ((o->mem.index != X86_REG_INVALID) != i->indexed)
            wrong(c, "index");
        if (o->mem.base == X86_REG_RIP && i->address != (uintptr_t)i->next + (uintptr_t)o->mem.disp)
            wrong(c, "address");
        if (i->base != HD_NO_REGISTER && i->offset != o->mem.disp)
            wrong(c, "offset");
        if (c->id == X86_INS_LEA)
            continue;
        /* Capstone 4 takes the first operand of a move from a vector register for one that is read. */
        bool moves = k == 0 && x->op_count == 2 && x->operands[1].type == X86_OP_REG &&
                     x->operands[1].reg >= X86_REG_XMM0 && x->operands[1].reg <= X86_REG_XMM31 &&
                     strncmp(c->mnemonic, "mov", 3) == 0;

        if (o->access & CS_AC_READ && !i->loads && !moves)
            wrong(c, "a load is missed");
        if (i->loads && i->size < o->size)
            wrong(c, "a load is too small");
        if (i->stores && i->size > o->size)
            wrong(c, "a store is too large");
    }
}

static void compare(csh cs, const cs_insn *c, const struct hd_instruction *i)
{
    cs_regs read, write;
    uint8_t nread, nwrite;
    uint32_t but_stack = ~(1u << HD_RSP);

    assert_int_equal(cs_regs_access(cs, c, read, &nread, write, &nwrite), CS_ERR_OK);
    bool clears = (c->id == X86_INS_XOR || c->id == X86_INS_SUB) && nread == 1 && i->reads == 0;

    if (i->next != (const uint8_t *)(uintptr_t)(c->address + c->size))
        wrong(c, "length");
    if (!clears && c->id != X86_INS_NOP && c->id != X86_INS_ENDBR64 && c->id != X86_INS_CALL && set_of(read, nread, false) & ~i->reads & but_stack)
        wrong(c, "a register that is read is missed");
    if (i->writes & ~set_of(write, nwrite, true) & but_stack)
        wrong(c, "a register is not written as a whole");
    if (set_of(write, nwrite, false) & ~i->changes & but_stack)
        wrong(c, "a register that changes is missed");
    if (set_of(write, nwrite, false) & ~but_stack && !(i->changes & ~but_stack) && i->shift == 0 && i->flow == HD_CODE_ON)
        wrong(c, "a change of the stack pointer is missed");
    if (has_group(c, CS_GRP_JUMP) != (i->flow == HD_CODE_JUMPS || i->flow == HD_CODE_BRANCHES) ||
        has_group(c, CS_GRP_CALL) != (i->flow == HD_CODE_CALLS) || has_group(c, CS_GRP_RET) != (i->flow == HD_CODE_RETURNS))
        wrong(c, "flow");
    if (i->target != NULL && (uintptr_t)i->target != (uintptr_t)c->detail->x86.operands[0].imm)
        wrong(c, "target");
    compare_memory(c, i);
}

static void test_agrees_with_capstone(void **state)
{
    const uint8_t *at = (const uint8_t *)__executable_start + 0x1000;
    uint64_t addr = (uintptr_t)at, all = 0, known = 0;
    size_t left = (size_t)(etext - (const char *)at);
    cs_insn *insn;
    csh cs;

    (void)state;
    hd_disassembler_open(&cs, &insn);
    while (left > 0) {
        struct hd_instruction i;

        if (!cs_disasm_iter(cs, &at, &left, &addr, insn)) {
            at++, addr++, left--;
            continue;
        }
        all++;
        if (hd_instruction_read((const uint8_t *)(uintptr_t)insn->address, &i)) {
            known++;
            compare(cs, insn, &i);
        }
    }
    hd_disassembler_close(&cs, insn);
    assert_true(known > 10000 && known * 10 > all * 9); /* most of ordinary code */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_agrees_with_capstone) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
