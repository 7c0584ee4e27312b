/* SPDX-License-Identifier: BSD-2-Clause
 *
 * struct_returns.c - reads the dump, one function at a time.  In the dump a variable has a
 * number after its name (sharedD.3108), an SSA value has not (p_2, _7, this_5(D)). */
#include "program/struct_returns.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { NAME_CAP = 512, DEPTH = 64 };

/* The state of std::stop_token: its own lock protects its stores. */
#define ORDERS_ITSELF "_ZNSt10stop_token13_Stop_state_t"

/* A piece of the dump. */
struct span {
    const char *at;
    size_t n;
};

/* The target of a store: the name of a variable, or of the value that points to it. */
enum kind { UNKNOWN, VARIABLE, VALUE };

/* An object that is private until its address escapes: a variable, by its name, or an
 * allocated or constructed object, by the value that points to it.  UNKNOWN: not private. */
struct root {
    enum kind kind;
    struct span name;
};

struct statement {
    char *text;
    unsigned block, line;
    const char *file;
    struct span defines; /* the value that it defines, if any */
    struct root root;    /* the object that the value points to */
    bool resolved;
};

struct block {
    int number;
    unsigned first, end; /* statements */
    bool entered;        /* entered by a jump that is not analysed, or from outside the function */
    bool given;          /* the object may have escaped before the block begins */
};

struct function {
    char symbol[NAME_CAP];
    struct span head; /* text from the heading to the first block: parameters and variables */
    struct statement *statement;
    struct statement **by_name; /* statements that define a value, sorted by name */
    struct block *block;
    unsigned n, ndefines, nblocks;
    bool constructor;
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

static bool same(struct span a, struct span b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static bool same_root(struct root a, struct root b)
{
    return a.kind != UNKNOWN && a.kind == b.kind && same(a.name, b.name);
}

/* ---- places ----------------------------------------------------------------------------- */

/* Returns the length of a place such as "[file.c:12:5] " at the beginning of text, or 0 if there is
 * none. */
static size_t marker(const char *text, struct statement *s)
{
    size_t n = *text == '[' ? strcspn(text, "]\n") : 0, end = n;
    unsigned line;
    char *colon;

    if (n == 0 || text[n] != ']' || text[n + 1] != ' ')
        return 0;
    for (unsigned colons = 0; colons < 2; colons++) {
        while (end > 0 && text[end] != ':')
            end--;
        if (end == 0 || !isdigit((unsigned char)text[end + 1]))
            return 0;
        end -= colons == 0;
    }
    colon = (char *)(uintptr_t)text + end;
    line = (unsigned)strtoul(colon + 1, NULL, 10);
    if (s->file == NULL) {
        s->file = strndup(text + 1, end - 1);
        s->line = line;
    }
    return n + 2;
}

/* Removes the places, which precede statements and operands.  Stores the first one in s. */
static void strip(char *line, struct statement *s)
{
    char *to = line;

    for (const char *from = line; *from != '\0';) {
        size_t n = marker(from, s);

        if (n > 0)
            from += n;
        else
            *to++ = *from++;
    }
    *to = '\0';
}

/* ---- names ------------------------------------------------------------------------------- */

/* Returns the end of a variable's number ("D.3108"), or NULL if d is not the beginning of one. */
static const char *number_end(const char *d)
{
    size_t n = d[0] == 'D' && d[1] == '.' ? strspn(d + 2, "0123456789") : 0;

    return n > 0 && d[2 + n] != '_' ? d + 2 + n : NULL;
}

/* Reads the name at the beginning of text into *name.  Returns what it names: a variable or an SSA
 * value.  Returns UNKNOWN if it is neither. */
static enum kind name_at(const char *text, struct span *name)
{
    size_t n = 0;

    if (begins(text, "<retval>"))
        n = strlen("<retval>");
    for (; in_name(text[n]); n++) {
        const char *end = number_end(text + n);

        if (end != NULL) {
            *name = (struct span){ text, (size_t)(end - text) };
            return VARIABLE;
        }
    }
    *name = (struct span){ text, n };
    if (n == strlen("<retval>") && *text == '<')
        return VARIABLE;
    return n > 0 && text[n] != ':' && text[n] != '<' ? VALUE : UNKNOWN;
}

/* Returns the position after the bracket that closes the one at text. */
static const char *behind(const char *text, char open, char close)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == open) - (*text == close);
        if (depth == 0)
            return text + 1;
    }
    return text;
}

