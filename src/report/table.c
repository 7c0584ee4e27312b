/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.c - the interleaving as a table: one column per thread, time downwards,
 * the source line at the right.  Where the running thread changes, the thread
 * that is left says why in its own column: (preempted), (blocked), (yielded),
 * (finished).
 *
 * Long stretches of one thread are folded, and so is the middle of a long
 * table: the reader looks for the switches and for the end.  With more threads
 * than columns fit the table becomes a list. */
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/deadlock.h"
#include "report/race.h"

enum {
    MAX_COLUMNS = 4,
    STEP_WIDTH = 6,    /* "12345 " */
    SITE_MAX = 22,
    RUN_MAX = 7,       /* longer runs of one thread are folded to ... */
    RUN_HEAD = 2,
    RUN_TAIL = 3,
    TABLE_HEAD = 14,   /* rows shown of a long table */
    TABLE_TAIL = 40,
    CELL_MAX = 512,
};

enum row_type { ROW_EVENT, ROW_PENDING, ROW_FAILURE };

struct row {
    const struct hd_event *event; /* NULL: failure */
    const struct hd_race_access *access; /* of a race, else NULL */
    enum row_type type;
    hd_tid tid;
    uint32_t step;     /* number in the schedule; 0: none */
    hd_tid left;       /* thread that was left before this row; HD_NO_TID: none */
    const char *why;   /* why it was left */
    bool hidden;
};

struct table {
    const struct hd_text *t;
    const struct hd_report *r;
    struct hd_race_access first; /* of a race */
    struct row *rows;
    uint32_t n;
    unsigned column[HD_MAX_THREADS]; /* of each thread, from 1; 0: it does not occur */
    unsigned columns;
    bool list;   /* too many threads for columns */
    int width[MAX_COLUMNS + 1]; /* of each column, without the blank after it; [0]: of the list */
    int site_width;
};

/* ---- rows ----------------------------------------------------------------------------- */

/* A fault that did not happen is none of a reader's business. */
static bool is_no_fault(const struct hd_event *e)
{
    return hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN;
}

static bool shown(const struct table *tb, const struct hd_event *e)
{
    return e->kind != HD_EV_NONE && e->tid < HD_MAX_THREADS &&
           (tb->t->all || (!hd_report_is_local(e) && !is_no_fault(e)));
}

static const char *why_left(const struct hd_event *before, const struct hd_event *now)
{
    static const char *const text[] = { [HD_SWITCH_PREEMPTED] = "(preempted)",
                                        [HD_SWITCH_BLOCKED] = "(blocked)",
                                        [HD_SWITCH_YIELDED] = "(yielded)",
                                        [HD_SWITCH_FINISHED] = "(finished)" };

    return text[hd_describe_switch(before, now)];
}

static struct row *add_row(struct table *tb, enum row_type type, hd_tid tid,
                           const struct hd_event *e)
{
    struct row *row = &tb->rows[tb->n++];

    *row = (struct row){ .event = e, .type = type, .tid = tid, .left = HD_NO_TID };
    return row;
}

/* After so many events that were kept. */
static void add_first_access(struct table *tb, uint32_t nevents)
{
    const struct hd_race_info *race = tb->r->race;

    if (race != NULL && tb->first.position == race->nskipped + nevents &&
        tb->first.tid < HD_MAX_THREADS)
        add_row(tb, ROW_FAILURE, tb->first.tid, NULL)->access = &tb->first;
}

static void add_events(struct table *tb)
{
    const struct hd_event *before = NULL;
    uint32_t step = hd_report_first_step(tb->r);
    hd_tid section = HD_NO_TID;

    for (uint32_t i = 0; i < tb->r->nevents; i++) {
        const struct hd_event *e = &tb->r->events[i];
        bool local = hd_report_is_inner(e, &section);

        add_first_access(tb, i);
        if (!local)
            step++;
        if (!shown(tb, e)) {
            if (e->kind == HD_EV_THREAD_END) /* shows as the reason of the switch */
                before = e;
            continue;
        }
        struct row *row = add_row(tb, ROW_EVENT, e->tid, e);

        row->step = local ? 0 : step;
        if (before != NULL && before->tid != e->tid) {
            row->left = before->tid;
            row->why = why_left(before, e);
        }
        before = e;
    }
}

