/* SPDX-License-Identifier: BSD-2-Clause
 *
 * members.c - turns "pool+0x28" into "pool.lock" with the types in the debug information.  The path
 * ends before a name that is reserved for the implementation: "lock", not "lock.__data.__lock". */
#include "report/names/members.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <string.h>

#include "report/names/rust.h"

/* A limit, because reading all units of a very large program to find one name would take seconds. */
#define MAX_UNITS 1000

enum { MAX_DEPTH = 16 };

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
    unsigned hidden; /* > 0: below a reserved name, where nothing is appended */
    Dwarf_Die leaf;  /* the variable or member at which the path ends: it has the type */
    Dwarf_Die deep;  /* like leaf, but also below reserved names */
};

bool hd_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attr;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), type) != NULL &&
           dwarf_peel_type(type, type) == 0;
}

static bool walk(struct path *p, Dwarf_Die *type, uint64_t off, int depth);

static bool append(struct path *p, const char *text)
{
    size_t n = strlen(text);

    if (p->hidden > 0)
        return true;
    if (p->used + n + 1 > p->cap)
        return false;
    memcpy(p->buf + p->used, text, n + 1);
    p->used += n;
    return true;
}

static void step_to(struct path *p, Dwarf_Die *member)
{
    p->deep = *member;
    if (p->hidden == 0)
        p->leaf = *member;
}

/* True for names that C and C++ reserve for the implementation. */
static bool is_reserved(const char *name)
{
    return name[0] == '_' &&
           (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z') || strncmp(name, "_vptr", 5) == 0);
}

static bool into_member(struct path *p, Dwarf_Die *member, uint64_t off, int depth)
{
    const char *name = dwarf_diename(member);
    Dwarf_Die type;

    if (!hd_type_of(member, &type))
        return off == 0;
    if (name == NULL || dwarf_tag(member) == DW_TAG_inheritance)
        return walk(p, &type, off, depth + 1); /* an unnamed union or a base class: adds no name */
    if (is_reserved(name)) {
        p->hidden++;
        step_to(p, member);
        walk(p, &type, off, depth + 1);
        p->hidden--;
        return true;
    }
    step_to(p, member);
    return append(p, ".") && append(p, name) && walk(p, &type, off, depth + 1);
}

/* True for a class without data.  As a base class, or with [[no_unique_address]], it shares its address
 * with another member. */
static bool is_empty(Dwarf_Die *type)
{
    Dwarf_Die child, of;
    int tag = dwarf_tag(type);

    if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type)
        return false;
    if (dwarf_child(type, &child) != 0)
        return true;
    do {
        bool holds = dwarf_tag(&child) == DW_TAG_inheritance ||
                     (dwarf_tag(&child) == DW_TAG_member && dwarf_hasattr(&child, DW_AT_data_member_location));

        if (holds && (!hd_type_of(&child, &of) || !is_empty(&of)))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

bool hd_type_argument(Dwarf_Die *of, Dwarf_Die *type)
{
    Dwarf_Die child;

    if (dwarf_child(of, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            return hd_type_of(&child, type);
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* The nodes of maps and lists, and what make_shared allocates, contain their element as a buffer of
 * bytes: struct __aligned_membuf<T>.  Inside this buffer the members have the user's names
 * again. */
static bool into_buffer(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    unsigned hidden = p->hidden;
    Dwarf_Die element;

    if (!hd_type_argument(type, &element))
        return false;
    p->hidden = 0;
    bool known = walk(p, &element, off, depth + 1);

    p->hidden = hidden;
    return known;
}

static bool is_buffer(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);

    return name != NULL && (strncmp(name, "__aligned_membuf<", 17) == 0 ||
                            strncmp(name, "__aligned_buffer<", 17) == 0);
}

static bool into_fields(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
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
        if (hd_type_of(&member, &member_type) && dwarf_aggregate_size(&member_type, &size) == 0 &&
            off >= at && off - at < size && !is_empty(&member_type))
            return into_member(p, &member, off - at, depth);
    } while (dwarf_siblingof(&member, &member) == 0);
    return off == 0;
}

/* The members of Arc, Mutex and similar types are private, so their names are not shown: "bank->savings", not
 * "bank.ptr.pointer->data.savings.inner".  The names of the user's own types inside them are shown. */
static bool into_struct(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    enum hd_rust_owner owner = hd_rust_owner_of(type);
    unsigned hidden = p->hidden;

    if (is_buffer(type))
        return into_buffer(p, type, off, depth);
    p->hidden = owner == HD_RUST_LIBRARY ? hidden + 1 : owner == HD_RUST_USER ? 0 : hidden;
    bool known = into_fields(p, type, off, depth);

    p->hidden = hidden;
    return known || owner == HD_RUST_LIBRARY;
}

static bool into_array(struct path *p, Dwarf_Die *type, uint64_t off, int depth)
{
    Dwarf_Die element;
    Dwarf_Word size;
    char index[32];

    if (!hd_type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 || size == 0)
        return off == 0;
    step_to(p, type);
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
    struct path p = { .buf = buf, .cap = cap, .used = strlen(buf), .leaf = *variable };
    size_t before = p.used;
    Dwarf_Die type;

    if (hd_type_of(variable, &type) && walk(&p, &type, inside, 0)) {
        if (text != NULL)
            hd_type_text(&p.leaf, text, text_cap);
        return true;
    }
    buf[before] = '\0';
    return false;
}

bool hd_member_of_type(Dwarf_Die *type, uint64_t inside, char *buf, size_t cap, char *text, size_t text_cap)
{
    struct path p = { .buf = buf, .cap = cap, .used = strlen(buf) };
    size_t before = p.used;

    text[0] = '\0';
    if (walk(&p, type, inside, 0)) {
        if (p.leaf.addr != NULL)
            hd_type_text(&p.leaf, text, text_cap);
        return true;
    }
    buf[before] = '\0';
    return false;
}

/* True for a class of the library that is only a wrapper of its value: std::atomic. */
static bool is_transparent(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);

    return name != NULL && (strncmp(name, "atomic", 6) == 0 || strncmp(name, "__atomic", 8) == 0);
}

bool hd_type_at(Dwarf_Die *type, uint64_t inside, Dwarf_Die *leaf)
{
    char text[256] = "";
    struct path p = { .buf = text, .cap = sizeof text };

    *leaf = *type;
    if (!walk(&p, type, inside, 0))
        return false;
    if (p.leaf.addr != NULL && !hd_type_of(&p.leaf, leaf))
        return false;
    if (p.deep.addr == p.leaf.addr || !is_transparent(leaf)) /* e.g. a container: its members are
                                                              * not shown */
        return p.leaf.addr == NULL || !dwarf_hasattr_integrate(&p.leaf, DW_AT_bit_size);
    return hd_type_of(&p.deep, leaf);
}

bool hd_member_pointee(Dwarf_Die *type, uint64_t inside, char *buf, size_t cap, Dwarf_Die *pointee)
{
    struct path p = { .buf = buf, .cap = cap, .used = strlen(buf) };
    size_t before = p.used;
    Dwarf_Die pointer = *type;

    if (walk(&p, type, inside, 0) && (p.deep.addr == NULL || hd_type_of(&p.deep, &pointer)) &&
        dwarf_tag(&pointer) == DW_TAG_pointer_type && hd_type_of(&pointer, pointee))
        return true;
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
