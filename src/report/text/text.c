/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.c - a finding in words: verdict, cause, why it failed, interleaving, source and
 * stacks of what decides, locks, what the program printed, what was not controlled; in
 * that order, because that is the order in which a tired developer asks. */
#include "report/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/fault.h"
#include "report/evidence/livelock.h"
#include "report/evidence/memory.h"
#include "report/evidence/race.h"
#include "report/evidence/snippet.h"
#include "report/evidence/why.h"
#include "report/names/path.h"
#include "report/names/place.h"
#include "report/text/table.h"

/* ---- helpers ----------------------------------------------------------------------------- */

int hd_text_width(const struct hd_text *t)
{
    return t->width > HD_TEXT_WIDTH ? t->width : HD_TEXT_WIDTH;
}

void hd_text_ink(const struct hd_text *t, enum hd_ink ink, const char *text)
{
    static const char *const codes[] = { [HD_INK_BAD] = "1;31", [HD_INK_GOOD] = "1;32",
                                         [HD_INK_MARK] = "33", [HD_INK_HEAD] = "1",
                                         [HD_INK_DIM] = "2" };

    if (t->color)
        fprintf(t->out, "\033[%sm%s\033[0m", codes[ink], text);
    else
        fputs(text, t->out);
}

static bool steers(const unsigned char *c)
{
    return (c[0] < 0x20 && c[0] != '\n' && c[0] != '\t') || c[0] == 0x7f ||
           (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void hd_text_visible(const char *text, char *out, size_t cap)
{
    size_t at = 0;

    for (const unsigned char *c = (const unsigned char *)text; *c != '\0' && at + 5 < cap; c++)
        if (steers(c))
            at += (size_t)snprintf(out + at, cap - at, "\\x%02x", *c);
        else
            out[at++] = (char)*c;
    if (cap > 0)
        out[at] = '\0';
}

/* A word, as hd_text_visible; returns its width. */
static size_t put_word(FILE *out, const char *word, size_t n)
{
    size_t width = 0;

    for (size_t i = 0; i < n; i++)
        if (steers((const unsigned char *)word + i)) {
            width += (size_t)fprintf(out, "\\x%02x", (unsigned char)word[i]);
        } else {
            fputc(word[i], out);
            width++;
        }
    return width;
}

void hd_text_wrap(const struct hd_text *t, unsigned at, unsigned indent, const char *text)
{
    bool first = true;

    while (*text != '\0') {
        size_t n = strcspn(text, " \n");

        if (n > 0) {
            if (!first && at + 1 + n > HD_TEXT_WIDTH) {
                fprintf(t->out, "\n%*s", (int)indent, "");
                at = indent;
            } else if (!first) {
                fputc(' ', t->out);
                at++;
            }
            at += (unsigned)put_word(t->out, text, n);
            first = false;
        }
        text += n + (text[n] != '\0');
    }
    fputc('\n', t->out);
}

void hd_text_number(uint64_t n, char *buf, size_t cap)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    size_t at = 0;

    for (int i = 0; i < len && at + 2 < cap; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
}

void hd_text_heading(const struct hd_text *t, const char *text)
{
    fputc('\n', t->out);
    hd_text_ink(t, HD_INK_HEAD, text);
    fputc('\n', t->out);
}

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

/* A thread that runs for ever: where it was seen last. */
static void running_thread(const struct hd_text *t, const struct hd_report *r, hd_tid tid,
                           const struct hd_event *e)
{
    char who[64], op[320], line[500];
    const char *site = hd_describe_site(r, e);

    hd_describe_thread(r, tid, who, sizeof who);
    hd_describe_pending(r, e, op, sizeof op);
    snprintf(line, sizeof line, "%s is at %s: %s", who, site[0] != '\0' ? site : "?", op);
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

/* Does the message name the thread itself? */
static bool begins_with_thread(const char *message, const char *who)
{
    size_t n = strcspn(who, " ");

    return strncmp(message, who, n) == 0 && message[n] == ' ';
}

static void running_threads(const struct hd_text *t, const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e != NULL && !hd_livelock_explains(r, (hd_tid)i))
            running_thread(t, r, (hd_tid)i, e);
    }
    hd_livelock_text(t, r);
}

void hd_text_cause(const struct hd_text *t, const struct hd_report *r)
{
    const struct hd_finding *f = r->finding;
    char who[64], message[700], line[800];

    if (f->kind == HD_FK_DEADLOCK) {
        hd_deadlock_text(t, r);
        return;
    }
    hd_describe_message(r, message, sizeof message);
    hd_describe_thread(r, (hd_tid)f->tid, who, sizeof who);
    if (r->race != NULL)
        hd_race_message(r, line, sizeof line);
    else if (f->tid < r->nthreads && !hd_report_is_stuck(r) && !begins_with_thread(message, who))
        snprintf(line, sizeof line, "%s: %s", who, message);
    else
        snprintf(line, sizeof line, "%s", message);
    hd_path_shorten(line);
    hd_text_wrap(t, 0, 2, line);
    if (hd_report_is_stuck(r))
        running_threads(t, r);
    if (r->race != NULL)
        hd_race_text(t, r);
}

void hd_text_message(const struct hd_report *r, char *buf, size_t cap)
{
    if (r->race != NULL)
        hd_race_message(r, buf, cap);
    else if (r->finding->kind == HD_FK_DEADLOCK)
        hd_deadlock_message(r, buf, cap);
    else
        hd_describe_message(r, buf, cap);
    char *raw = strdup(buf);

    HD_INVARIANT(raw != NULL, "out of memory");
    hd_text_visible(raw, buf, cap);
    free(raw);
}

/* ---- the rest ---------------------------------------------------------------------------------- */

static const char *last_lines(const char *data, size_t n, unsigned lines)
{
    const char *p = data + n;

    if (p > data && p[-1] == '\n')
        p--;
    while (p > data) {
        if (p[-1] == '\n' && --lines == 0)
            break;
        p--;
    }
    return p;
}

void hd_text_output(const struct hd_text *t, const char *data, size_t n, unsigned lines)
{
    const char *end = data + n;
    bool fresh = true;

    for (const char *p = last_lines(data, n, lines); p < end; p++) {
        unsigned char c = (unsigned char)*p;

        if (fresh)
            fputs("  | ", t->out);
        fresh = c == '\n';
        if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7f))
            fputc(c, t->out);
        else /* no control sequence of the program reaches the terminal */
            fprintf(t->out, "\\x%02x", c);
    }
    if (!fresh)
        fputc('\n', t->out);
}

