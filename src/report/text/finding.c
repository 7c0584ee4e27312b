/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.c - prints a finding: verdict, cause, why it failed, interleaving, source and stacks of
 * the decisive events, locks, output of the program, and what was not controlled.  This is the
 * order in which developers need the parts. */
#include "report/text/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "report/evidence/caller.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/fault.h"
#include "report/evidence/gather.h"
#include "report/evidence/kinds.h"
#include "report/evidence/message.h"
#include "report/evidence/place.h"
#include "report/evidence/snippet.h"
#include "report/evidence/suggest.h"
#include "report/evidence/why.h"
#include "report/names/path.h"
#include "report/text/chart.h"
#include "report/text/stacks.h"
#include "report/text/table.h"

/* ---- verdict and cause --------------------------------------------------------------------- */

static void verdict_line(const struct hd_text *t, const struct hd_report *r, const char *program)
{
    const struct hd_finding *f = r->finding;
    char number[32], which[64] = "", rest[256];

    hd_text_number(r->execution, number, sizeof number);
    if (r->execution != 0)
        snprintf(which, sizeof which, ", execution %s", number);
    snprintf(rest, sizeof rest, " in %.100s%s, %u preemption%s", program, which, f->preemptions,
             f->preemptions == 1 ? "" : "s");
    hd_text_ink(t, HD_INK_BAD, "FOUND ");
    hd_text_ink(t, HD_INK_BAD, hd_finding_kind_text((enum hd_finding_kind)f->kind));
    fprintf(t->out, "%s\n", rest);
}

/* True if the message begins with the name of the thread. */
static bool begins_with_thread(const char *message, const char *who)
{
    size_t n = strcspn(who, " ");

    return strncmp(message, who, n) == 0 && message[n] == ' ';
}

/* Prints the message.  Puts the failing thread before it, unless the message begins with that
 * thread. */
static void say_failure(const struct hd_text *t, const struct hd_report *r)
{
    const struct hd_finding *f = r->finding;
    char who[64], message[700], line[800];

    hd_report_message(r, message, sizeof message);
    hd_describe_thread(r, (hd_tid)f->tid, who, sizeof who);
    if (f->tid < r->nthreads && !begins_with_thread(message, who))
        snprintf(line, sizeof line, "%s: %s", who, message);
    else
        snprintf(line, sizeof line, "%s", message);
    hd_path_shorten(line);
    hd_text_wrap(t, 0, 2, line);
}

void hd_text_cause(const struct hd_text *t, const struct hd_report *r)
{
    const struct hd_kind_report *kind = hd_kind_report(r);

    if (kind->cause != NULL)
        kind->cause(t, r);
    else
        say_failure(t, r);
}

/* ---- locks ----------------------------------------------------------------------------------- */

/* Prints the locks that the report has not mentioned yet.  A race names the locks of its accesses,
 * a deadlock those that block other threads. */
static void locks_held(const struct hd_text *t, const struct hd_report *r)
{
    bool first = true;

    for (uint32_t i = 0; i < r->nholds && r->race == NULL; i++) {
        const struct hd_hold *h = &r->holds[i];
        const char *site = hd_symbols_site(r->symbols, hd_report_hold_place(r, h));
        char who[64], what[320], line[500];

        if (!hd_report_is_lock(r, h->obj) ||
            (r->finding->kind == HD_FK_DEADLOCK && hd_deadlock_blames(r, h)))
            continue;
        if (first)
            hd_text_heading(t, "Locks held");
        first = false;
        hd_describe_thread(r, (hd_tid)h->tid, who, sizeof who);
        hd_describe_typed_object(r, h->obj, what, sizeof what);
        snprintf(line, sizeof line, "%s holds %s%s%s%s", who, what, site[0] != '\0' ? " (taken at " : "",
                 site, site[0] != '\0' ? ")" : "");
        fputs("  ", t->out);
        hd_text_wrap(t, 2, 4, line);
    }
}

/* ---- parts of the report ----------------------------------------------------------------------- */

/* A part that is kept in memory and printed later: its number of lines determines the room for the
 * other parts. */
struct part {
    char *text;
    size_t size;
    uint32_t lines;
    struct hd_text t; /* the stream that writes into the part */
};

static void begin_part(struct part *p, const struct hd_text *t)
{
    *p = (struct part){ .t = *t };
    p->t.out = hd_memory_stream(&p->text, &p->size);
}

static void end_part(struct part *p)
{
    bool failed = ferror(p->t.out) != 0;

    failed |= fclose(p->t.out) != 0;
    HD_INVARIANT(!failed && p->text != NULL, "out of memory");
    for (const char *c = p->text; (c = strchr(c, '\n')) != NULL; c++)
        p->lines++;
}

static void print_part(const struct hd_text *t, struct part *p)
{
    fwrite(p->text, 1, p->size, t->out);
    free(p->text);
}

static void make_beginning(struct part *p, const struct hd_text *t, const struct hd_report *r,
                           const char *program)
{
    begin_part(p, t);
    verdict_line(&p->t, r, program);
    hd_text_cause(&p->t, r);
    hd_why_text(&p->t, r);
    hd_suggestion_text(&p->t, r);
    hd_fault_text(&p->t, r);
    end_part(p);
}