/* What the end looked like: the failing thread, or what everybody waits for. */
static void add_end(struct table *tb)
{
    const struct hd_finding *f = tb->r->finding;

    if (f->kind == HD_FK_DEADLOCK || f->kind == HD_FK_LIVELOCK) {
        for (uint32_t t = 0; t < tb->r->nthreads && t < HD_MAX_THREADS; t++) {
            const struct hd_event *e = hd_report_pending(tb->r, (hd_tid)t);

            if (e != NULL && !hd_deadlock_runs_on(tb->r, (hd_tid)t))
                add_row(tb, ROW_PENDING, (hd_tid)t, e);
        }
    } else if (f->tid < HD_MAX_THREADS) {
        add_first_access(tb, tb->r->nevents);
        struct row *row = add_row(tb, ROW_FAILURE, (hd_tid)f->tid, NULL);

        row->access = tb->r->race != NULL ? &tb->r->race->race.second : NULL;
    }
}

static void give_columns(struct table *tb)
{
    bool present[HD_MAX_THREADS] = { false };

    for (uint32_t i = 0; i < tb->n; i++)
        present[tb->rows[i].tid] = true;
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        if (present[t])
            tb->column[t] = ++tb->columns;
}

/* ---- folding --------------------------------------------------------------------------- */

static uint32_t run_end(const struct table *tb, uint32_t from)
{
    uint32_t i = from + 1;

    while (i < tb->n && tb->rows[i].type == ROW_EVENT && tb->rows[i].tid == tb->rows[from].tid)
        i++;
    return i;
}

static void fold_runs(struct table *tb)
{
    for (uint32_t i = 0; i < tb->n;) {
        uint32_t end = run_end(tb, i);

        if (end - i > RUN_MAX)
            for (uint32_t k = i + RUN_HEAD; k < end - RUN_TAIL; k++)
                tb->rows[k].hidden = true;
        i = end;
    }
}

static void fold_middle(struct table *tb)
{
    uint32_t visible = 0, seen = 0;

    for (uint32_t i = 0; i < tb->n; i++)
        visible += !tb->rows[i].hidden;
    if (visible <= TABLE_HEAD + TABLE_TAIL + 2)
        return;
    for (uint32_t i = 0; i < tb->n; i++) {
        if (tb->rows[i].hidden)
            continue;
        if (seen >= TABLE_HEAD && seen < visible - TABLE_TAIL && tb->rows[i].access == NULL)
            tb->rows[i].hidden = true;
        seen++;
    }
}

/* ---- printing --------------------------------------------------------------------------- */

static bool stuck(const struct table *tb)
{
    return tb->r->finding->kind == HD_FK_DEADLOCK;
}

/* What a row says, and the mark before it. */
static const char *cell_parts(const struct table *tb, const struct row *row, struct hd_operation *o)
{
    if (row->access != NULL) {
        hd_race_operation(tb->r, row->access, o);
        return "** ";
    }
    if (row->type == ROW_FAILURE) {
        *o = (struct hd_operation){ .outcome = "" };
        snprintf(o->verb, sizeof o->verb, "%s",
                 hd_finding_kind_text((enum hd_finding_kind)tb->r->finding->kind));
        return "** ";
    }
    hd_describe_parts(tb->r, row->event, row->type == ROW_PENDING, o);
    return row->type != ROW_PENDING ? "" : stuck(tb) ? "waits: " : "next: ";
}

/* The beginning and the end of a name tell it from its neighbours. */
static void leave_out_middle(char *name, int width)
{
    int n = (int)strlen(name), tail = (width - 2) / 2, head = width - 2 - tail;

    if (n <= width)
        return;
    memcpy(name + head, "..", 2);
    memmove(name + head + 2, name + n - tail, (size_t)tail + 1);
}

/* In so many columns if possible: the name loses its middle, but where little would be left
 * of it the value goes first.  What is done is never left out, nor is all of the name. */
