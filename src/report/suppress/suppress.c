/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress.c - reads suppressions.  A line that cannot be parsed is an error: a stanza without one
 * of its lines would match more than its author intended. */
#include "report/suppress/suppress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/regular.h"
#include "base/vec.h"

enum { MAX_BYTES = 16 << 20 }; /* larger than any real file */

struct reader {
    struct hd_suppressions *into;
    struct hd_suppression *open; /* the current stanza; NULL: outside of a stanza */
    const char *file;
    unsigned line;
    char *error;
    size_t cap;
};

static bool wrong(const struct reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes an error message.  Returns false, so that callers can return its result. */
static bool wrong(const struct reader *r, const char *fmt, ...)
{
    int n = snprintf(r->error, r->cap, "%s:%u: ", r->file, r->line);
    va_list ap;

    va_start(ap, fmt);
    if (n >= 0 && (size_t)n < r->cap)
        vsnprintf(r->error + n, r->cap - (size_t)n, fmt, ap);
    va_end(ap);
    return false;
}

/* ---- lines --------------------------------------------------------------------------- */

static bool covers_some_kind(const char *glob)
{
    for (int k = 0; k < HD_FK_COUNT; k++)
        if (hd_supp_allowed((enum hd_finding_kind)k) &&
            hd_supp_glob(glob, hd_finding_kind_text((enum hd_finding_kind)k)))
            return true;
    return false;
}

static bool set_once(const struct reader *r, const char **field, const char *key, const char *value)
{
    if (*field != NULL)
        return wrong(r, "a second '%s:' in the same suppression; write another one", key);
    *field = value;
    return true;
}

static bool is_warning(const char *kind)
{
    for (int k = HD_WARN_NONE + 1; k < HD_WARN_COUNT; k++)
        if (strcmp(kind, hd_warning_kind_text((enum hd_warning_kind)k)) == 0)
            return true;
    return false;
}

static bool set_kind(const struct reader *r, const char *value)
{
    if (is_warning(value))
        return wrong(r, "%s is a warning, and warnings cannot be suppressed: they neither "
                        "stop nor fail a search", value);
    if (strcmp(value, hd_finding_kind_text(HD_FK_NONDETERMINISM)) == 0)
        return wrong(r, "nondeterminism cannot be suppressed: a search over a program that does "
                        "not repeat itself is worth nothing; remove its cause");
    if (!covers_some_kind(value))
        return wrong(r, "there is no kind of finding '%s'; 'heddle list detectors' names them",
                     value);
    return set_once(r, &r->open->kind, "kind", value);
}

static bool add_variable(struct hd_suppression *s, const char *value)
{
    *HD_PUSH(s->variables, s->nvariables) = value;
    return true;
}

static bool add_line(const struct reader *r, enum hd_supp_part part, const char *glob)
{
    struct hd_suppression *s = r->open;

    *HD_PUSH(s->lines, s->nlines) = (struct hd_supp_line){ part, glob };
    return true;
}

static bool ends_with_stack(const struct hd_suppression *s)
{
    return s->nlines > 0 && s->lines[s->nlines - 1].part == HD_SUPP_STACK;
}

static bool begin_stack(const struct reader *r, const char *value)
{
    if (*value != '\0')
        return wrong(r, "'stack:' stands alone; its frames follow, a line each");
    if (ends_with_stack(r->open))
        return wrong(r, "no frames after the 'stack:' before this one; '...' stands for any");
    return add_line(r, HD_SUPP_STACK, NULL);
}

static bool set(const struct reader *r, const char *key, const char *value)
{
    static const struct {
        const char *key;
        enum hd_supp_part part;
    } frames[] = { { "fun", HD_SUPP_FUN }, { "file", HD_SUPP_FILE }, { "obj", HD_SUPP_OBJ } };

    if (strcmp(key, "stack") == 0)
        return begin_stack(r, value);
    if (*value == '\0')
        return wrong(r, "'%s:' wants a pattern, such as '%s: *'", key, key);
    if (strcmp(key, "kind") == 0)
        return set_kind(r, value);
    if (strcmp(key, "variable") == 0)
        return add_variable(r->open, value);
    if (strcmp(key, "message") == 0)
        return set_once(r, &r->open->message, key, value);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        if (strcmp(key, frames[i].key) == 0)
            return add_line(r, frames[i].part, value);
    return wrong(r, "unknown key '%s'; there are kind, variable, message, stack, fun, file, obj "
                    "and '...'", key);
}

/* Splits "key: value" in place and returns the key; NULL if the line has no key. */
static char *cut_key(char *text, char **value)
{
    size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");

    if (n == 0 || text[n] != ':')
        return NULL;
    text[n] = '\0';
    *value = text + n + 1 + strspn(text + n + 1, " \t");
    return text;
}

static bool is_key(const char *text)
{
    static const char *const keys[] = { "kind:", "variable:", "message:", "stack:",
                                        "fun:", "file:", "obj:", "..." };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(text, keys[i], strlen(keys[i])) == 0)
            return true;
    return false;
}

/* ---- stanzas ------------------------------------------------------------------------------ */

