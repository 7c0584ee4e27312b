/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats_read.c - reads stats.json.  Minimal JSON reader: keeps known fields, skips the
 * rest.  The file is small and read at once. */
#include "status/stats_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_BYTES = 1 << 20, MAX_NAME = 64 };

struct text {
    const char *at;
};

static bool value(struct text *t, unsigned depth, enum hd_stats_type type, void *to, size_t size);

static char next(struct text *t)
{
    t->at += strspn(t->at, " \t\r\n");
    return *t->at;
}

static bool take(struct text *t, const char *word)
{
    size_t n = strlen(word);

    next(t);
    if (strncmp(t->at, word, n) != 0)
        return false;
    t->at += n;
    return true;
}

/* ---- strings ------------------------------------------------------------------------------------- */

static bool escaped(struct text *t, char *c)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found;
    unsigned code;
    int n = 0;

    if (*t->at == 'u') {
        if (sscanf(t->at + 1, "%4x%n", &code, &n) != 1 || n != 4)
            return false;
        t->at += 5;
        *c = code > 0 && code < 0x80 ? (char)code : '?';
        return true;
    }
    found = *t->at != '\0' ? strchr(from, *t->at) : NULL;
    if (found == NULL)
        return false;
    *c = to[found - from];
    t->at++;
    return true;
}

/* Truncates a text that does not fit. */
static bool string(struct text *t, char *to, size_t cap)
{
    size_t n = 0;

    if (!take(t, "\""))
        return false;
    while (*t->at != '"') {
        char c = *t->at;

        if ((unsigned char)c < 0x20)
            return false;
        t->at++;
        if (c == '\\' && !escaped(t, &c))
            return false;
        if (n + 1 < cap)
            to[n++] = c;
    }
    t->at++;
    if (cap > 0)
        to[n] = '\0';
    return true;
}

/* ---- numbers -------------------------------------------------------------------------------------- */

static bool number(struct text *t, double *as_double, uint64_t *as_count)
{
    char *end;

    if (next(t) != '-' && (*t->at < '0' || *t->at > '9'))
        return false;
    *as_count = *t->at == '-' ? 0 : strtoull(t->at, NULL, 10); /* a seed has 64 bits */
    *as_double = strtod(t->at, &end);
    if (end == t->at)
        return false;
    t->at = end;
    return true;
}

/* ---- objects and lists ------------------------------------------------------------------------------ */

static bool kind_of(const char *name, unsigned *kind)
{
    for (*kind = 0; *kind < HD_FK_COUNT; (*kind)++)
        if (strcmp(hd_finding_kind_text((enum hd_finding_kind)*kind), name) == 0)
            return true;
    return false;
}

/* For type KINDS stores the known kinds; otherwise skips all members. */
static bool members(struct text *t, unsigned depth, enum hd_stats_type type, uint64_t *kinds)
{
    char name[MAX_NAME];
    unsigned kind;

    if (!take(t, "{") || take(t, "}"))
        return t->at[-1] == '}';
    do {
        if (!string(t, name, sizeof name) || !take(t, ":"))
            return false;
        bool known = type == HD_STATS_KINDS && kinds != NULL && kind_of(name, &kind);

        if (!value(t, depth + 1, HD_STATS_COUNT, known ? &kinds[kind] : NULL, 0))
            return false;
    } while (take(t, ","));
    return take(t, "}");
}

static bool elements(struct text *t, unsigned depth)
{
    if (!take(t, "[") || take(t, "]"))
        return t->at[-1] == ']';
    do {
        if (!value(t, depth + 1, HD_STATS_COUNT, NULL, 0))
            return false;
    } while (take(t, ","));
    return take(t, "]");
}

/* Parses a value of any kind and stores it if `to` is not NULL and the type fits. */
static bool value(struct text *t, unsigned depth, enum hd_stats_type type, void *to, size_t size)
{
    double d;
    uint64_t count;
    bool yes;

    if (depth > MAX_DEPTH)
        return false;
    switch (next(t)) {
    case '{':
        return members(t, depth, type, to);
    case '[':
        return elements(t, depth);
    case '"':
        return string(t, to, to != NULL && type == HD_STATS_TEXT ? size : 0);
    case 'n':
        return take(t, "null");
    case 't':
    case 'f':
        yes = *t->at == 't';
        if (to != NULL && type == HD_STATS_TRUTH)
            *(bool *)to = yes;
        return take(t, yes ? "true" : "false");
    default:
        if (!number(t, &d, &count))
            return false;
        if (to != NULL && type == HD_STATS_COUNT)
            *(uint64_t *)to = count;
        if (to != NULL && type == HD_STATS_NUMBER)
            *(double *)to = d;
        return true;
    }
}

static bool field(struct text *t, struct hd_stats *out)
{
    char name[MAX_NAME];

    if (!string(t, name, sizeof name) || !take(t, ":"))
        return false;
    for (size_t i = 0; i < hd_stats_field_count; i++) {
        const struct hd_stats_field *f = &hd_stats_fields[i];

        if (strcmp(f->name, name) == 0)
            return value(t, 0, f->type, (char *)out + f->at, f->size);
    }
    return value(t, 0, HD_STATS_COUNT, NULL, 0);
}

bool hd_stats_parse(const char *text, struct hd_stats *out)
{
    struct text t = { text };

    hd_stats_clear(out);
    if (!take(&t, "{"))
        return false;
    do {
        if (!field(&t, out))
            return false;
    } while (take(&t, ","));
    return take(&t, "}") && next(&t) == '\0' && out->version != 0;
}

bool hd_stats_read(const char *path, struct hd_stats *out)
{
    FILE *in = fopen(path, "re");
    char *text = in != NULL ? malloc(MAX_BYTES + 1) : NULL;
    bool ok = false;

    if (text != NULL) {
        size_t n = fread(text, 1, MAX_BYTES, in);

        text[n] = '\0';
        ok = strlen(text) == n && hd_stats_parse(text, out);
        if (!ok)
            errno = EBADMSG;
        free(text);
    }
    int saved = errno;

    if (in != NULL)
        fclose(in);
    errno = saved;
    return ok;
}
