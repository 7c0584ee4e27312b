/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rust.c - reads names of Rust programs from the debug information.  It has the path of each function as
 * nested namespaces, so the two ways in which Rust mangles names need not be undone, except for symbols
 * without debug information. */
#include "report/names/rust.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_rust(Dwarf_Die *die)
{
    Dwarf_Die unit;

    return dwarf_diecu(die, &unit, NULL, NULL) != NULL && dwarf_srclang(&unit) == DW_LANG_Rust;
}

/* Follows a copy of a function to the entry that stands in its namespace. */
static Dwarf_Die declaration_of(Dwarf_Die *die)
{
    static const unsigned links[] = { DW_AT_abstract_origin, DW_AT_specification };
    Dwarf_Die at = *die, next;
    Dwarf_Attribute attr;

    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (dwarf_formref_die(dwarf_attr(&at, links[i], &attr), &next) != NULL)
            at = next;
    return at;
}

/* Blocks of methods are namespaces without a name of the user's: {impl#2}. */
static bool is_part(Dwarf_Die *scope)
{
    int tag = dwarf_tag(scope);
    const char *name = dwarf_diename(scope);

    return name != NULL && strncmp(name, "{impl", 5) != 0 &&
           (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
            tag == DW_TAG_enumeration_type);
}

bool hd_rust_name(Dwarf_Die *die, char *buf, size_t cap)
{
    Dwarf_Die at = declaration_of(die), *scopes = NULL;
    const char *name = dwarf_diename(&at);
    size_t used = 0;

    if (name == NULL || !is_rust(&at))
        return false;
    int n = dwarf_getscopes_die(&at, &scopes);

    for (int i = n - 1; i > 0; i--)
        if (is_part(&scopes[i]) && used < cap)
            used += (size_t)snprintf(buf + used, cap - used, "%s::", dwarf_diename(&scopes[i]));
    free(scopes);
    if (used < cap)
        snprintf(buf + used, cap - used, "%s", name);
    return true;
}

enum hd_rust_owner hd_rust_owner_of(Dwarf_Die *type)
{
    static const char *const crates[] = { "std", "core", "alloc", "hashbrown", "proc_macro", "test" };
    Dwarf_Die *scopes = NULL;
    enum hd_rust_owner owner = HD_RUST_NONE;

    if (!is_rust(type))
        return HD_RUST_NONE;
    int n = dwarf_getscopes_die(type, &scopes); /* the last one is the unit */
    const char *crate = n > 2 && dwarf_tag(&scopes[n - 2]) == DW_TAG_namespace ? dwarf_diename(&scopes[n - 2]) : NULL;

    if (crate != NULL)
        owner = HD_RUST_USER;
    for (size_t i = 0; crate != NULL && i < sizeof crates / sizeof *crates; i++)
        if (strcmp(crate, crates[i]) == 0)
            owner = HD_RUST_LIBRARY;
    free(scopes);
    return owner;
}

/* The paths are those of the machine that built the standard library, or of a copy of its source. */
bool hd_rust_is_library_file(const char *file)
{
    size_t n = strlen(file);

    if (n < 3 || strcmp(file + n - 3, ".rs") != 0)
        return false;
    return strncmp(file, "/rustc/", 7) == 0 || strncmp(file, "/rust/deps/", 11) == 0 ||
           strncmp(file, "library/", 8) == 0 || strstr(file, "/rustlib/src/rust/library/") != NULL ||
           strstr(file, "/.cargo/registry/src/") != NULL;
}

/* ---- the older way to mangle ------------------------------------------------------------------- */

static const struct {
    const char *code, *text;
} escapes[] = { { "$LT$", "<" },  { "$GT$", ">" },    { "$RF$", "&" },    { "$BP$", "*" },    { "$C$", "," },
                { "$LP$", "(" },  { "$RP$", ")" },    { "$u20$", " " },   { "$u27$", "'" },   { "$u3d$", "=" },
                { "$u5b$", "[" }, { "$u5d$", "]" },   { "$u7b$", "{" },   { "$u7d$", "}" },   { "$u7e$", "~" },
                { "..", "::" } };

/* Returns the length of a name without the number of its compilation; 0 if it has none. */
static size_t without_number(const char *name)
{
    enum { DIGITS = 16 };
    size_t n = strlen(name);
    const char *number = n > DIGITS + 3 ? name + n - DIGITS : NULL;

    return number != NULL && strncmp(number - 3, "::h", 3) == 0 &&
                   strspn(number, "0123456789abcdef") == DIGITS ? n - DIGITS - 3 : 0;
}

void hd_rust_clean(char *name)
{
    size_t n = without_number(name);
    char *to = name;

    if (n == 0)
        return;
    name[n] = '\0';
    for (const char *at = name; *at != '\0';) {
        size_t i = 0;

        if (at[0] == '_' && at[1] == '$' && (at == name || at[-1] == ':'))
            at++; /* a part must not begin with an escape */
        while (i < sizeof escapes / sizeof *escapes && strncmp(at, escapes[i].code, strlen(escapes[i].code)) != 0)
            i++;
        if (i == sizeof escapes / sizeof *escapes) {
            *to++ = *at++;
            continue;
        }
        memcpy(to, escapes[i].text, strlen(escapes[i].text));
        to += strlen(escapes[i].text);
        at += strlen(escapes[i].code);
    }
    *to = '\0';
}