static const char *behind_cast(const char *text)
{
    if (*text != '(')
        return text;
    text = behind(text, '(', ')');
    return text + (*text == ' ');
}

/* Finds the name at the base of a memory reference.  Returns VARIABLE if the memory is that
 * variable, VALUE if the value points to the memory, else UNKNOWN. */
static enum kind base_of(const char *text, struct span *name)
{
    enum kind kind;
    bool through;

    while (*text == '(')
        text++;
    if (begins(text, "MEM")) {
        text += 3;
        if (begins(text, " <"))
            text = behind(text + 1, '<', '>');
        text += *text == ' ';
        if (*text != '[')
            return UNKNOWN;
        text = behind_cast(text + 1);
        return *text == '&' ? (name_at(text + 1, name) == VARIABLE ? VARIABLE : UNKNOWN)
                            : (name_at(text, name) == VALUE ? VALUE : UNKNOWN);
    }
    through = *text == '*';
    kind = name_at(text + through, name);
    if (kind == VALUE)
        through |= begins(name->at + name->n, "->") || begins(name->at + name->n, "(D)->");
    return kind == (through ? VALUE : VARIABLE) ? kind : UNKNOWN;
}

/* ---- private objects --------------------------------------------------------------------- */

/* True if the name is a non-static variable of the function. */
static bool is_local(const struct function *f, struct span name)
{
    if (begins(name.at, "<retval>"))
        return true;
    for (const char *at = f->head.at; at + name.n < f->head.at + f->head.n; at++) {
        const char *line = at;

        if (memcmp(at, name.at, name.n) != 0 || in_name(at[-1]) || in_name(at[name.n]))
            continue;
        while (line > f->head.at && line[-1] != '\n')
            line--;
        return !begins(line, "  static ") && !begins(line, "  extern ");
    }
    return false;
}

static int by_name(const void *a, const void *b)
{
    struct span x = (*(struct statement *const *)a)->defines, y = (*(struct statement *const *)b)->defines;
    int order = memcmp(x.at, y.at, x.n < y.n ? x.n : y.n);

    return order != 0 ? order : (x.n > y.n) - (x.n < y.n);
}

static struct statement *definition(const struct function *f, struct span name)
{
    struct statement key = { .defines = name }, *k = &key, **got;

    if (f->ndefines == 0)
        return NULL;
    got = bsearch(&k, f->by_name, f->ndefines, sizeof k, by_name);
    return got != NULL ? *got : NULL;
}

/* True for a call of an allocator with one argument (placement new has two), or of calloc. */
static bool allocates(const char *call)
{
    static const char *const names[] = { "operator newD.", "operator new []D.", "mallocD.", "__builtin_mallocD.",
                                         "callocD.", "__builtin_callocD.", NULL };

    for (const char *const *n = names; *n != NULL; n++)
        if (begins(call, *n))
            return begins(call, "operator") ? strchr(call, ',') == NULL : true;
    return false;
}

/* True if the value is the address where the caller wants the result.  Such a value has no name of
 * its own and is returned. */
static bool is_result(const struct function *f, struct span name)
{
    for (unsigned i = 0; i < f->n && *name.at == '_' && isdigit((unsigned char)name.at[1]); i++) {
        const char *text = f->statement[i].text + strlen("return ");

        if (begins(f->statement[i].text, "return ") && strncmp(text, name.at, name.n) == 0 &&
            strcmp(text + name.n, "(D);") == 0)
            return true;
    }
    return begins(name.at, "<retval>_");
}

