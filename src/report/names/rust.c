/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rust.c - reads names of Rust programs from the debug information.  It contains the path of each function as
 * nested namespaces.  So names need to be demangled (in Rust's two ways) only for symbols without debug
 * information. */
#include "report/names/rust.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_rust(Dwarf_Die *die)
{
    Dwarf_Die unit;

    return dwarf_diecu(die, &unit, NULL, NULL) != NULL && dwarf_srclang(&unit) == DW_LANG_Rust;
}

/* Follows a copy of a function to its entry inside the namespace. */
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

/* True if the scope is part of a path.  Blocks of methods are namespaces without a user's name:
 * {impl#2}. */
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

/* ---- the legacy mangling ----------------------------------------------------------------------- */

static const struct {
    const char *code, *text;
} escapes[] = { { "$LT$", "<" },  { "$GT$", ">" },    { "$RF$", "&" },    { "$BP$", "*" },    { "$C$", "," },
                { "$LP$", "(" },  { "$RP$", ")" },    { "$u20$", " " },   { "$u27$", "'" },   { "$u3d$", "=" },
                { "$u5b$", "[" }, { "$u5d$", "]" },   { "$u7b$", "{" },   { "$u7d$", "}" },   { "$u7e$", "~" },
                { "..", "::" } };

/* Returns the length of a name without the hash of its compilation; 0 if it has none. */
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

/* ---- the v0 mangling (RFC 2603) ----------------------------------------------------------------- */

enum { MAX_DEPTH = 32 };

struct symbol {
    const char *start, *at; /* after "_R" */
    char *buf;
    size_t cap, used;
    int depth, silent; /* silent > 0: read without writing */
};

static bool read_path(struct symbol *y);

static void put(struct symbol *y, const char *text, size_t n)
{
    if (y->silent == 0 && y->used < y->cap)
        y->used += (size_t)snprintf(y->buf + y->used, y->cap - y->used, "%s%.*s", y->used > 0 ? "::" : "", (int)n, text);
}

/* Skips a number that distinguishes equal names: s, digits and letters, _. */
static void skip_disambiguator(struct symbol *y)
{
    if (*y->at == 's') {
        y->at += strcspn(y->at, "_");
        y->at += *y->at == '_';
    }
}

static bool read_name(struct symbol *y, bool closure)
{
    char *end;

    skip_disambiguator(y);
    if (!isdigit((unsigned char)*y->at))
        return false;
    unsigned long n = strtoul(y->at, &end, 10);

    if (*end == '_')
        end++;
    if (n > strlen(end))
        return false;
    if (closure)
        put(y, "{closure}", 9);
    else if (n > 0)
        put(y, end, n);
    y->at = end + n;
    return true;
}

/* Reads a path that occurred before: B, its position, _. */
static bool read_reference(struct symbol *y)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t position = 0;
    const char *after = y->at, *digit;

    for (; *after != '\0' && *after != '_' && (digit = strchr(digits, *after)) != NULL; after++)
        position = position * 62 + (size_t)(digit - digits);
    position += after > y->at; /* no digits mean 0 */
    if (*after != '_' || y->start + position >= y->at - 1)
        return false;
    y->at = y->start + position;
    bool known = read_path(y);

    y->at = after + 1;
    return known;
}

/* Reads a method.  Its block names its place, which is not shown, and its type, which is. */
static bool read_method(struct symbol *y)
{
    y->silent++;
    skip_disambiguator(y);
    bool known = read_path(y);

    y->silent--;
    return known && read_path(y);
}

static bool read_path(struct symbol *y)
{
    bool known = false;

    if (++y->depth > MAX_DEPTH)
        return false;
    switch (*y->at++) {
    case 'C':
        known = read_name(y, false);
        break;
    case 'N': {
        bool closure = *y->at == 'C';

        y->at += *y->at != '\0';
        known = read_path(y) && read_name(y, closure);
        break;
    }
    case 'M':
        known = read_method(y);
        break;
    case 'B':
        known = read_reference(y);
        break;
    default:
        break;
    }
    y->depth--;
    return known;
}

bool hd_rust_demangle(const char *symbol, char *buf, size_t cap)
{
    struct symbol y = { .start = symbol + 2, .at = symbol + 2, .buf = buf, .cap = cap };

    if (strncmp(symbol, "_R", 2) != 0)
        return false;
    if (*y.at == 'I') /* type arguments of the function itself come after its path */
        y.at++;
    return read_path(&y) && y.used > 0;
}
