/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outcomes.c - writes files of outcomes, reads them, and judges the outcomes.  It does not trust the files that it
 * reads. */
#include "campaign/search/outcomes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "linear/table.h"

void hd_outcomes_put_rules(const struct hd_options *o, FILE *out)
{
    if (o->criterion != HD_LIN_LINEARIZABLE)
        fputs(o->criterion == HD_LIN_SEQUENTIAL ? "S\n" : "Q\n", out);
    for (uint32_t i = 0; i < o->nrules; i++)
        fprintf(out, "R%c %.*s\n", hd_lin_rule_signs[o->rules[i].rule], o->rules[i].size, o->rules[i].component);
}

bool hd_outcomes_write(const struct hd_options *o, const char *lines, const struct hd_lin_book *book,
                       const struct hd_lin_kept *kept, bool complete)
{
    FILE *out = fopen(o->outcomes_file, "w");

    if (out == NULL) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", o->outcomes_file, strerror(errno));
        return false;
    }
    fprintf(out, "heddle-outcomes 1\nprogram %s\ncomplete %d\nbook %zu\n%s", o->args[0], complete && !kept->full,
            strlen(lines) + book->used, lines);
    fwrite(book->text, 1, book->used, out);
    for (uint32_t i = 0; i < HD_LIN_KEPT; i++)
        if (kept->entry[i].size > 0) {
            fprintf(out, "times %" PRIu64 " %u\n", kept->entry[i].times, kept->entry[i].size);
            fwrite(kept->text + kept->entry[i].at, 1, kept->entry[i].size, out);
        }
    bool ok = !ferror(out);

    ok = fclose(out) == 0 && ok;
    if (!ok)
        fprintf(stderr, "heddle: cannot write %s: %s\n", o->outcomes_file, strerror(errno));
    return ok;
}

/* ---- judging again ------------------------------------------------------------------------------ */

struct judging {
    const struct hd_options *o;
    char *file, *at, *end; /* contents of the file; [at, end) is still to be read */
    bool complete;
    char *book;
    struct hd_lin_table *table;
    struct hd_lin_record *record;
    uint64_t different, executions, by_rule, misfits, unknown;
    struct hd_lin_saved saved[HD_LIN_COMPONENTS];
};

/* Reads "word number...".  Returns false if the line is another one. */
static bool read_line(struct judging *g, const char *word, uint64_t *first, uint64_t *second)
{
    size_t n = strlen(word);
    char *end;

    if (strncmp(g->at, word, n) != 0 || g->at[n] != ' ')
        return false;
    *first = strtoull(g->at + n, &end, 10);
    if (second != NULL)
        *second = strtoull(end, &end, 10);
    if (*end != '\n')
        return false;
    g->at = end + 1;
    return true;
}

static bool read_head(struct judging *g)
{
    uint64_t version, complete, size, nrules;
    char *rules;
    size_t used;

    if (!read_line(g, "heddle-outcomes", &version, NULL) || version != 1 || strncmp(g->at, "program ", 8) != 0)
        return false;
    g->at += strcspn(g->at, "\n");
    g->at += *g->at == '\n';
    if (!read_line(g, "complete", &complete, NULL) || !read_line(g, "book", &size, NULL) || size > (uint64_t)(g->end - g->at))
        return false;
    g->complete = complete == 1;
    FILE *out = hd_memory_stream(&rules, &used);

    hd_outcomes_put_rules(g->o, out);
    nrules = (fflush(out), used);
    fwrite(g->at, 1, size, out);
    fclose(out);
    g->book = rules;
    g->at += size;
    return hd_lin_table_load(g->table, g->book, nrules + size);
}

static void show(const struct judging *g)
{
    const struct hd_lin_record *r = g->record;

    printf("not explained:\n");
    for (uint32_t i = 0; i < r->nops; i++)
        printf("  %-12.40s%s -> %s\n", r->op[i].client < r->nclients ? hd_lin_text(r, r->name[r->op[i].client]) : "afterwards",
               hd_lin_text(r, r->op[i].call), r->op[i].end != HD_LIN_LOST ? hd_lin_text(r, r->op[i].result) : "(not returned)");
    for (uint32_t i = 0; i < r->nelements; i++)
        printf("  %-12.40s%s\n", hd_lin_text(r, r->component[r->element[i].component].name), hd_lin_text(r, r->element[i].text));
}

static bool judge_next(struct judging *g)
{
    uint64_t times, size;

    if (!read_line(g, "times", &times, &size) || size > (uint64_t)(g->end - g->at) ||
        hd_lin_read(g->at, g->at + size, g->record) != g->at + size)
        return false;
    g->at += size;
    struct hd_lin_verdict v = hd_lin_judge(g->table, g->record);

    g->different++;
    g->executions += times;
    if (v.fit == HD_LIN_MISFIT && g->misfits++ == 0)
        show(g);
    g->unknown += v.fit == HD_LIN_UNKNOWN;
    if (v.fit != HD_LIN_FITS_BY_RULE)
        return true;
    g->by_rule += times;
    for (uint32_t c = 0; c < g->record->ncomponents; c++)
        if (v.saved >> c & 1)
            hd_lin_count(g->saved, hd_lin_text(g->record, g->record->component[c].name),
                         hd_lin_rule_for(g->table, g->record, c), times);
    return true;
}

static int conclude(const struct judging *g)
{
    printf("%s: %" PRIu64 " executions with %" PRIu64 " different outcomes: %" PRIu64 " outcome%s not explained, %" PRIu64
           " execution%s only by a rule\n", g->o->args[0], g->executions, g->different, g->misfits, g->misfits == 1 ? " is" : "s are",
           g->by_rule, g->by_rule == 1 ? "" : "s");
    for (uint32_t i = 0; i < HD_LIN_COMPONENTS && g->saved[i].key != 0; i++)
        printf("  %s=%s: %" PRIu64 "\n", g->saved[i].name, hd_lin_rule_words[g->saved[i].rule], g->saved[i].n);
    if (g->misfits > 0)
        return HD_EXIT_FINDING;
    if (!g->complete || g->unknown > 0) {
        puts("The search behind this file was not complete: search again with the new rules");
        return HD_EXIT_BUDGET;
    }
    puts("The search behind this file was complete: every execution is explained");
    return HD_EXIT_CLEAN;
}

int hd_outcomes_judge(const struct hd_options *o)
{
    struct judging g = { .o = o, .file = hd_text_of_file(o->args[0]), .table = hd_zeroed(1, sizeof *g.table),
                         .record = hd_zeroed(1, sizeof *g.record) };
    int code = HD_EXIT_USAGE;

    if (g.file == NULL) {
        fprintf(stderr, "heddle: cannot read %s: %s\n", o->args[0], errno != 0 ? strerror(errno) : "it is empty");
    } else {
        g.at = g.file;
        g.end = g.file + strlen(g.file);
        bool ok = read_head(&g);

        while (ok && *g.at != '\0')
            ok = judge_next(&g);
        if (ok)
            code = conclude(&g);
        else
            fprintf(stderr, "heddle: %s is not a file of 'heddle linearize --outcomes', or was changed\n", o->args[0]);
    }
    free(g.file);
    free(g.book);
    free(g.table);
    free(g.record);
    return code;
}