/* Returns the right side of an assignment, or NULL if text is not one. */
static const char *right_side(const char *text)
{
    const char *plain = strstr(text, " = "), *marked = strstr(text, " ={v} ");

    if (marked != NULL && (plain == NULL || marked < plain))
        return marked + 6;
    return plain != NULL ? plain + 3 : NULL;
}

static struct root root_of(const struct function *f, enum kind kind, struct span name, unsigned depth);

/* Returns the private object that an assigned value points to; its kind is UNKNOWN if there is
 * none. text is the right side, `defines` the assigned value. */
static struct root root_of_text(const struct function *f, const char *text, struct span defines, unsigned depth)
{
    struct span name;
    enum kind kind;

    if (allocates(text))
        return (struct root){ VALUE, defines };
    text = behind_cast(text);
    if (*text == '&') {
        kind = base_of(text + 1, &name);
        return root_of(f, kind, name, depth);
    }
    if (name_at(text, &name) != VALUE)
        return (struct root){ 0 };
    text += name.n;
    if (begins(text, "(D)"))
        text += 3;
    return *text == ';' || begins(text, " + ") ? root_of(f, VALUE, name, depth) : (struct root){ 0 };
}

static struct root root_of(const struct function *f, enum kind kind, struct span name, unsigned depth)
{
    struct statement *s;

    if (kind == VARIABLE)
        return is_local(f, name) ? (struct root){ VARIABLE, name } : (struct root){ 0 };
    if (kind == UNKNOWN || depth == 0)
        return (struct root){ 0 };
    s = definition(f, name);
    if (s == NULL)
        return is_result(f, name) || (f->constructor && begins(name.at, "this_")) ? (struct root){ VALUE, name }
                                                                                  : (struct root){ 0 };
    if (!s->resolved) {
        s->resolved = true;
        s->root = root_of_text(f, right_side(s->text), s->defines, depth - 1);
    }
    return s->root;
}

/* ---- calls --------------------------------------------------------------------------------------- */

/* True if the right side is a call.  Only calls and plain copies assign to memory that threads may
 * share, and gcc announces the copies. */
static bool is_call(const char *right)
{
    const char *end = strrchr(right, ';');

    return end != NULL && end > right && end[-1] == ')' && strstr(right, " (") != NULL && *right != '"' &&
           !begins(right, "VIEW_CONVERT_EXPR<");
}

/* Skips <...> backwards from its last character.  Returns the position before it. */
static const char *before_arguments(const char *from, const char *last)
{
    int depth = 0;

    for (; last > from; last--) {
        depth += (*last == '>') - (*last == '<');
        if (depth == 0)
            return *last == '<' ? last - 1 : last;
    }
    return from;
}

/* In a call of a constructor A::A, returns the position after its first argument.  In all other
 * calls, returns text. */
static const char *behind_object(const char *text)
{
    const char *last = NULL, *arguments = strstr(text, " ("), *a, *b;

    for (const char *d = strstr(text, "D."); d != NULL && last == NULL; d = strstr(d + 1, "D.")) {
        const char *end = number_end(d);

        if (end != NULL && begins(end, " (")) {
            last = d - 1;
            arguments = end + 2;
        }
    }
    if (last == NULL || last <= text)
        return text;
    a = last = before_arguments(text, last);
    while (a > text && (isalnum((unsigned char)a[-1]) || a[-1] == '_'))
        a--;
    if (a - text < 3 || a[-1] != ':' || a[-2] != ':')
        return text;
    b = before_arguments(text, a - 3) - (last - a);
    if (b < text || memcmp(a, b, (size_t)(last - a) + 1) != 0 || (b > text && in_name(b[-1])))
        return text;
    return arguments + strcspn(arguments, ",");
}

/* ---- escaping ---------------------------------------------------------------------------- */

/* True if an ampersand precedes the memory reference that has the name at `at`. */
static bool address_taken(const char *text, const char *at)
{
    while (at > text && at[-1] == '(' )
        at--;
    return at > text && at[-1] == '&';
}

/* Returns the beginning of MEM if the name at `at` is in MEM[(type)NAME + 8B] or MEM[(type)&NAME],
 * otherwise NULL. */