static void make_end(struct part *p, const struct hd_text *t, const struct hd_report *r)
{
    begin_part(p, t);
    hd_chart_text(&p->t, r);
    locks_held(&p->t, r);
    if (r->noutput > 0) {
        hd_text_heading(&p->t, "Printed by the program");
        hd_text_output(&p->t, r->output, r->noutput, t->all ? 10000 : 5);
    }
    if (hd_ledger_count(r->ledger) > 0)
        hd_text_heading(&p->t, "Not controlled");
    for (uint32_t i = 0; i < hd_ledger_count(r->ledger); i++) {
        fputs("  ", p->t.out);
        hd_text_wrap(&p->t, 2, 4, r->ledger->entry[i].text);
    }
    end_part(p);
}

static uint32_t step_of(const struct hd_rows *rs, const struct hd_event *e)
{
    for (uint32_t i = 0; i < rs->n; i++)
        if (rs->all[i].event == e)
            return rs->all[i].step;
    return 0;
}

static void make_source(struct part *p, const struct hd_text *t, const struct hd_rows *rs, int context)
{
    struct hd_place places[HD_MAX_PLACES] = { { .pc = 0 } };
    struct hd_frame caller[2];
    unsigned n = 0;

    for (uint32_t i = 0; i < rs->n && n < HD_MAX_PLACES; i++)
        if (rs->all[i].decisive) {
            places[n].pc = hd_row_pc(rs, &rs->all[i]);
            hd_row_label(rs, &rs->all[i], places[n].label, sizeof places[n].label);
            n++;
        }
    for (unsigned i = 0; n < HD_MAX_PLACES && i < 2 && hd_caller_find(rs->r, caller); i++, n++) {
        const struct hd_event *e = &rs->r->events[rs->r->why->event[2 * i]];
        char who[16];

        hd_describe_tid(e->tid, who, sizeof who);
        places[n].frame = caller[i];
        snprintf(places[n].label, sizeof places[n].label, "%s, call for step %u", who, step_of(rs, e));
    }
    begin_part(p, t);
    hd_snippet_text(&p->t, rs->r, places, n, context);
    end_part(p);
}

/* Makes the source part and folds the table, so that both fit on the first screen together with `others` other
 * lines.  Stacks and everything after them are not on that screen.  Drops context lines of the source first,
 * because a table that is too short is not readable.  A few values are less important than these lines, many
 * values are more important. */
static void fit(const struct hd_text *t, struct hd_rows *rs, uint32_t others, struct part *source)
{
    enum { CONTEXT = 3, TABLE_GOOD = 16, TABLE_LEAST = 10, VALUES_MIN = 4, VALUES = 6, HEADINGS = 5 };
    uint32_t near = hd_rows_near(rs), values = near < VALUES_MIN ? 0 : near < VALUES ? near : VALUES;
    uint32_t room = others + HEADINGS < HD_TEXT_LINES ? HD_TEXT_LINES - others - HEADINGS : 0;
    uint32_t good = hd_rows_fold(rs, TABLE_GOOD + values), least = hd_rows_fold(rs, TABLE_LEAST + values);

    for (int context = CONTEXT;; context--) {
        make_source(source, t, rs, context);
        if (source->lines + (context > 0 ? good : least) <= room || context == 0 || t->all)
            break;
        free(source->text);
    }
    uint32_t left = source->lines < room ? room - source->lines : 0;

    hd_rows_fold(rs, left > TABLE_LEAST ? left : TABLE_LEAST);
}

/* Returns the heading of the table.  It does not call guessed events decisive. */
static const char *table_heading(const struct hd_rows *rs)
{
    const struct hd_report *r = rs->r;
    bool known = r->race != NULL || r->finding->kind == HD_FK_DEADLOCK ||
                 (r->why != NULL && r->why->nevents > 0);

    for (uint32_t i = 0; i < rs->n; i++)
        if (rs->all[i].decisive)
            return known ? "Interleaving (> marks what is decisive)"
                         : "Interleaving (> marks what to look at first)";
    return "Interleaving";
}

void hd_text_finding(const struct hd_text *t, const struct hd_report *r, const char *program)
{
    struct hd_rows rows;
    struct hd_evidence_list evidence;
    struct part beginning, source, end;

    make_beginning(&beginning, t, r, program);
    make_end(&end, t, r);
    hd_rows_open(&rows, r, t->all);
    fit(t, &rows, beginning.lines, &source);
    print_part(t, &beginning);
    hd_text_heading(t, table_heading(&rows));
    hd_table_print(t, &rows);
    if (source.lines > 0)
        hd_text_heading(t, "Source");
    print_part(t, &source);
    hd_evidence_gather(&evidence, r);
    hd_text_stacks(t, r, &evidence, source.lines > 0 && !t->all);
    hd_evidence_free(&evidence);
    print_part(t, &end);
    fputc('\n', t->out);
    hd_rows_close(&rows);
}
