/* SPDX-License-Identifier: BSD-2-Clause
 *
 * struct_returns.c - reads the dump, one function at a time (gimple_text.h: its statements). */
#include "program/struct_returns.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "program/gimple_text.h"

enum { NAME_CAP = 512, DEPTH = 64 };

/* The state of std::stop_token: its own lock protects its stores. */
#define ORDERS_ITSELF "_ZNSt10stop_token13_Stop_state_t"

#define VECTOR_BUILTIN "__builtin_ia32_" /* none of these builtins stores its pointer anywhere */

/* An object that is private until its address escapes: a variable, by its name, or an
 * allocated or constructed object, by the value that points to it.  HD_GIMPLE_UNKNOWN: not private. */
struct root {
    enum hd_gimple_kind kind;
    struct hd_gimple_span name;
};

struct statement {
    char *text;
    unsigned block;
    struct hd_gimple_place place;
    struct hd_gimple_span defines; /* the value that it defines, if any */
    struct root root;              /* the object that the value points to */
    bool resolved;
};

struct block {
    int number;
    unsigned first, end; /* statements */
    bool entered;        /* entered by a jump that is not analysed, or from outside the function */
    bool given;          /* the object may have escaped before this block */
};

struct function {
    char symbol[NAME_CAP];
    struct hd_gimple_span head; /* text from the heading to the first block: parameters and variables */
    struct statement *statement;
    struct statement **by_name; /* statements that define a value, sorted by name */
    struct block *block;
    unsigned n, ndefines, nblocks;
    bool constructor;
};

static bool same_root(struct root a, struct root b)
{
    return a.kind != HD_GIMPLE_UNKNOWN && a.kind == b.kind && hd_gimple_same(a.name, b.name);
}

/* ---- private objects --------------------------------------------------------------------- */

