/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locals.c - finds the local variable at a stack address.  Only considers variables with one
 * location for their whole lifetime.  A variable whose address another thread has is of that kind. */
#include <dwarf.h>

#include "report/names/members.h"
#include "report/names/scopes.h"

enum { MAX_DEPTH = 16, R_RBP = 6, R_RSP = 7 };

struct search {
    Dwarf_Addr pc; /* as an address of the file, i.e. without the load bias */
    uint64_t base; /* the frame base of the function */
    uint64_t addr;
    Dwarf_Die *out, *function;
    uint64_t inside;
};

/* Finds the location expression of the variable at that pc.  Returns the number of its operations,
 * 0 if there is none. */
static size_t location_at(Dwarf_Die *die, unsigned name, Dwarf_Addr pc, Dwarf_Op **expr)
{
    Dwarf_Attribute attr;
    size_t n = 0;

    if (dwarf_attr_integrate(die, name, &attr) == NULL ||
        dwarf_getlocation_addr(&attr, pc, expr, &n, 1) != 1)
        return 0;
    return n;
}

static bool frame_base(Dwarf_Die *function, const struct hd_local_frame *f, Dwarf_Addr pc,
                       uint64_t *base)
{
    Dwarf_Op *expr;

    if (location_at(function, DW_AT_frame_base, pc, &expr) != 1)
        return false;
    switch (expr[0].atom) {
    case DW_OP_call_frame_cfa:
        *base = f->cfa;
        return true;
    case DW_OP_reg0 + R_RBP:
        *base = f->rbp;
        return true;
    case DW_OP_reg0 + R_RSP:
        *base = f->rsp;
        return true;
    case DW_OP_breg0 + R_RBP:
        *base = f->rbp + expr[0].number;
        return true;
    default:
        return false;
    }
}

static bool holds(struct search *s, Dwarf_Die *variable)
{
    Dwarf_Attribute attr;
    Dwarf_Die type;
    Dwarf_Word size;
    Dwarf_Op *expr;

    if (location_at(variable, DW_AT_location, s->pc, &expr) != 1 || expr[0].atom != DW_OP_fbreg ||
        dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &attr), &type) == NULL ||
        dwarf_peel_type(&type, &type) != 0 || dwarf_aggregate_size(&type, &size) != 0)
        return false;
    s->inside = s->addr - (s->base + expr[0].number);
    return s->inside < size;
}

/* Finds the variable in the scope and the scopes inside it.  *s->function becomes the innermost
 * function around it, which may be an inlined one. */
static bool search_scope(struct search *s, Dwarf_Die *scope, Dwarf_Die *function, int depth)
{
    Dwarf_Die die;

    if (depth == MAX_DEPTH || dwarf_child(scope, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);

        if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && holds(s, &die)) {
            *s->out = die;
            *s->function = *function;
            return true;
        }
        if (tag == DW_TAG_lexical_block && search_scope(s, &die, function, depth + 1))
            return true;
        if (tag == DW_TAG_inlined_subroutine && search_scope(s, &die, &die, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool function_at(Dwarf_Die *parent, Dwarf_Addr pc, Dwarf_Die *out, int depth)
{
    Dwarf_Die die;

    if (depth == MAX_DEPTH || dwarf_child(parent, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);

        if (tag == DW_TAG_subprogram && dwarf_haspc(&die, pc) == 1) {
            *out = die;
            return true;
        }
        if ((tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type) &&
            function_at(&die, pc, out, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

bool hd_local_find(Dwfl_Module *m, const struct hd_local_frame *f, uint64_t addr, Dwarf_Die *out,
                   Dwarf_Die *function, uint64_t *inside)
{
    Dwarf_Addr bias;
    Dwarf_Die *cu = hd_unit_of(m, f->pc, &bias), outer;
    struct search s = { .pc = f->pc - bias, .addr = addr, .out = out, .function = function };

    if (cu == NULL || !function_at(cu, s.pc, &outer, 0) || !frame_base(&outer, f, s.pc, &s.base) ||
        !search_scope(&s, &outer, &outer, 0))
        return false;
    *inside = s.inside;
    return true;
}
