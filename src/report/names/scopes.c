/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scopes.c - finds the functions around a code address: the one that contains it, and those inlined
 * there. */
#include "report/names/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

/* clang writes no table of address ranges (.debug_aranges).  In that case the function searches the
 * units themselves. */
Dwarf_Die *hd_unit_of(Dwfl_Module *m, uint64_t addr, Dwarf_Addr *bias)
{
    Dwarf_Die *cu = dwfl_module_addrdie(m, addr, bias);

    if (cu != NULL)
        return cu;
    while ((cu = dwfl_module_nextcu(m, cu, bias)) != NULL)
        if (dwarf_haspc(cu, addr - *bias) == 1)
            return cu;
    return NULL;
}

struct sought {
    Dwarf_Addr pc;
    Dwarf_Die *function;
    bool found;
};

static int take_function(Dwarf_Die *die, void *arg)
{
    struct sought *s = arg;

    if (dwarf_haspc(die, s->pc) != 1)
        return DWARF_CB_OK;
    *s->function = *die;
    s->found = true;
    return DWARF_CB_ABORT;
}

/* Finds the innermost scope at pc.  Debug information describes the body of a lambda inside its
 * enclosing function, but the body is outside that function's address range.  So dwarf_getscopes,
 * which follows address ranges, does not find it. */
static bool search_scope(Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die *out)
{
    struct sought s = { pc, out, false };
    Dwarf_Die child;

    dwarf_getfuncs(cu, take_function, &s, 0);
    int rest = s.found ? dwarf_child(out, &child) : 1;

    while (rest == 0) {
        int tag = dwarf_tag(&child);

        if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
            dwarf_haspc(&child, pc) == 1) {
            *out = child;
            rest = dwarf_child(out, &child);
        } else {
            rest = dwarf_siblingof(&child, &child);
        }
    }
    return s.found;
}

/* Finds the innermost scope at pc.  After an inlined function, dwarf_getscopes continues with the
 * scopes of its definition and not with its callers.  So only its innermost scope is used:
 * dwarf_getscopes_die returns the chain of inlining for it.  *lambda: search_scope found the scope. */
static bool innermost_scope(Dwfl_Module *m, Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die *out, bool *lambda)
{
    Dwarf_Die *scopes = NULL;
    Dwarf_Addr bias;
    bool found = dwarf_getscopes(cu, pc, &scopes) > 0 && dwarf_tag(&scopes[0]) != DW_TAG_compile_unit &&
                 dwarf_offdie(dwfl_module_getdwarf(m, &bias), dwarf_dieoffset(&scopes[0]), out) != NULL;

    free(scopes);
    *lambda = !found;
    return found || search_scope(cu, pc, out);
}

unsigned hd_function_scopes(Dwfl_Module *m, Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die *out, unsigned max,
                            bool *lambda)
{
    Dwarf_Die *scopes = NULL, innermost;
    int count = innermost_scope(m, cu, pc, &innermost, lambda) ? dwarf_getscopes_die(&innermost, &scopes) : 0;
    unsigned n = 0;

    for (int i = 0; i < count && n < max; i++) {
        int tag = dwarf_tag(&scopes[i]);

        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        out[n++] = scopes[i];
        if (tag == DW_TAG_subprogram)
            break;
    }
    free(scopes);
    return n;
}
