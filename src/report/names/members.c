/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.c - turns "pool+0x28" into "pool.lock" with the types in the debug information.  The path
 * ends before a name that is reserved for the implementation: "lock", not "lock.__data.__lock". */
#include "report/names/members.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <string.h>

/* A limit, because reading all units of a very large program for one name would take seconds. */
#define MAX_UNITS 1000

enum { MAX_DEPTH = 8 };

/* ---- finding the variable -------------------------------------------------------------------- */

static bool lies_at(Dwarf_Die *die, uint64_t addr)
{
    Dwarf_Attribute location, index;
    Dwarf_Op *expr;
    size_t len;
    Dwarf_Addr value;

    if (dwarf_attr(die, DW_AT_location, &location) == NULL ||
        dwarf_getlocation(&location, &expr, &len) != 0 || len != 1)
        return false;
    if (expr[0].atom == DW_OP_addr)
        return expr[0].number == addr;
    return expr[0].atom == DW_OP_addrx && dwarf_getlocation_attr(&location, expr, &index) == 0 &&
           dwarf_formaddr(&index, &value) == 0 && value == addr;
}

static bool may_hold_variables(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

static bool find_variable(Dwarf_Die *parent, uint64_t addr, Dwarf_Die *out, int depth)
{
    Dwarf_Die die;

    if (depth == MAX_DEPTH || dwarf_child(parent, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);

        if (tag == DW_TAG_variable && lies_at(&die, addr)) {
            *out = die;
            return true;
        }
        if (may_hold_variables(tag) && find_variable(&die, addr, out, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* ---- descending into its type ------------------------------------------------------------------ */

struct path {
    char *buf;
    size_t cap, used;
    Dwarf_Die leaf; /* the variable or member at which the path ends: it has the type */
};

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attr;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), type) != NULL &&
           dwarf_peel_type(type, type) == 0;
}

static bool walk(struct path *p, Dwarf_Die *type, uint64_t off, int depth);

static bool append(struct path *p, const char *text)
{
    size_t n = strlen(text);

    if (p->used + n + 1 > p->cap)
        return false;
    memcpy(p->buf + p->used, text, n + 1);
    p->used += n;
    return true;
}

static bool into_member(struct path *p, Dwarf_Die *member, uint64_t off, int depth)
{
    const char *name = dwarf_diename(member);
    Dwarf_Die type;

    if (!type_of(member, &type))
        return off == 0;
    if (name == NULL || dwarf_tag(member) == DW_TAG_inheritance)
        return walk(p, &type, off, depth + 1); /* an unnamed union or a base class: adds no name */
    if (name[0] == '_')
        return true;
    p->leaf = *member;
    return append(p, ".") && append(p, name) && walk(p, &type, off, depth + 1);
}

static bool into_struct(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    Dwarf_Die member, member_type;

    if (dwarf_child(type, &member) != 0)
        return off == 0;
    do {
        Dwarf_Attribute attr;
        Dwarf_Word at = 0, size;

        if (dwarf_tag(&member) != DW_TAG_member && dwarf_tag(&member) != DW_TAG_inheritance)
            continue;
        dwarf_formudata(dwarf_attr_integrate(&member, DW_AT_data_member_location, &attr), &at);
        if (type_of(&member, &member_type) && dwarf_aggregate_size(&member_type, &size) == 0 &&
            off >= at && off - at < size)
            return into_member(p, &member, off - at, depth);
    } while (dwarf_siblingof(&member, &member) == 0);
    return off == 0;
}

static bool into_array(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    Dwarf_Die element;
    Dwarf_Word size;
    char index[32];

    if (!type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || size == 0)
        return off == 0;
    p->leaf = *type;
    snprintf(index, sizeof index, "[%llu]", (unsigned long long)(off / size));
    return append(p, index) && walk(p, &element, off % size, depth + 1);
}

static bool walk(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    if (depth == MAX_DEPTH)
        return off == 0;
    switch (dwarf_tag(type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
        return into_struct(p, type, off, depth);
    case DW_TAG_array_type:
        return into_array(p, type, off, depth);
    default:
        return off == 0;
    }
}

bool hd_member_path(Dwarf_Die *variable, uint64_t inside, char *buf, size_t cap, char *text,
                    size_t text_cap)
{
    struct path p = { buf, cap, strlen(buf), *variable };
    size_t before = p.used;
    Dwarf_Die type;

    if (type_of(variable, &type) && walk(&p, &type, inside, 0)) {
        if (text != NULL)
            hd_type_text(&p.leaf, text, text_cap);
        return true;
    }
    buf[before] = '\0';
    return false;
}

bool hd_member_variable(Dwfl_Module *m, uint64_t addr, Dwarf_Die *out)
{
    Dwarf_Die *cu = NULL;
    Dwarf_Addr bias;

    for (int i = 0; i < MAX_UNITS && (cu = dwfl_module_nextcu(m, cu, &bias)) != NULL; i++)
        if (find_variable(cu, addr - bias, out, 0))
            return true;
    return false;
}
