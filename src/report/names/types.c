/* SPDX-License-Identifier: BSD-2-Clause
 *
 * types.c - the type of a variable in C syntax: recognisable, not necessarily compilable. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "report/names/members.h"

enum { MAX_DEPTH = 8 };

static void put_type_of(Dwarf_Die *holder, char *buf, size_t cap, int depth);

static void put_named(const char *keyword, Dwarf_Die *type, char *buf, size_t cap)
{
    const char *name = dwarf_diename(type);
    Dwarf_Die unit;
    bool plain = dwarf_diecu(type, &unit, NULL, NULL) != NULL &&
                 dwarf_srclang(&unit) >= DW_LANG_C89 && dwarf_srclang(&unit) != DW_LANG_C_plus_plus;

    if (name == NULL)
        snprintf(buf, cap, "%s", keyword);
    else
        snprintf(buf, cap, "%s%s%s", plain ? keyword : "", plain && keyword[0] != '\0' ? " " : "", name);
}

/* Writes "const int", but "int * const". */
static void put_qualified(const char *word, Dwarf_Die *type, char *buf, size_t cap, int depth)
{
    char inner[128];

    put_type_of(type, inner, sizeof inner, depth);
    if (strchr(inner, '*') != NULL)
        snprintf(buf, cap, "%s %s", inner, word);
    else
        snprintf(buf, cap, "%s %s", word, inner);
}

static void put_derived(Dwarf_Die *type, const char *mark, char *buf, size_t cap, int depth)
{
    char inner[128];
    size_t n;

    put_type_of(type, inner, sizeof inner, depth);
    n = strlen(inner);
    snprintf(buf, cap, "%s%s%s", inner, n > 0 && inner[n - 1] == '*' ? "" : " ", mark);
}

static void put_type(Dwarf_Die *type, char *buf, size_t cap, int depth)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
        put_derived(type, "*", buf, cap, depth + 1);
        break;
    case DW_TAG_reference_type:
        put_derived(type, "&", buf, cap, depth + 1);
        break;
    case DW_TAG_array_type:
        put_derived(type, "[]", buf, cap, depth + 1);
        break;
    case DW_TAG_const_type:
        put_qualified("const", type, buf, cap, depth + 1);
        break;
    case DW_TAG_volatile_type:
        put_qualified("volatile", type, buf, cap, depth + 1);
        break;
    case DW_TAG_atomic_type:
        put_qualified("_Atomic", type, buf, cap, depth + 1);
        break;
    case DW_TAG_structure_type:
        put_named("struct", type, buf, cap);
        break;
    case DW_TAG_union_type:
        put_named("union", type, buf, cap);
        break;
    case DW_TAG_enumeration_type:
        put_named("enum", type, buf, cap);
        break;
    case DW_TAG_subroutine_type:
        snprintf(buf, cap, "function");
        break;
    default:
        put_named("", type, buf, cap);
    }
}

/* Writes the type of the holder.  A missing type means void. */
static void put_type_of(Dwarf_Die *holder, char *buf, size_t cap, int depth)
{
    Dwarf_Attribute attr;
    Dwarf_Die type;

    if (depth == MAX_DEPTH)
        snprintf(buf, cap, "...");
    else if (dwarf_formref_die(dwarf_attr_integrate(holder, DW_AT_type, &attr), &type) == NULL)
        snprintf(buf, cap, "void");
    else
        put_type(&type, buf, cap, depth);
}

void hd_type_text(Dwarf_Die *of, char *buf, size_t cap)
{
    put_type_of(of, buf, cap, 0);
}
