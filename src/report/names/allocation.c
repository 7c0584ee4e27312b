/* SPDX-License-Identifier: BSD-2-Clause
 *
 * allocation.c - reads "struct list *l = calloc(1, sizeof *l)" in the source, and looks up the type of l
 * in the debug information.  malloc itself has no type.  In C++, the functions of the library between
 * the user's line and operator new have it as a template argument: new_allocator<T>, make_unique<T>. */
#include "report/names/allocation.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/names/expression.h"
#include "report/names/operand.h"
#include "report/names/scopes.h"

enum { LINE_LENGTH = 1024 };

/* ---- the source line ------------------------------------------------------------------------------ */

/* Writes the line.  If the line before it ends with "=", writes both. */
bool hd_source_line(const char *path, int number, char *buf, size_t cap)
{
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t size = 0, used = 0;
    ssize_t n = 0;

    buf[0] = '\0';
    for (int i = 1; in != NULL && i <= number && (n = getline(&line, &size, in)) >= 0; i++) {
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (i == number || (i == number - 1 && n > 0 && line[n - 1] == '='))
            used += (size_t)snprintf(buf + used, cap - used, "%s ", line);
        if (used >= cap)
            used = cap - 1;
    }
    free(line);
    if (in != NULL)
        fclose(in);
    return buf[0] != '\0';
}

static const char *find_call(const char *line)
{
    static const char *const words[] = { "alloc", "new ", "make_unique", "make_shared", "g_new" };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(line, words[i]);

        if (at != NULL && (first == NULL || at < first))
            first = at;
    }
    return first;
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Returns the beginning of the expression that ends before `end`. */
static const char *expression_start(const char *line, const char *end)
{
    const char *at = end;

    while (at > line) {
        if (is_part(at[-1])) {
            at--;
        } else if (at[-1] == '>' && at - 1 > line && at[-2] == '-') {
            at -= 2;
        } else if (at[-1] == ']') {
            while (at > line && at[-1] != '[')
                at--;
            at -= at > line;
        } else {
            break;
        }
    }
    return at;
}

/* Writes the expression to which the statement with the call assigns.  Returns false if it does not
 * assign. */
static bool assigned(const char *line, char *buf, size_t cap)
{
    const char *call = find_call(line), *from = line, *sign = NULL;

    for (const char *at = line; *at != '\0' && (call == NULL ? sign == NULL : at < call); at++) {
        if (strchr(";{}", *at) != NULL) {
            from = at + 1;
            sign = NULL;
        } else if (*at == '=' && at > line && strchr("=!<>+-*/%&|^", at[-1]) == NULL && at[1] != '=') {
            sign = at;
        } else if (*at == '=' && at[1] == '=') {
            at++;
        }
    }
    if (sign == NULL)
        return false;
    while (sign > from && isspace((unsigned char)sign[-1]))
        sign--;
    const char *start = expression_start(from, sign);

    if (start == sign || isdigit((unsigned char)*start) || (size_t)(sign - start) >= cap)
        return false;
    snprintf(buf, cap, "%.*s", (int)(sign - start), start);
    return true;
}

/* Writes the name of the type at the beginning of the text, without "struct" and namespaces. */
static bool type_name(const char *at, char *buf, size_t cap)
{
    size_t n = 0;
    int depth = 0;

    at += strspn(at, " (");
    while (strncmp(at, "struct ", 7) == 0 || strncmp(at, "const ", 6) == 0)
        at += strcspn(at, " ") + 1;
    for (; at[n] != '\0'; n++) {
        depth += at[n] == '<';
        depth -= at[n] == '>';
        if (depth == 0 && strncmp(at + n, "::", 2) == 0) {
            at += n + 2;
            n = (size_t)-1;
        } else if (depth == 0 && at[n] != '>' && !isalnum((unsigned char)at[n]) && at[n] != '_') {
            break;
        }
    }
    if (n == 0 || n >= cap)
        return false;
    snprintf(buf, cap, "%.*s", (int)n, at);
    return true;
}

/* Finds the type that the line names: new T, sizeof(T), (T *)calloc(...), g_new(T, n). */
static bool named_type(Dwarf_Die *cu, const char *line, Dwarf_Die *type)
{
    static const char *const before[] = { "new (std::nothrow) ", "new ", "make_unique<", "make_shared<",
                                          "sizeof(", "sizeof (", "g_new0 (", "g_new0(", "g_new (", "g_new(" };
    char name[96];

    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *at = strstr(line, before[i]);

        if (at != NULL && type_name(at + strlen(before[i]), name, sizeof name) &&
            hd_type_named(cu, name, type))
            return true;
    }
    return false;
}

/* ---- functions of the library ----------------------------------------------------------------------- */