/* True if the name is a non-static variable of the function. */
static bool is_local(const struct function *f, struct hd_gimple_span name)
{
    if (hd_gimple_begins(name.at, "<retval>"))
        return true;
    for (const char *at = f->head.at; at + name.n < f->head.at + f->head.n; at++) {
        const char *line = at;

        if (memcmp(at, name.at, name.n) != 0 || hd_gimple_in_name(at[-1]) || hd_gimple_in_name(at[name.n]))
            continue;
        while (line > f->head.at && line[-1] != '\n')
            line--;
        return !hd_gimple_begins(line, "  static ") && !hd_gimple_begins(line, "  extern ");
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    struct hd_gimple_span x = (*(struct statement *const *)a)->defines, y = (*(struct statement *const *)b)->defines;
    int order = memcmp(x.at, y.at, x.n < y.n ? x.n : y.n);

    return order != 0 ? order : (x.n > y.n) - (x.n < y.n);
}

static struct statement *definition(const struct function *f, struct hd_gimple_span name)
{
    struct statement key = { .defines = name }, *k = &key, **got;

    if (f->ndefines == 0)
        return NULL;
    got = bsearch(&k, f->by_name, f->ndefines, sizeof k, by_name);
    return got != NULL ? *got : NULL;
}

/* True if the value is the address where the caller wants the result.  Such a value has no name of
 * its own and is returned. */
static bool is_result(const struct function *f, struct hd_gimple_span name)
{
    for (unsigned i = 0; i < f->n && *name.at == '_' && isdigit((unsigned char)name.at[1]); i++) {
        const char *text = f->statement[i].text + strlen("return ");

        if (hd_gimple_begins(f->statement[i].text, "return ") && strncmp(text, name.at, name.n) == 0 &&
            strcmp(text + name.n, "(D);") == 0)
            return true;
    }
    return hd_gimple_begins(name.at, "<retval>_");
}

static struct root root_of(const struct function *f, enum hd_gimple_kind kind, struct hd_gimple_span name,
                           unsigned depth);

/* Returns the private object that an assigned value points to; its kind is HD_GIMPLE_UNKNOWN if there is
 * none. text is the right side, `defines` the assigned value. */
static struct root root_of_text(const struct function *f, const char *text, struct hd_gimple_span defines,
                                unsigned depth)
{
    struct hd_gimple_span name;
    enum hd_gimple_kind kind;

    if (hd_gimple_allocates(text))
        return (struct root){ HD_GIMPLE_VALUE, defines };
    text = hd_gimple_behind_cast(text);
    if (*text == '&') {
        kind = hd_gimple_base(text + 1, &name);
        return root_of(f, kind, name, depth);
    }
    if (hd_gimple_name(text, &name) != HD_GIMPLE_VALUE)
        return (struct root){ 0 };
    text += name.n;
    if (hd_gimple_begins(text, "(D)"))
        text += 3;
    return *text == ';' || hd_gimple_begins(text, " + ") ? root_of(f, HD_GIMPLE_VALUE, name, depth)
                                                         : (struct root){ 0 };
}

static struct root root_of(const struct function *f, enum hd_gimple_kind kind, struct hd_gimple_span name,
                           unsigned depth)
{
    struct statement *s;

    if (kind == HD_GIMPLE_VARIABLE)
        return is_local(f, name) ? (struct root){ HD_GIMPLE_VARIABLE, name } : (struct root){ 0 };
    if (kind == HD_GIMPLE_UNKNOWN || depth == 0)
        return (struct root){ 0 };
    s = definition(f, name);
    if (s == NULL)
        return is_result(f, name) || (f->constructor && hd_gimple_begins(name.at, "this_"))
                   ? (struct root){ HD_GIMPLE_VALUE, name } : (struct root){ 0 };
    if (!s->resolved) {
        s->resolved = true;
        s->root = root_of_text(f, hd_gimple_right_side(s->text), s->defines, depth - 1);
    }
    return s->root;
}

/* ---- escaping ---------------------------------------------------------------------------- */

static bool names_root(const struct function *f, enum hd_gimple_kind kind, struct hd_gimple_span name, struct root r)
{
    if (kind == HD_GIMPLE_VARIABLE)
        return r.kind == HD_GIMPLE_VARIABLE && hd_gimple_same(name, r.name);
    return kind == HD_GIMPLE_VALUE && same_root(root_of(f, HD_GIMPLE_VALUE, name, DEPTH), r);
}

/* True if the object escapes in the statement. */
static bool gives(const struct function *f, const struct statement *s, struct root r)
{
    if (hd_gimple_begins(s->text, "# DEBUG") || hd_gimple_begins(s->text, "__builtin___tsan_") ||
        hd_gimple_begins(s->text, "if (") || hd_gimple_begins(s->text, "return") || strstr(s->text, "{CLOBBER") != NULL ||
        strstr(s->text, VECTOR_BUILTIN) != NULL)
        return false;
    if (s->defines.n > 0 && same_root(root_of(f, HD_GIMPLE_VALUE, s->defines, DEPTH), r))
        return false;
    for (const char *at = s->text; *at != '\0';) {
        struct hd_gimple_span name;
        enum hd_gimple_kind kind = hd_gimple_name(at, &name);

        if (name.n == 0) {
            at++;
            continue;
        }
        if (names_root(f, kind, name, r) && hd_gimple_hands_on(s->text, at, name, kind) &&
            at >= hd_gimple_behind_object(s->text) && !hd_gimple_keeps_nothing(s->text))
            return true;
        at += name.n;
        if (kind == HD_GIMPLE_VARIABLE) /* members of a variable have no names of their own */
            at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.");
    }
    return false;
}

/* True if the lifetime of the variable begins or ends in the statement. */
static bool renews(const struct statement *s, struct root r)
{
    return r.kind == HD_GIMPLE_VARIABLE && strncmp(s->text, r.name.at, r.name.n) == 0 &&
           hd_gimple_begins(s->text + r.name.n, " ={v} {CLOBBER");
}

/* True if the object may have escaped before statement `until` (or the end of the block). */
static bool given_in(const struct function *f, const struct block *b, struct root r, unsigned until)
{
    bool given = b->given;

    for (unsigned i = b->first; i < b->end && i < until; i++) {
        if (renews(&f->statement[i], r))
            given = false;
        else if (!given)
            given = gives(f, &f->statement[i], r);
    }
    return given;
}

static bool spread(struct function *f, int number)
{
    for (unsigned i = 0; i < f->nblocks; i++)
        if (f->block[i].number == number && !f->block[i].given)
            return f->block[i].given = true;
    return false;
}

static bool ends_flow(const char *text)
{
    return hd_gimple_begins(text, "goto ") || hd_gimple_begins(text, "return") || hd_gimple_begins(text, "resx ");
}

/* Marks the successors of a block at whose end the object may have escaped.  Returns true if a mark
 * was added. */
static bool spread_from(struct function *f, unsigned number)
{
    const struct block *b = &f->block[number];
    bool changed = false;

    for (unsigned i = b->first; i < b->end; i++) {
        const char *to = f->statement[i].text;

        if (hd_gimple_begins(to, "goto <bb "))
            changed |= spread(f, atoi(to + strlen("goto <bb ")));
    }
    if (number + 1 < f->nblocks && (b->end == b->first || !ends_flow(f->statement[b->end - 1].text)))
        changed |= spread(f, f->block[number + 1].number);
    return changed;
}

/* True if the object may have escaped when the call of statement `number` returns. */
static bool is_given(struct function *f, unsigned number, struct root r)
{
    bool anywhere = false, changed = true;

    if (r.kind == HD_GIMPLE_VALUE && hd_gimple_begins(r.name.at, "this_") &&
        hd_gimple_begins(f->symbol, "_ZNSt")) /* libstdc++ */
        return false;
    for (unsigned i = 0; i < f->n && !anywhere; i++)
        anywhere = gives(f, &f->statement[i], r);
    if (!anywhere)
        return false;
    for (unsigned i = 0; i < f->nblocks; i++)
        f->block[i].given = f->block[i].entered;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < f->nblocks; i++)
            if (given_in(f, &f->block[i], r, f->n))
                changed |= spread_from(f, i);
    }
    return given_in(f, &f->block[f->statement[number].block], r, number + 1);
}