static const char *memory_around(const char *text, const char *at)
{
    const char *open = at;
    int depth = 0;

    if (open > text && open[-1] == '&')
        open--;
    if (open > text && open[-1] == ')')
        do {
            open--;
            depth += (*open == ')') - (*open == '(');
        } while (depth > 0 && open > text);
    if (open == text || open[-1] != '[')
        return NULL;
    while (open > text && !begins(open, "MEM"))
        open--;
    return begins(open, "MEM") ? open : NULL;
}

/* True if the object of the name at `at` (a variable, or a pointer to the object) escapes there.
 * False if it is only used. */
static bool hands_on(const char *text, const char *at, struct span name, enum kind kind)
{
    const char *memory = memory_around(text, at), *next = at + name.n;

    if (memory != NULL)
        return address_taken(text, memory);
    if (kind == VARIABLE)
        return address_taken(text, at);
    if (begins(next, "(D)"))
        next += 3;
    if (at > text && at[-1] == '*')
        return address_taken(text, at - 1);
    return begins(next, "->") ? address_taken(text, at) : true;
}

static bool names_root(const struct function *f, enum kind kind, struct span name, struct root r)
{
    if (kind == VARIABLE)
        return r.kind == VARIABLE && same(name, r.name);
    return kind == VALUE && same_root(root_of(f, VALUE, name, DEPTH), r);
}

/* True for functions of the C library that take times and keep no address of them. */
static bool takes_time(const char *call)
{
    static const char *const names[] = {
        "pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
        "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
        "pthread_rwlock_clockwrlock", "pthread_timedjoin_np", "pthread_clockjoin_np", "sem_timedwait",
        "sem_clockwait", "mtx_timedlock", "cnd_timedwait", "thrd_sleep", "nanosleep", "clock_nanosleep",
        "clock_gettime", "clock_settime", "gettimeofday", "timespec_get", "sigtimedwait", "select", "pselect",
        "ppoll", "timer_settime", "timerfd_settime", "setitimer",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(call, names[i]) && begins(call + strlen(names[i]), "D."))
            return true;
    return false;
}

/* True for calls that keep no address of their arguments: iterators of the C++ library, and
 * operators except calls and assignments. */
static bool keeps_nothing(const char *text)
{
    const char *right = right_side(text), *call = right != NULL ? right : text;
    const char *op = strstr(call, "::operator"), *iterator = strstr(call, "_iterator<"), *arguments = call;

    if (takes_time(call))
        return true;
    if (!begins(call, "std::") && !begins(call, "__gnu_cxx::"))
        return false;
    while (arguments != NULL && number_end(arguments) == NULL)
        arguments = strstr(arguments + 1, "D.");
    if (arguments == NULL)
        return false;
    if (op != NULL && op < arguments)
        return strchr("(D", op[strlen("::operator")]) == NULL && !begins(op, "::operator=D");
    return iterator != NULL && iterator < arguments;
}

/* True if the object escapes in the statement. */
static bool gives(const struct function *f, const struct statement *s, struct root r)
{
    if (begins(s->text, "# DEBUG") || begins(s->text, "__builtin___tsan_") || begins(s->text, "if (") ||
        begins(s->text, "return") || strstr(s->text, "{CLOBBER") != NULL)
        return false;
    if (s->defines.n > 0 && same_root(root_of(f, VALUE, s->defines, DEPTH), r))
        return false;
    for (const char *at = s->text; *at != '\0';) {
        struct span name;
        enum kind kind = name_at(at, &name);

        if (name.n == 0) {
            at++;
            continue;
        }
        if (names_root(f, kind, name, r) && hands_on(s->text, at, name, kind) && at >= behind_object(s->text) &&
            !keeps_nothing(s->text))
            return true;
        at += name.n;
        if (kind == VARIABLE) /* its members are not separate names */
            at += strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.");
    }
    return false;
}

/* True if the lifetime of the variable begins or ends in the statement. */
static bool renews(const struct statement *s, struct root r)
{
    return r.kind == VARIABLE && strncmp(s->text, r.name.at, r.name.n) == 0 && begins(s->text + r.name.n, " ={v} {CLOBBER");
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
    return begins(text, "goto ") || begins(text, "return") || begins(text, "resx ");
}

