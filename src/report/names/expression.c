/* SPDX-License-Identifier: BSD-2-Clause
 *
 * expression.c - follows an expression of the source through the debug information.  Scopes are not distinguished
 * exactly: if several variables of a function have the same name, the first one counts. */
#include "report/names/expression.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 8, NAME_MAX_LENGTH = 96 };

/* ---- names -------------------------------------------------------------------------------------- */

static bool is_variable(int tag)
{
    return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* Finds the variable in a scope and the blocks inside it, not in functions inlined there. */
static bool variable_in(Dwarf_Die *scope, const char *name, Dwarf_Die *out, int depth)
{
    Dwarf_Die die, type;

    if (depth == MAX_DEPTH || dwarf_child(scope, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *own = is_variable(tag) ? dwarf_diename(&die) : NULL;

        if (own != NULL && strcmp(own, name) == 0 && hd_type_of(&die, &type)) {
            *out = die;
            return true;
        }
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_namespace) &&
            variable_in(&die, name, out, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* The compiler may describe a variable that it removed only in the definition of an inlined function. */
static bool find_variable(Dwarf_Die *cu, Dwarf_Die *function, const char *name, Dwarf_Die *out)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin;

    if (variable_in(function, name, out, 0))
        return true;
    if (dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attr), &origin) != NULL &&
        variable_in(&origin, name, out, 0))
        return true;
    return variable_in(cu, name, out, 0);
}

static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *out, int depth)
{
    Dwarf_Die die, base;

    if (depth == MAX_DEPTH || dwarf_child(type, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *own = dwarf_diename(&die);

        if (tag == DW_TAG_member && own != NULL && strcmp(own, name) == 0) {
            *out = die;
            return true;
        }
        if ((tag == DW_TAG_inheritance || (tag == DW_TAG_member && own == NULL)) &&
            hd_type_of(&die, &base) && find_member(&base, name, out, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* ---- types -------------------------------------------------------------------------------------- */

static bool is_type(int tag)
{
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_typedef || tag == DW_TAG_base_type;
}

static bool type_in(Dwarf_Die *scope, const char *name, Dwarf_Die *out, int depth)
{
    Dwarf_Die die;

    if (depth == MAX_DEPTH || dwarf_child(scope, &die) != 0)
        return false;
    do {
        int tag = dwarf_tag(&die);
        const char *own = is_type(tag) ? dwarf_diename(&die) : NULL;

        if (own != NULL && strcmp(own, name) == 0 && !dwarf_hasattr(&die, DW_AT_declaration) &&
            dwarf_peel_type(&die, out) == 0)
            return true;
        if ((tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
             tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) &&
            type_in(&die, name, out, depth + 1))
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

bool hd_type_named(Dwarf_Die *cu, const char *name, Dwarf_Die *type)
{
    return name[0] != '\0' && type_in(cu, name, type, 0);
}

/* A smart pointer counts as a pointer. */
static bool dereference(Dwarf_Die *type, Dwarf_Die *out)
{
    char none[8] = "";

    if (dwarf_tag(type) == DW_TAG_reference_type) {
        Dwarf_Die of;

        return hd_type_of(type, &of) && dereference(&of, out);
    }
    return hd_member_pointee(type, 0, none, sizeof none, out);
}

static bool is_class(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Sets *type, which is a class or a pointer to one, to the type of its member with that name. */
static bool step_member(Dwarf_Die *type, const char *name)
{
    Dwarf_Die object = *type, member;

    if (is_class(&object) && find_member(&object, name, &member, 0))
        return hd_type_of(&member, type);
    return dereference(type, &object) && find_member(&object, name, &member, 0) &&
           hd_type_of(&member, type);
}

static bool step_index(Dwarf_Die *type)
{
    Dwarf_Die element;

    if (dwarf_tag(type) == DW_TAG_array_type ? !hd_type_of(type, &element) : !dereference(type, &element))
        return false;
    *type = element;
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------------- */

/* Copies the name at *at and moves *at past it. */
static bool take_name(const char **at, char *name)
{
    size_t n = 0;

    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    if (n == 0 || n >= NAME_MAX_LENGTH)
        return false;
    memcpy(name, *at, n);
    name[n] = '\0';
    *at += n;
    return true;
}

static bool first_type(Dwarf_Die *cu, Dwarf_Die *function, const char *name, Dwarf_Die *type,
                       char *member_of, size_t cap)
{
    Dwarf_Die variable, self;

    member_of[0] = '\0';
    if (find_variable(cu, function, name, &variable))
        return hd_type_of(&variable, type);
    if (!find_variable(cu, function, "this", &self) || !hd_type_of(&self, type) ||
        !dereference(type, &self) || dwarf_diename(&self) == NULL)
        return false;
    snprintf(member_of, cap, "%s", dwarf_diename(&self));
    return step_member(type, name);
}

bool hd_expression_pointee(Dwarf_Die *cu, Dwarf_Die *function, const char *expression, Dwarf_Die *pointee,
                           char *member_of, size_t cap)
{
    char name[NAME_MAX_LENGTH];
    const char *at = expression;
    Dwarf_Die type;

    if (!take_name(&at, name) || !first_type(cu, function, name, &type, member_of, cap))
        return false;
    while (*at != '\0') {
        if (*at == '[') {
            at += strcspn(at, "]");
            if (*at++ == '\0' || !step_index(&type))
                return false;
            continue;
        }
        if (*at != '.' && strncmp(at, "->", 2) != 0)
            return false;
        at += *at == '.' ? 1 : 2;
        if (!take_name(&at, name) || !step_member(&type, name))
            return false;
    }
    return dereference(&type, pointee);
}
