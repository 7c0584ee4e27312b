/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.c - reads the list of programs and the lists of strategies and seeds. */
#include "study/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- programs --------------------------------------------------------------------------------- */

static bool take_row(struct hd_study_list *l, size_t row, const char *path, char *error, size_t cap)
{
    const struct hd_tsv *t = &l->tsv;
    struct hd_study_program *p = &l->program[row];

#define COLUMN(name) hd_tsv_get(t, row, hd_tsv_column(t, name))
    *p = (struct hd_study_program){
        .id = COLUMN("id"), .suite = COLUMN("suite"), .name = COLUMN("name"),
        .source = COLUMN("source"), .cflags = COLUMN("cflags"), .arguments = COLUMN("arguments"),
        .kinds = COLUMN("kinds"), .notes = COLUMN("notes"), .options = COLUMN("options"),
    };
#undef COLUMN
    l->n++;
    if (p->name[0] == '\0' || p->source[0] == '\0') {
        snprintf(error, cap, "%s:%zu: %s is missing", path, t->line[row],
                 p->name[0] == '\0' ? "the name" : "the source");
        return false;
    }
    for (size_t i = 0; i < row; i++)
        if (strcmp(l->program[i].name, p->name) == 0) {
            snprintf(error, cap, "%s:%zu: %s is there already, in line %zu", path, t->line[row],
                     p->name, t->line[i]);
            return false;
        }
    return true;
}

bool hd_study_list_read(struct hd_study_list *l, const char *path, char *error, size_t cap)
{
    static const char *const needed[] = { "name", "source" };

    *l = (struct hd_study_list){ .n = 0 };
    if (!hd_tsv_read(&l->tsv, path, error, cap))
        return false;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (hd_tsv_column(&l->tsv, needed[i]) < 0) {
            snprintf(error, cap, "%s has no column '%s'; its first line names the columns, with tabs "
                     "between them, and 'name' and 'source' are needed", path, needed[i]);
            goto bad;
        }
    if (l->tsv.rows == 0) {
        snprintf(error, cap, "%s lists no programs", path);
        goto bad;
    }
    l->program = hd_zeroed(l->tsv.rows, sizeof *l->program);
    for (size_t row = 0; row < l->tsv.rows; row++)
        if (!take_row(l, row, path, error, cap))
            goto bad;
    return true;
bad:
    hd_study_list_free(l);
    return false;
}

void hd_study_list_free(struct hd_study_list *l)
{
    free(l->program);
    hd_tsv_free(&l->tsv);
    *l = (struct hd_study_list){ .n = 0 };
}

/* Calls fn for the parts of text between separators until it returns true. */
static bool any_part(const char *text, const char *separators,
                     bool (*fn)(const void *ctx, const char *part), const void *ctx)
{
    char part[256];

    for (;;) {
        size_t n = strcspn(text, separators);

        snprintf(part, sizeof part, "%.*s", (int)(n < sizeof part ? n : sizeof part - 1), text);
        if (n > 0 && fn(ctx, part))
            return true;
        if (text[n] == '\0')
            return false;
        text += n + 1;
    }
}

static bool pattern_fits(const void *pattern, const char *word)
{
    return fnmatch(pattern, word, 0) == 0;
}

static bool misses_program(const void *ctx, const char *pattern)
{
    const struct hd_study_program *p = ctx;

    return !pattern_fits(pattern, p->name) && !pattern_fits(pattern, p->suite) &&
           !any_part(p->notes, " ;", pattern_fits, pattern);
}

/* All patterns joined by + must match. */
static bool fits_program(const void *ctx, const char *patterns)
{
    return !any_part(patterns, "+", misses_program, ctx);
}

bool hd_study_selects(const char *patterns, const struct hd_study_program *p)
{
    return patterns == NULL || any_part(patterns, ",", fits_program, p);
}

static bool same(const void *kind, const char *word)
{
    return strcmp(kind, word) == 0;
}

bool hd_study_kind_expected(const char *kinds, const char *kind)
{
    return kinds[0] == '\0' || any_part(kinds, "|", same, kind);
}

/* ---- strategies and seeds --------------------------------------------------------------------- */

/* True if the text after a comma is another parameter, that is, key=value without a name before it. */
static bool is_parameter(const char *text)
{
    size_t n = strcspn(text, ",;:=");

    return text[n] == '=';
}

static size_t strategy_length(const char *text)
{
    size_t n = strcspn(text, ",;");

    while (text[n] == ',' && is_parameter(text + n + 1))
        n += 1 + strcspn(text + n + 1, ",;");
    return n;
}

static bool already(const struct hd_study_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

bool hd_study_strategies(const char *text, struct hd_study_names *out, char *error, size_t cap)
{
    out->n = 0;
    for (;;) {
        size_t n = strategy_length(text);
        char *name = out->name[out->n];

        if (out->n == HD_STUDY_STRATEGIES || n >= HD_STUDY_NAME) {
            snprintf(error, cap, out->n == HD_STUDY_STRATEGIES ? "more than %d strategies"
                     : "the name of a strategy is longer than %d characters",
                     out->n == HD_STUDY_STRATEGIES ? HD_STUDY_STRATEGIES : HD_STUDY_NAME - 1);
            return false;
        }
        snprintf(name, HD_STUDY_NAME, "%.*s", (int)n, text);
        if (n == 0 || already(out, name)) {
            snprintf(error, cap, n == 0 ? "the name of a strategy is empty%s" : "'%s' is there twice", name);
            return false;
        }
        out->n++;
        if (text[n] == '\0')
            return true;
        text += n + 1;
    }
}

static bool number(const char **text, uint64_t *n)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *n = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

bool hd_study_seeds(const char *text, struct hd_study_seeds *out, char *error, size_t cap)
{
    const char *at = text;
    uint64_t last = 0;
    bool good = number(&at, &last) && (*at == '\0' || strncmp(at, "..", 2) == 0);

    out->first = 1;
    if (good && *at != '\0') {
        out->first = last;
        at += 2;
        good = number(&at, &last) && *at == '\0';
    }
    /* SQLite's numbers are signed */
    good = good && last >= out->first && last <= INT64_MAX && last - out->first < 1000000;
    out->n = good ? last - out->first + 1 : 0;
    if (!good)
        snprintf(error, cap, "seeds are a number, 20 for those from 1 to 20, or a range such as 5..8 "
                 "of at most 1000000, not '%s'", text);
    return good;
}