/* Locks that nothing has been said of yet: a race names those of its accesses. */
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

/* ---- the parts ----------------------------------------------------------------------------------- */

/* A part that is printed later: how many lines it takes decides what there is room for. */
struct part {
    char *text;
    size_t size;
    uint32_t lines;
    struct hd_text t; /* to write it with */
};

static void begin_part(struct part *p, const struct hd_text *t)
{
    *p = (struct part){ .t = *t };
    p->t.out = open_memstream(&p->text, &p->size);
    HD_INVARIANT(p->t.out != NULL, "out of memory");
}

static void end_part(struct part *p)
{
    fclose(p->t.out);
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
    hd_fault_text(&p->t, r);
    end_part(p);
}

static void make_end(struct part *p, const struct hd_text *t, const struct hd_report *r)
{
    begin_part(p, t);
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

static void make_source(struct part *p, const struct hd_text *t, const struct hd_table *tb, int context)
{
    struct hd_place places[HD_MAX_PLACES];
    unsigned n = 0;

    for (uint32_t i = 0; i < tb->n && n < HD_MAX_PLACES; i++)
        if (tb->rows[i].decisive) {
            places[n].pc = hd_table_pc(tb, &tb->rows[i]);
            hd_table_label(tb, &tb->rows[i], places[n].label, sizeof places[n].label);
            n++;
        }
    begin_part(p, t);
    hd_snippet_text(&p->t, tb->r, places, n, context);
    end_part(p);
}

/* As much source and as much of the table as one screen has room for: the source loses lines
 * around its marks before the table loses what makes it readable. */
static void fit(const struct hd_text *t, struct hd_table *tb, uint32_t others, struct part *source)
{
    enum { CONTEXT = 3, TABLE_GOOD = 16, TABLE_LEAST = 10, HEADINGS = 5 };
    uint32_t room = others + HEADINGS < HD_TEXT_LINES ? HD_TEXT_LINES - others - HEADINGS : 0;
    uint32_t good = hd_table_fold(tb, TABLE_GOOD), least = hd_table_fold(tb, TABLE_LEAST);

    for (int context = CONTEXT;; context--) {
        make_source(source, t, tb, context);
        if (source->lines + (context > 1 ? good : least) <= room || context == 0 || t->all)
            break;
        free(source->text);
    }
    uint32_t left = source->lines < room ? room - source->lines : 0;

    hd_table_fold(tb, left > TABLE_LEAST ? left : TABLE_LEAST);
}

/* What was guessed is not called decisive. */
static const char *table_heading(const struct hd_table *tb)
{
    const struct hd_report *r = tb->r;
    bool known = r->race != NULL || r->finding->kind == HD_FK_DEADLOCK ||
                 (r->why != NULL && r->why->nevents > 0);

    for (uint32_t i = 0; i < tb->n; i++)
        if (tb->rows[i].decisive)
            return known ? "Interleaving (> marks what is decisive)"
                         : "Interleaving (> marks what to look at first)";
    return "Interleaving";
}

/* Of decisive events whose place alone does not say how the thread came there. */
static void event_stacks(const struct hd_text *t, const struct hd_table *tb)
{
    const struct hd_report *r = tb->r;

    for (uint32_t i = 0; i < tb->n; i++) {
        const struct hd_row *row = &tb->rows[i];
        const struct hd_capture *c;
        struct hd_frame f[2];
        char label[64], op[320], head[420];

        if (!row->decisive || row->type != HD_ROW_EVENT ||
            (c = hd_report_witnessed(r, (uint32_t)(row->event - r->events))) == NULL ||
            hd_text_captured_frames(r, c, f, 2) < 2 || hd_deadlock_shows(r, row->event))
            continue;
        hd_table_label(tb, row, label, sizeof label);
        hd_describe_operation(r, row->event, op, sizeof op);
        snprintf(head, sizeof head, "Stack of %s: %s", label, op);
        hd_text_calls_of(t, r, head, c);
    }
}

static void all_stacks(const struct hd_text *text, const struct hd_table *tb, bool brief)
{
    const struct hd_report *r = tb->r;
    struct hd_text brief_text = *text;
    const struct hd_text *t = &brief_text;

    brief_text.brief = brief;
    if (r->race != NULL)
        hd_race_stacks(t, r);
    else
        hd_text_stacks(t, r);
    if (r->finding->kind == HD_FK_DEADLOCK)
        hd_deadlock_stacks(t, r);
    event_stacks(t, tb);
    hd_memory_text(t, r);
}

void hd_text_all_stacks(const struct hd_text *t, const struct hd_report *r)
{
    struct hd_table tb;

    hd_table_open(&tb, t, r);
    all_stacks(t, &tb, false);
    hd_table_close(&tb);
}

void hd_text_finding(const struct hd_text *t, const struct hd_report *r, const char *program)
{
    struct hd_table tb;
    struct part beginning, source, end;

    make_beginning(&beginning, t, r, program);
    make_end(&end, t, r);
    hd_table_open(&tb, t, r);
    fit(t, &tb, beginning.lines + end.lines + HD_TEXT_COMMANDS, &source);
    print_part(t, &beginning);
    hd_text_heading(t, table_heading(&tb));
    hd_table_print(&tb);
    if (source.lines > 0)
        hd_text_heading(t, "Source");
    print_part(t, &source);
    all_stacks(t, &tb, source.lines > 0 && !t->all);
    print_part(t, &end);
    fputc('\n', t->out);
    hd_table_close(&tb);
}