static bool begin(struct reader *r)
{
    struct hd_suppressions *s = r->into;

    r->open = HD_PUSH(s->all, s->n);
    *r->open = (struct hd_suppression){ .file = r->file, .line = r->line };
    return true;
}

static bool end(struct reader *r)
{
    const struct hd_suppression *s = r->open;

    if (s->name == NULL)
        return wrong(r, "a suppression without a name; its first line says why it is there");
    if (s->kind == NULL)
        return wrong(r, "'%s' has no kind; add a line such as 'kind: data-race'", s->name);
    if (ends_with_stack(s))
        return wrong(r, "no frames after the last 'stack:'; '...' stands for any");
    if (strspn(s->kind, "*") == strlen(s->kind) && s->nvariables == 0 && s->message == NULL &&
        s->nlines == 0)
        return wrong(r, "'%s' would suppress everything; say what it is about: a kind, a variable "
                        "or a stack", s->name);
    r->open = NULL;
    return true;
}

static bool inside(struct reader *r, char *text)
{
    char *value;

    if (strcmp(text, "}") == 0)
        return end(r);
    if (strcmp(text, "{") == 0)
        return wrong(r, "the suppression that begins at line %u has no '}'", r->open->line);
    if (r->open->name == NULL) {
        if (is_key(text))
            return wrong(r, "the first line after '{' is the name of the suppression: say there "
                            "why it is harmless");
        r->open->name = text;
        return true;
    }
    if (strcmp(text, "...") == 0)
        return add_line(r, HD_SUPP_ANY, NULL);
    char *key = cut_key(text, &value);

    if (key == NULL)
        return wrong(r, "'%s' is neither 'key: pattern' nor '...' nor '}'", text);
    return set(r, key, value);
}

static bool take(struct reader *r, char *text)
{
    size_t n;

    text += strspn(text, " \t");
    for (n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]) != NULL; n--)
        text[n - 1] = '\0';
    if (*text == '\0' || *text == '#')
        return true;
    if (r->open != NULL)
        return inside(r, text);
    if (strcmp(text, "{") == 0)
        return begin(r);
    return wrong(r, "expected '{' in a line of its own, which begins a suppression, not '%s'", text);
}

/* ---- files -------------------------------------------------------------------------------- */

static void forget_since(struct hd_suppressions *s, unsigned n)
{
    while (s->n > n) {
        s->n--;
        free(s->all[s->n].lines);
        free(s->all[s->n].variables);
    }
}

/* Parses a text and takes ownership of it.  Returns false on an error. */
static bool parse(struct hd_suppressions *s, const char *file, char *text, char *error, size_t cap)
{
    struct reader r = { .into = s, .file = file, .error = error, .cap = cap };
    unsigned before = s->n;
    bool ok = true;

    *HD_PUSH(s->texts, s->ntexts) = text;
    while (ok && text != NULL) {
        char *rest = strchr(text, '\n');

        if (rest != NULL)
            *rest++ = '\0';
        r.line++;
        ok = take(&r, text);
        text = rest;
    }
    if (ok && r.open != NULL)
        ok = wrong(&r, "the suppression that begins at line %u has no '}'", r.open->line);
    if (!ok)
        forget_since(s, before);
    return ok;
}

bool hd_suppressions_parse(struct hd_suppressions *s, const char *file, const char *text,
                           char *error, size_t cap)
{
    char *copy = hd_copied(text);

    return parse(s, file, copy, error, cap);
}

/* Returns the contents of the file, or NULL with the reason in *problem. */
static char *contents(const char *path, const char **problem)
{
    FILE *in = hd_regular_open(path, MAX_BYTES, problem);
    char *text = NULL;
    size_t cap = 0;

    if (in == NULL)
        return NULL;
    ssize_t n = getdelim(&text, &cap, '\0', in);

    if (ferror(in))
        *problem = strerror(errno);
    else if (n > 0 && text[n - 1] == '\0')
        *problem = "it is not a text";
    else if (n <= 0) { /* an empty file is an empty list */
        free(text);
        text = strdup("");
    }
    fclose(in);
    if (*problem == NULL)
        return text;
    free(text);
    return NULL;
}

bool hd_suppressions_read(struct hd_suppressions *s, const char *path, char *error, size_t cap)
{
    const char *problem;
    char *text = contents(path, &problem);

    if (text != NULL)
        return parse(s, path, text, error, cap);
    snprintf(error, cap, "cannot read the suppressions in %s: %s; 'heddle suppress' prints one "
                         "to begin with", path, problem != NULL ? problem : "out of memory");
    return false;
}

void hd_suppressions_mute(struct hd_suppressions *s, enum hd_finding_kind kind)
{
    const char *name = hd_finding_kind_text(kind);

    *HD_PUSH(s->all, s->n) = (struct hd_suppression){ .name = name, .kind = name };
}

void hd_suppressions_free(struct hd_suppressions *s)
{
    forget_since(s, 0);
    for (unsigned i = 0; i < s->ntexts; i++)
        free(s->texts[i]);
    free(s->texts);
    free(s->all);
    *s = (struct hd_suppressions){ .n = 0 };
}