/* True if the call uses return slot optimization: the callee writes its result directly into a new
 * variable. gcc never does that with a variable whose address has escaped. */
static bool is_beginning(const char *text)
{
    return strstr(text, "); [return slot optimization]") != NULL;
}

/* ---- a function ---------------------------------------------------------------------------------------- */

/* True if the statement stores the result of a call in memory. */
static bool is_store(const struct statement *s)
{
    const char *right = s->defines.n == 0 && *s->text != '#' && !hd_gimple_begins(s->text, "if (")
                            ? hd_gimple_right_side(s->text) : NULL;

    return right != NULL && hd_gimple_is_call(right);
}

/* Returns argument n of the call that begins at text, or "". */
static const char *argument(const char *text, unsigned n)
{
    int depth = 0;

    for (text = strstr(text, " ("); text != NULL && *text != '\0'; text++) {
        depth += strchr("([{", *text) != NULL;
        depth -= strchr(")]}", *text) != NULL;
        if (depth == 1 && (*text == '(' || *text == ',') && n-- == 0)
            return text + 1 + (text[1] == ' ');
    }
    return "";
}

/* Returns the pointer through which the statement accesses memory by a vector instruction, or NULL. gcc emits no
 * hook for the builtins of such instructions. */
static const char *vector_pointer(const struct statement *s)
{
    static const struct {
        const char *begins;
        unsigned pointer; /* which argument of the builtin is the pointer */
    } builtins[] = {
        { "movnt", 0 }, { "maskmov", 2 }, { "maskload", 0 }, { "maskstore", 0 }, { "gather", 1 }, { "scatter", 0 },
        { "storel", 0 }, { "storeh", 0 }, { "loadl", 1 }, { "loadh", 1 }, { "lddqu", 0 }, { "compressstore", 0 },
        { "expandload", 0 },
    };
    const char *call = strstr(s->text, VECTOR_BUILTIN);

    if (call == NULL)
        return NULL;
    for (unsigned i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (hd_gimple_begins(call + strlen(VECTOR_BUILTIN), builtins[i].begins))
            return argument(call, builtins[i].pointer);
    return NULL;
}

/* True if the argument may point to memory that other threads can reach. */
static bool is_shared_pointer(struct function *f, unsigned number, const char *pointer)
{
    struct hd_gimple_span name;
    enum hd_gimple_kind kind = *pointer == '&' ? hd_gimple_base(pointer + 1, &name) : hd_gimple_name(pointer, &name);
    struct root r = root_of(f, kind, name, DEPTH);

    return r.kind == HD_GIMPLE_UNKNOWN || is_given(f, number, r);
}

static bool is_shared_access(struct function *f, unsigned number)
{
    const char *text = f->statement[number].text, *pointer = vector_pointer(&f->statement[number]);
    struct root r;
    struct hd_gimple_span name;
    enum hd_gimple_kind kind;

    if (pointer != NULL && is_shared_pointer(f, number, pointer))
        return true;
    if (!is_store(&f->statement[number]))
        return false;
    kind = hd_gimple_base(text, &name);
    r = root_of(f, kind, name, DEPTH);
    if (kind == HD_GIMPLE_VARIABLE && r.kind == HD_GIMPLE_VARIABLE && name.at == text &&
        hd_gimple_begins(text + name.n, " = ") && is_beginning(text))
        return false;
    return r.kind == HD_GIMPLE_UNKNOWN || is_given(f, number, r);
}

/* Finds blocks that are entered by a jump to a label (switch, exceptions, computed) or
 * without a visible jump; all blocks if control may return to a setjmp. */
static void find_entered(struct function *f)
{
    bool again = false;

    for (unsigned i = 0; i < f->n; i++)
        again |= strstr(f->statement[i].text, "setjmp") != NULL;
    for (unsigned k = 0; k < f->nblocks; k++) {
        const struct block *before = k > 0 ? &f->block[k - 1] : NULL;
        bool follows = k == 0 || before->end == before->first || !ends_flow(f->statement[before->end - 1].text);
        char jump[32];

        snprintf(jump, sizeof jump, "goto <bb %d>", f->block[k].number);
        for (unsigned i = 0; i < f->n && !follows; i++)
            follows = hd_gimple_begins(f->statement[i].text, jump);
        f->block[k].entered |= again || !follows;
    }
}

static void look(struct function *f, void (*found)(const struct hd_struct_returns_place *, void *), void *arg)
{
    bool any = false;

    for (unsigned i = 0; i < f->n && !any; i++)
        any = is_store(&f->statement[i]) || vector_pointer(&f->statement[i]) != NULL;
    for (unsigned i = 0; i < f->n && any; i++)
        if (f->statement[i].defines.n > 0)
            *HD_PUSH(f->by_name, f->ndefines) = &f->statement[i];
    if (f->ndefines > 0)
        qsort(f->by_name, f->ndefines, sizeof *f->by_name, by_name);
    if (any)
        find_entered(f);
    for (unsigned i = 0; i < f->n && any; i++) {
        const struct statement *s = &f->statement[i];

        if (!is_shared_access(f, i) || hd_gimple_begins(f->symbol, ORDERS_ITSELF))
            continue;
        found(&(struct hd_struct_returns_place){ f->symbol, s->place.file != NULL ? s->place.file : "",
                                                    s->place.line }, arg);
        return;
    }
}

static void forget(struct function *f)
{
    for (unsigned i = 0; i < f->n; i++)
        free(f->statement[i].place.file);
    free(f->statement);
    free(f->by_name);
    free(f->block);
    memset(f, 0, sizeof *f);
}

/* ---- the dump ---------------------------------------------------------------------------------------------- */

/* True if the (nested) name in a symbol ends with C1 or C2. */
static bool is_constructor(const char *symbol)
{
    if (!hd_gimple_begins(symbol, "_ZN"))
        return false;
    for (const char *at = symbol + 3; *at != '\0';) {
        char *end;

        if (isdigit((unsigned char)*at) && !strchr("STLijlmxybc_", at[-1])) {
            size_t n = strtoul(at, &end, 10);

            at = strnlen(end, n) == n ? end + n : end + strlen(end);
        } else if (at[0] == 'C' && (at[1] == '1' || at[1] == '2') && (at[2] == 'E' || at[2] == 'I')) {
            return true;
        } else {
            at++;
        }
    }
    return false;
}

/* Begins a function at the line ";; Function NAME (SYMBOL, funcdef_no=1, ...". */
static void begin_function(struct function *f, const char *line)
{
    const char *end = strstr(line, ", funcdef_no="), *from = end;

    while (from != NULL && from > line && !(from[-1] == '(' && from[-2] == ' '))
        from--;
    if (from == NULL || from == line)
        return;
    from += *from == '*';
    snprintf(f->symbol, sizeof f->symbol, "%.*s", (int)(end - from), from);
    f->constructor = is_constructor(f->symbol);
}

static void add_block(struct function *f, int number)
{
    *HD_PUSH(f->block, f->nblocks) = (struct block){ .number = number, .first = f->n, .end = f->n };
}

static void add_statement(struct function *f, char *line)
{
    struct statement s = { .text = line + strspn(line, " "), .block = f->nblocks - 1 };
    struct hd_gimple_span name;

    hd_gimple_strip(s.text, &s.place);
    if (*s.text == '\0' || strcmp(s.text, "else") == 0) {
        free(s.place.file);
        return;
    }
    if (hd_gimple_name(s.text, &name) == HD_GIMPLE_VALUE &&
        (hd_gimple_begins(name.at + name.n, " = ") || hd_gimple_begins(name.at + name.n, " ={v} ")))
        s.defines = name;
    *HD_PUSH(f->statement, f->n) = s;
    f->block[f->nblocks - 1].end = f->n;
}

static void take_line(struct function *f, char *line)
{
    int number;

    if (hd_gimple_begins(line, "  <bb ") && sscanf(line, "  <bb %d>", &number) == 1) {
        if (f->nblocks == 0)
            f->head.n = (size_t)(line - f->head.at);
        add_block(f, number);
    } else if (f->nblocks > 0 && *line == ' ') {
        add_statement(f, line);
    } else if (f->nblocks > 0 && *line != '\0') {
        f->block[f->nblocks - 1].entered = true; /* a label */
    }
}

void hd_struct_returns_scan(char *dump, void (*found)(const struct hd_struct_returns_place *, void *), void *arg)
{
    struct function f = { 0 };

    for (char *line = dump, *next; *line != '\0'; line = next) {
        size_t n = strcspn(line, "\n");

        next = line + n + (line[n] == '\n');
        if (hd_gimple_begins(line, ";; Function ")) {
            forget(&f);
            begin_function(&f, line);
            f.head.at = next;
        } else if (f.head.at != NULL && f.nblocks > 0 && *line == '}') {
            look(&f, found, arg);
            forget(&f);
        } else if (f.head.at != NULL) {
            if (f.nblocks > 0 || hd_gimple_begins(line, "  <bb "))
                line[n] = '\0';
            take_line(&f, line);
        }
    }
    forget(&f);
}