static bool starts(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

/* Finds T if the function is a member of an allocator of T, or makes a T. */
static bool type_of_library(Dwarf_Die *function, Dwarf_Die *type)
{
    Dwarf_Attribute attr;
    Dwarf_Die origin = *function, declared, *scopes = NULL;
    bool found = false;

    dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attr), &origin);
    if (starts(dwarf_diename(&origin), "make_unique"))
        return hd_type_argument(&origin, type);
    declared = origin;
    dwarf_formref_die(dwarf_attr(&origin, DW_AT_specification, &attr), &declared);
    int n = dwarf_getscopes_die(&declared, &scopes);

    for (int i = 1; i < n && !found; i++) {
        const char *class = dwarf_diename(&scopes[i]);

        found = (starts(class, "__new_allocator<") || starts(class, "new_allocator<") ||
                 starts(class, "allocator<")) && hd_type_argument(&scopes[i], type);
    }
    free(scopes);
    return found;
}

/* ---- the allocation ---------------------------------------------------------------------------------- */

static bool has_size(Dwarf_Die *type)
{
    Dwarf_Word size;

    return dwarf_aggregate_size(type, &size) == 0 && size > 0;
}

static bool is_fixed(const char *expression)
{
    for (const char *at = strchr(expression, '['); at != NULL; at = strchr(at + 1, '['))
        if (!isdigit((unsigned char)at[1]))
            return false;
    return true;
}

/* Finds the type from the user's line.  library: the type is already known from the library, and
 * only the expression is missing. */
static bool from_line(const struct hd_frame *f, Dwarf_Die *cu, Dwarf_Die *function, bool library,
                      struct hd_allocated *out)
{
    char line[LINE_LENGTH], text[sizeof out->text], owner[64] = "";
    Dwarf_Die pointee;

    out->text[0] = '\0';
    if (!hd_source_line(f->file, f->line, line, sizeof line))
        return library;
    bool assigns = assigned(line, text, sizeof text) &&
                   hd_expression_pointee(cu, function, text, &pointee, owner, sizeof owner);

    if (assigns && is_fixed(text) && (!library || strstr(line, "make_") != NULL))
        snprintf(out->text, sizeof out->text, "%.60s%s%.60s", owner, owner[0] != '\0' ? "::" : "", text);
    if (library)
        return true;
    if (assigns && has_size(&pointee)) {
        out->type = pointee;
        return true;
    }
    return named_type(cu, line, &out->type) && has_size(&out->type);
}

/* Takes the expression from the caller's line, "n = make()", if that has the type of the block. */
static void text_of_caller(const struct hd_frame *f, Dwarf_Die *cu, Dwarf_Die *function,
                           struct hd_allocated *out)
{
    char line[LINE_LENGTH], text[sizeof out->text], owner[64];
    const char *type = dwarf_diename(&out->type), *other;
    Dwarf_Die pointee;

    if (hd_source_line(f->file, f->line, line, sizeof line) && assigned(line, text, sizeof text) && is_fixed(text) &&
        hd_expression_pointee(cu, function, text, &pointee, owner, sizeof owner) && owner[0] == '\0' &&
        type != NULL && (other = dwarf_diename(&pointee)) != NULL && strcmp(type, other) == 0)
        snprintf(out->text, sizeof out->text, "%s", text);
}

static bool is_library(const struct hd_frame *f)
{
    return f->line <= 0 || hd_is_system_file(f->file);
}

bool hd_allocation_find(struct hd_symbols *s, const uint64_t *pcs, unsigned n, struct hd_allocated *out)
{
    struct hd_frame f[HD_MAX_FRAMES];
    Dwarf_Die scope[HD_MAX_FRAMES];
    bool library = false, returns = false, lambda;

    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < n && pcs[i] != 0; i++) {
        Dwfl_Module *m = dwfl_addrmodule((Dwfl *)hd_symbols_dwfl(s), pcs[i] - 1);
        Dwarf_Addr bias = 0;
        Dwarf_Die *cu = m != NULL ? hd_unit_of(m, pcs[i] - 1, &bias) : NULL;
        unsigned count = hd_symbols_frames(s, pcs[i], true, f, HD_MAX_FRAMES);

        if (cu == NULL || hd_function_scopes(m, cu, pcs[i] - 1 - bias, scope, HD_MAX_FRAMES, &lambda) != count)
            continue;
        int language = dwarf_srclang(cu);

        out->cplusplus = language != DW_LANG_C99 && language != DW_LANG_C11 && language != DW_LANG_C89 &&
                         language != DW_LANG_C;
        for (unsigned k = 0; k < count; k++) {
            if (returns) {
                text_of_caller(&f[k], cu, &scope[k], out);
                return true;
            }
            if (is_library(&f[k]))
                library = library || (type_of_library(&scope[k], &out->type) && has_size(&out->type));
            else if (from_line(&f[k], cu, &scope[k], library, out)) {
                if (out->text[0] != '\0')
                    return true;
                returns = true;
            }
        }
    }
    return library || returns;
}
