/* SPDX-License-Identifier: BSD-2-Clause
 *
 * csv.c - one row per cell, for spreadsheets and scripts.  A number that does not exist is
 * an empty field, never a 0. */
#include <inttypes.h>

#include "study/output.h"

static void text(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s != '\0'; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputs("\",", out);
}

static void number(FILE *out, int64_t n)
{
    if (n != HD_CELL_NONE)
        fprintf(out, "%" PRId64, n);
    fputc(',', out);
}

static const char *cut_text(const struct hd_cell *c)
{
    static const char *const words[] = {
        [HD_CUT_NONE] = "", [HD_CUT_EXECUTIONS] = "executions", [HD_CUT_TIME] = "time" };

    return words[hd_cell_cut(c)];
}

static void row(FILE *out, const struct hd_cell *c)
{
    const struct hd_cell_key *k = &c->key;
    bool done = c->state == HD_CELL_DONE;

    text(out, c->suite);
    text(out, k->program);
    text(out, k->strategy);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,", k->seed, k->limit, k->budget_ms, k->keep_going);
    text(out, k->options);
    text(out, hd_cell_state_text(c->state));
    text(out, c->verdict);
    text(out, cut_text(c));
    const int64_t numbers[] = { c->executions, c->first, c->buggy, c->bound, c->fresh, c->buggy_at_bound,
                                c->classes, c->redundant, c->steps, c->threads };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number(out, done ? numbers[i] : HD_CELL_NONE);
    if (done)
        fprintf(out, "%d,%d,", c->complete, c->other_kind);
    else
        fputs(",,", out);
    text(out, c->kind);
    text(out, c->place);
    if (done)
        fprintf(out, "%.6f,%.0f,", c->seconds, c->rate);
    else
        fputs(",,", out);
    text(out, c->detail);
    text(out, k->build);
    fprintf(out, "\"%s\"\r\n", k->version);
}

void hd_study_csv(FILE *out, const struct hd_study_report *r)
{
    const struct hd_study *s = r->study;

    fputs("suite,program,strategy,seed,limit_executions,limit_ms,keep_going,options,state,verdict,cut,"
          "executions,first,buggy,bound,new,buggy_at_bound,classes,redundant,steps,threads,complete,"
          "other_kind,kind,place,seconds,executions_per_second,detail,build,version\r\n", out);
    for (size_t i = 0; i < s->cells.n; i++)
        if (s->group_of[i] >= 0)
            row(out, &s->cells.cell[i]);
}