/* Marks the successors of a block at whose end the object may have escaped.  Returns true if a mark
 * was added. */
static bool spread_from(struct function *f, unsigned number)
{
    const struct block *b = &f->block[number];
    bool changed = false;

    for (unsigned i = b->first; i < b->end; i++) {
        const char *to = f->statement[i].text;

        if (begins(to, "goto <bb "))
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

    if (r.kind == VALUE && begins(r.name.at, "this_") && begins(f->symbol, "_ZNSt")) /* libstdc++ */
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
    const char *right = s->defines.n == 0 && *s->text != '#' && !begins(s->text, "if (") ? right_side(s->text) : NULL;

    return right != NULL && is_call(right);
}

static bool is_shared_store(struct function *f, unsigned number)
{
    const char *text = f->statement[number].text;
    struct root r;
    struct span name;
    enum kind kind;

    if (!is_store(&f->statement[number]))
        return false;
    kind = base_of(text, &name);
    r = root_of(f, kind, name, DEPTH);
    if (kind == VARIABLE && r.kind == VARIABLE && name.at == text && begins(text + name.n, " = ") && is_beginning(text))
        return false;
    return r.kind == UNKNOWN || is_given(f, number, r);
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
            follows = begins(f->statement[i].text, jump);
        f->block[k].entered |= again || !follows;
    }
}

static void look(struct function *f, void (*found)(const struct hd_struct_returns_place *, void *), void *arg)
{
    bool any = false;

    for (unsigned i = 0; i < f->n && !any; i++)
        any = is_store(&f->statement[i]);
    for (unsigned i = 0; i < f->n && any; i++)
        if (f->statement[i].defines.n > 0)
            *HD_PUSH(f->by_name, f->ndefines) = &f->statement[i];
    if (f->ndefines > 0)
        qsort(f->by_name, f->ndefines, sizeof *f->by_name, by_name);
    if (any)
        find_entered(f);
    for (unsigned i = 0; i < f->n && any; i++) {
        const struct statement *s = &f->statement[i];

        if (!is_shared_store(f, i) || begins(f->symbol, ORDERS_ITSELF))
            continue;
        found(&(struct hd_struct_returns_place){ f->symbol, s->file != NULL ? s->file : "", s->line }, arg);
        return;
    }
}

static void forget(struct function *f)
{
    for (unsigned i = 0; i < f->n; i++)
        free((char *)(uintptr_t)f->statement[i].file);
    free(f->statement);
    free(f->by_name);
    free(f->block);
    memset(f, 0, sizeof *f);
}

/* ---- the dump ---------------------------------------------------------------------------------------------- */

/* True if the (nested) name in a symbol ends with C1 or C2. */
static bool is_constructor(const char *symbol)
{
    if (!begins(symbol, "_ZN"))
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
    struct span name;

    strip(s.text, &s);
    if (*s.text == '\0' || strcmp(s.text, "else") == 0) {
        free((char *)(uintptr_t)s.file);
        return;
    }
    if (name_at(s.text, &name) == VALUE && (begins(name.at + name.n, " = ") || begins(name.at + name.n, " ={v} ")))
        s.defines = name;
    *HD_PUSH(f->statement, f->n) = s;
    f->block[f->nblocks - 1].end = f->n;
}

static void take_line(struct function *f, char *line)
{
    int number;

    if (begins(line, "  <bb ") && sscanf(line, "  <bb %d>", &number) == 1) {
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
        if (begins(line, ";; Function ")) {
            forget(&f);
            begin_function(&f, line);
            f.head.at = next;
        } else if (f.head.at != NULL && f.nblocks > 0 && *line == '}') {
            look(&f, found, arg);
            forget(&f);
        } else if (f.head.at != NULL) {
            if (f.nblocks > 0 || begins(line, "  <bb "))
                line[n] = '\0';
            take_line(&f, line);
        }
    }
    forget(&f);
}