static void cell_text(const struct table *tb, const struct row *row, int width, char *buf, size_t cap)
{
    enum { NAME_GOOD = 10, NAME_MIN = 6 };
    struct hd_operation o;
    const char *mark = cell_parts(tb, row, &o);
    int at = snprintf(buf, cap, "%s", mark), name = (int)strlen(o.object);
    int n = at + hd_describe_join(&o, buf + at, cap - (size_t)at);

    if (n <= width)
        return;
    if (width - (n - name) < (name < NAME_GOOD ? name : NAME_GOOD)) {
        n -= (int)strlen(o.value);
        o.value[0] = '\0';
    }
    int room = width - (n - name);

    leave_out_middle(o.object, room > NAME_MIN ? room : NAME_MIN);
    hd_describe_join(&o, buf + at, cap - (size_t)at);
}

static int cell_width(const struct table *tb, const struct row *row)
{
    char text[CELL_MAX];

    cell_text(tb, row, CELL_MAX, text, sizeof text);
    return (int)strlen(text);
}

/* Exactly `width` columns. */
static void print_padded(const struct table *tb, int width, const char *text, int ink)
{
    char cut[CELL_MAX];

    if ((int)strlen(text) > width) {
        snprintf(cut, sizeof cut, "%.*s..", width - 2, text);
        text = cut;
    }
    if (ink >= 0)
        hd_text_ink(tb->t, (enum hd_ink)ink, text);
    else
        fputs(text, tb->t->out);
    fprintf(tb->t->out, "%*s", width - (int)strlen(text), "");
}

static void print_step(const struct table *tb, const struct row *row)
{
    if (row->step != 0)
        fprintf(tb->t->out, "%*u ", STEP_WIDTH - 1, row->step);
    else
        fprintf(tb->t->out, "%*s", STEP_WIDTH, "");
}

static const char *site_of(const struct table *tb, const struct row *row)
{
    if (row->event != NULL)
        return hd_describe_site(tb->r, row->event);
    if (row->access != NULL)
        return hd_symbols_site(tb->r->symbols, row->access->pc);
    return hd_symbols_site(tb->r->symbols, tb->r->finding->pc);
}

static void print_site(const struct table *tb, const struct row *row)
{
    const char *site = site_of(tb, row);
    int n = (int)strlen(site);

    if (n > tb->site_width) /* the end of a site says more than its start */
        site += n - tb->site_width;
    fprintf(tb->t->out, "%s\n", site);
}

static void print_column_row(const struct table *tb, const struct row *row)
{
    char text[CELL_MAX];

    print_step(tb, row);
    cell_text(tb, row, tb->width[tb->column[row->tid]], text, sizeof text);
    for (unsigned c = 1; c <= tb->columns; c++) {
        if (c == tb->column[row->tid])
            print_padded(tb, tb->width[c], text, row->type == ROW_EVENT ? -1 : HD_INK_BAD);
        else if (row->left != HD_NO_TID && c == tb->column[row->left])
            print_padded(tb, tb->width[c], row->why, HD_INK_MARK);
        else
            fprintf(tb->t->out, "%*s", tb->width[c], "");
        fputc(' ', tb->t->out);
    }
    print_site(tb, row);
}

static void print_list_row(const struct table *tb, const struct row *row)
{
    char text[CELL_MAX], who[16];

    if (row->left != HD_NO_TID) {
        hd_describe_tid(row->left, who, sizeof who);
        fprintf(tb->t->out, "%*s%-6s", STEP_WIDTH, "", who);
        hd_text_ink(tb->t, HD_INK_MARK, row->why);
        fputc('\n', tb->t->out);
    }
    print_step(tb, row);
    hd_describe_tid(row->tid, who, sizeof who);
    fprintf(tb->t->out, "%-6s", who);
    cell_text(tb, row, tb->width[0], text, sizeof text);
    print_padded(tb, tb->width[0], text, row->type == ROW_EVENT ? -1 : HD_INK_BAD);
    fputc(' ', tb->t->out);
    print_site(tb, row);
}

static void print_head(const struct table *tb)
{
    char name[64];

    fprintf(tb->t->out, "%*s ", STEP_WIDTH - 1, "step");
    if (tb->list) {
        fprintf(tb->t->out, "%-6s%-*s where\n", "", tb->width[0], "operation");
        return;
    }
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        if (tb->column[t] != 0) {
            hd_describe_thread(tb->r, (hd_tid)t, name, sizeof name);
            print_padded(tb, tb->width[tb->column[t]], name, HD_INK_HEAD);
            fputc(' ', tb->t->out);
        }
    fputs("where\n", tb->t->out);
}

static void widen(int *width, int least)
{
    if (*width < least)
        *width = least;
}

/* What each column would like to have. */
static void wish(const struct table *tb, int *wanted)
{
    char name[64];

    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        if (tb->column[t] != 0) {
            hd_describe_thread(tb->r, (hd_tid)t, name, sizeof name);
            wanted[tb->column[t]] = (int)strlen(name);
        }
    for (uint32_t i = 0; i < tb->n; i++) {
        const struct row *row = &tb->rows[i];

        if (row->hidden)
            continue;
        widen(&wanted[tb->column[row->tid]], cell_width(tb, row));
        if (row->left != HD_NO_TID)
            widen(&wanted[tb->column[row->left]], (int)strlen(row->why));
    }
}

/* Those that want less than an equal part give to the others. */
static void share(struct table *tb, const int *wanted, int room)
{
    unsigned left = tb->columns;
    int each = 0;

    for (bool more = true; more && left > 0;) {
        each = room / (int)left - 1;
        more = false;
        for (unsigned c = 1; c <= tb->columns; c++)
            if (tb->width[c] == 0 && wanted[c] <= each) {
                tb->width[c] = wanted[c];
                room -= wanted[c] + 1;
                left--;
                more = true;
            }
    }
    for (unsigned c = 1; c <= tb->columns; c++)
        if (tb->width[c] == 0)
            tb->width[c] = each;
}

/* All columns are equally wide where that is enough; and the table becomes wider than a
 * page of text only where it must. */
static void give_widths(struct table *tb, int page, int room)
{
    int wanted[MAX_COLUMNS + 1] = { 0 }, total = 0, most = 0;
    int equal = page / (int)tb->columns - 1;

    wish(tb, wanted);
    for (unsigned c = 1; c <= tb->columns; c++) {
        total += wanted[c] + 1;
        widen(&most, wanted[c]);
    }
    if (most > equal)
        share(tb, wanted, total < room ? total : room);
    else
        for (unsigned c = 1; c <= tb->columns; c++)
            tb->width[c] = equal;
}

static void measure(struct table *tb)
{
    int longest = 5;

    for (uint32_t i = 0; i < tb->n; i++)
        if (!tb->rows[i].hidden)
            widen(&longest, (int)strlen(site_of(tb, &tb->rows[i])));
    tb->site_width = longest < SITE_MAX ? longest : SITE_MAX;
    int others = STEP_WIDTH + tb->site_width;

    tb->list = tb->columns > MAX_COLUMNS;
    if (tb->list)
        tb->width[0] = HD_TEXT_WIDTH - others - 6 - 1;
    else
        give_widths(tb, HD_TEXT_WIDTH - others, hd_text_width(tb->t) - others);
}

static void print_rows(const struct table *tb)
{
    uint32_t hidden = 0;

    for (uint32_t i = 0; i < tb->n; i++) {
        if (tb->rows[i].hidden) {
            hidden++;
            continue;
        }
        if (hidden > 0) {
            char text[64];

            snprintf(text, sizeof text, "... %u more", hidden);
            fprintf(tb->t->out, "%*s", STEP_WIDTH, "");
            hd_text_ink(tb->t, HD_INK_DIM, text);
            fputc('\n', tb->t->out);
        }
        hidden = 0;
        if (tb->list)
            print_list_row(tb, &tb->rows[i]);
        else
            print_column_row(tb, &tb->rows[i]);
    }
}

void hd_text_table(const struct hd_text *t, const struct hd_report *r)
{
    struct table tb = { .t = t, .r = r };

    if (r->race != NULL)
        tb.first = hd_race_first(r);
    tb.rows = calloc((size_t)r->nevents + HD_MAX_THREADS + 2, sizeof *tb.rows);
    HD_INVARIANT(tb.rows != NULL, "out of memory");
    add_events(&tb);
    add_end(&tb);
    if (tb.n > 0) {
        give_columns(&tb);
        if (!t->all) {
            fold_runs(&tb);
            fold_middle(&tb);
        }
        measure(&tb);
        print_head(&tb);
        print_rows(&tb);
    }
    free(tb.rows);
}
