/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.c - prints the interleaving: one column per thread, time downwards, the source line at the
 * right, decisive rows marked at the left.  At a switch, the column of the thread that ran before
 * shows why it stopped: (preempted), (blocked), (yielded), (finished).
 *
 * If there are more threads than columns fit, each thread with decisive rows has a column.  All
 * other threads share one column, in which each cell names its thread.  If even the threads with
 * decisive rows are too many, all threads share one column. */
#include "report/text/table.h"

#include <stdlib.h>
#include <string.h>

#include "report/evidence/describe.h"
#include "report/evidence/race.h"

enum {
    COLUMN_MIN = 12,
    SITE_MAX = 36, /* at a width of HD_TEXT_WIDTH; a quarter of any additional width is added */
    LINES = 60,    /* number of lines of a table without the rest of the report */
    CELL_MAX = 512,
};

enum { MAX_COLUMNS = 16 }; /* including the shared column */

struct table {
    const struct hd_text *t;
    const struct hd_rows *rows;
    unsigned column[HD_MAX_THREADS]; /* column of each thread, from 1; 0: the thread has no row */
    hd_tid head[MAX_COLUMNS + 1]; /* the thread of each column; HD_NO_TID: shared */
    unsigned columns;
    int width[MAX_COLUMNS + 1]; /* width of each column, without the blank after it */
    int step_width, site_width;
};

/* ---- cells --------------------------------------------------------------------------- */

static bool is_shown(const struct hd_row *row)
{
    return !row->hidden && !row->repeats;
}

/* Fills the parts for the heap block without its name: the columns are narrow, and other lines of the report name
 * the block. */
static void block_parts(const struct table *tb, const struct hd_row *row, struct hd_operation *o)
{
    *o = (struct hd_operation){ .outcome = "" };
    if (row->site == &tb->rows->block->freed)
        snprintf(o->verb, sizeof o->verb, "frees the block");
    else
        snprintf(o->verb, sizeof o->verb, "allocates %llu byte%s", (unsigned long long)tb->rows->block->size,
                 tb->rows->block->size == 1 ? "" : "s");
}

/* Fills *o with the operation of the row.  Returns the mark that is printed before it. */
static const char *cell_parts(const struct table *tb, const struct hd_row *row,
                              struct hd_operation *o)
{
    hd_row_operation(tb->rows, row, o);
    switch (row->type) {
    case HD_ROW_ACCESS:
    case HD_ROW_FAILURE:
        return "** ";
    case HD_ROW_VARIABLE:
        return "  ";
    case HD_ROW_BLOCK:
        block_parts(tb, row, o);
        return "";
    case HD_ROW_PENDING:
        return tb->rows->r->finding->kind == HD_FK_DEADLOCK ? "waits: " : "next: ";
    default:
        return "";
    }
}

/* Shortens a name to `width` characters.  Keeps its beginning and more of its end, because they
 * distinguish it from similar names. */
static void leave_out_middle(char *name, int width)
{
    int n = (int)strlen(name), tail = (width - 2) * 2 / 3, head = width - 2 - tail;

    if (n <= width)
        return;
    memcpy(name + head, "..", 2);
    memmove(name + head + 2, name + n - tail, (size_t)tail + 1);
}

/* True if the thread is in the shared column. */
static bool is_other(const struct table *tb, hd_tid tid)
{
    return tb->head[tb->column[tid]] == HD_NO_TID;
}

/* Writes the text before the operation (the thread, in a shared column) and after it (the number of
 * rounds, and the thread that ran before if it is in the same column). */
static void cell_frame(const struct table *tb, const struct hd_row *row, char *before, char *after,
                       size_t cap)
{
    char who[16];
    size_t n = 0;

    before[0] = after[0] = '\0';
    if (is_other(tb, row->tid)) {
        hd_describe_tid(row->tid, who, sizeof who);
        snprintf(before, cap, "%s: ", who);
    }
    if (row->times > 0)
        n = (size_t)snprintf(after, cap, " x %u", row->times);
    if (row->left != HD_NO_TID && tb->column[row->left] == tb->column[row->tid]) {
        hd_describe_tid(row->left, who, sizeof who);
        snprintf(after + n, cap - n, " (%s %s)", who, row->why);
    }
}

/* If the cell is too narrow, drops text that the report also contains elsewhere: first the reason why the previous
 * thread stopped, then the family of the verb ("cond signal"), then the verb of an operation that is blocked in a
 * deadlock. */
static void fit_parts(bool waits, int width, struct hd_operation *o, char *after)
{
    char text[CELL_MAX];
    int n = hd_describe_join(o, text, sizeof text);

    if (n + (int)strlen(after) > width && strchr(after, '(') != NULL)
        strchr(after, '(')[-1] = '\0';
    if (n > width && strncmp(o->verb, "cond ", 5) == 0) {
        memmove(o->verb, o->verb + 5, strlen(o->verb + 5) + 1);
        n -= 5;
    }
    if (n > width && waits && o->object[0] != '\0')
        o->verb[0] = '\0';
}

/* Writes a cell of `width` columns if possible.  Shortens the name in the middle, but drops the
 * value if too little of the name would remain.  Never drops the verb (but see fit_parts) or
 * the whole name. */
static void cell_text(const struct table *tb, const struct hd_row *row, int width, char *buf,
                      size_t cap)
{
    enum { NAME_GOOD = 10, NAME_MIN = 6 };
    struct hd_operation o;
    char before[32], after[64];
    const char *mark = cell_parts(tb, row, &o);

    cell_frame(tb, row, before, after, sizeof before);
    fit_parts(row->type == HD_ROW_PENDING && tb->rows->r->finding->kind == HD_FK_DEADLOCK,
              width - (int)(strlen(before) + strlen(mark)), &o, after);
    int at = snprintf(buf, cap, "%s%s", before, mark), name = (int)strlen(o.object);
    int n = at + hd_describe_join(&o, buf + at, cap - (size_t)at) + (int)strlen(after);

    if (n > width && width - (n - name) < (name < NAME_GOOD ? name : NAME_GOOD)) {
        n -= (int)strlen(o.value);
        o.value[0] = '\0';
    }
    int room = width - (n - name);

    leave_out_middle(o.object, room > NAME_MIN ? room : NAME_MIN);
    n = hd_describe_join(&o, buf + at, cap - (size_t)at);
    snprintf(buf + at + n, cap - (size_t)(at + n), "%s", after);
}

static int cell_width(const struct table *tb, const struct hd_row *row)
{
    char text[CELL_MAX];

    cell_text(tb, row, CELL_MAX, text, sizeof text);
    return (int)strlen(text);
}

/* Writes "(preempted)", or "(T5 preempted)" for a thread in the shared column. */
static void reason_text(const struct table *tb, const struct hd_row *row, char *buf, size_t cap)
{
    char who[16];

    hd_describe_tid(row->left, who, sizeof who);
    if (is_other(tb, row->left))
        snprintf(buf, cap, "(%s %s)", who, row->why);
    else
        snprintf(buf, cap, "(%s)", row->why);
}

/* ---- columns ------------------------------------------------------------------------- */

struct weight {
    unsigned rows, decisive;
};

static unsigned weigh(const struct table *tb, struct weight *w)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < tb->rows->n; i++) {
        const struct hd_row *row = &tb->rows->all[i];

        if (!is_shown(row))
            continue;
        n += w[row->tid].rows++ == 0;
        w[row->tid].decisive += row->decisive;
    }
    return n;
}

/* Clears `decisive` for all threads if more than `max` threads have decisive rows: then no thread
 * gets a column of its own. */
static void choose_involved(struct weight *w, unsigned max)
{
    unsigned n = 0;

    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        n += w[t].decisive > 0;
    for (unsigned t = 0; t < HD_MAX_THREADS && n > max; t++)
        w[t].decisive = 0;
}

static void give_columns(struct table *tb, unsigned max)
{
    struct weight w[HD_MAX_THREADS] = { { 0, 0 } };
    bool all = weigh(tb, w) <= max;

    tb->columns = 0;
    memset(tb->column, 0, sizeof tb->column);
    tb->head[0] = 0;
    if (!all)
        choose_involved(w, max - 1);
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        if (w[t].rows > 0 && (all || w[t].decisive > 0)) {
            tb->column[t] = ++tb->columns;
            tb->head[tb->columns] = (hd_tid)t;
        }
    if (all)
        return;
    tb->head[++tb->columns] = HD_NO_TID;
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        if (w[t].rows > 0 && w[t].decisive == 0)
            tb->column[t] = tb->columns;
}

static void column_name(const struct table *tb, unsigned c, char *buf, size_t cap)
{
    if (tb->head[c] == HD_NO_TID)
        snprintf(buf, cap, tb->columns > 1 ? "others" : "all threads");
    else
        hd_describe_thread(tb->rows->r, tb->head[c], buf, cap);
}

static void widen(int *width, int least)
{
    if (*width < least)
        *width = least;
}

/* Computes the width that each column needs to show everything. */
static void wish(const struct table *tb, int *wanted)
{
    char text[64];

    for (unsigned c = 1; c <= tb->columns; c++) {
        column_name(tb, c, text, sizeof text);
        wanted[c] = (int)strlen(text);
    }
    for (uint32_t i = 0; i < tb->rows->n; i++) {
        const struct hd_row *row = &tb->rows->all[i];

        if (!is_shown(row))
            continue;
        widen(&wanted[tb->column[row->tid]], cell_width(tb, row));
        if (row->left != HD_NO_TID && tb->column[row->left] != 0) {
            reason_text(tb, row, text, sizeof text);
            widen(&wanted[tb->column[row->left]], (int)strlen(text));
        }
    }
}

/* Distributes `room`.  The last column gets what it needs, as long as the others keep their minimum: a text that
 * is too long for another column can extend into the columns after it.  Columns that need less than an equal share
 * leave the rest to the other columns. */
static void share(struct table *tb, const int *wanted, int room)
{
    unsigned last = tb->columns, left = last - 1;
    int each = room - 1, most = room - 1;

    for (unsigned c = 1; c < last; c++)
        most -= (wanted[c] < COLUMN_MIN ? wanted[c] : COLUMN_MIN) + 1;
    if (left > 0) {
        tb->width[last] = wanted[last] < most ? wanted[last] : most;
        room -= tb->width[last] + 1;
    } else {
        left = 1;
    }

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

/* Makes all columns equally wide if that is enough.  Makes the table wider than `page` only if
 * necessary, and never wider than `room`. */
static void give_widths(struct table *tb, int page, int room)
{
    int wanted[MAX_COLUMNS + 1] = { 0 }, total = 0, most = 0;
    int equal = page / (int)tb->columns - 1;

    wish(tb, wanted);
    for (unsigned c = 1; c <= tb->columns; c++) {
        tb->width[c] = 0;
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
    int width = hd_text_width(tb->t), longest = 5, most = SITE_MAX + (width - HD_TEXT_WIDTH) / 4;
    uint32_t step = 0;

    for (uint32_t i = 0; i < tb->rows->n; i++)
        if (is_shown(&tb->rows->all[i])) {
            widen(&longest, (int)strlen(hd_row_site(tb->rows, &tb->rows->all[i])));
            step = tb->rows->all[i].step > step ? tb->rows->all[i].step : step;
        }
    tb->step_width = snprintf(NULL, 0, "%u", step);
    widen(&tb->step_width, 4);
    tb->site_width = longest < most ? longest : most;
    int others = 1 + tb->step_width + 1 + tb->site_width;
    int max = (width - others) / (COLUMN_MIN + 1);

    give_columns(tb, max > MAX_COLUMNS ? MAX_COLUMNS : max < 2 ? 2 : (unsigned)max);
    give_widths(tb, HD_TEXT_WIDTH - others, width - others);
}

/* ---- printing ------------------------------------------------------------------------ */

/* Prints the text in exactly `width` columns, truncated or padded. */
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

static void print_step(const struct table *tb, const struct hd_row *row)
{
    if (row->decisive)
        hd_text_ink(tb->t, HD_INK_BAD, ">");
    else
        fputc(' ', tb->t->out);
    if (row->step != 0)
        fprintf(tb->t->out, "%*u ", tb->step_width, row->step);
    else
        fprintf(tb->t->out, "%*s ", tb->step_width, "");
}

static void print_site(const struct table *tb, const struct hd_row *row)
{
    const char *site = hd_row_site(tb->rows, row);
    int n = (int)strlen(site);

    if (n > tb->site_width) /* the end of a site is more informative than its beginning */
        site += n - tb->site_width;
    fprintf(tb->t->out, "%s\n", site);
}

/* The cell covers the column of another thread.  Appends why that thread stopped, if there is
 * room. */
static void append_reason(const struct hd_row *row, int width, char *text)
{
    char who[16], reason[64];

    hd_describe_tid(row->left, who, sizeof who);
    snprintf(reason, sizeof reason, " (%s %s)", who, row->why);
    if ((int)(strlen(text) + strlen(reason)) <= width)
        strcat(text, reason);
}

/* Writes the text of the row's cell and sets *width to what it takes: its column or, if its column
 * is too narrow for the whole text, the empty columns after it, and the column with the reason why
 * another thread stopped, because the operation is more important.  Returns the last of these
 * columns. */
static unsigned fit_cell(const struct table *tb, const struct hd_row *row, unsigned left, int *width,
                         char text[CELL_MAX])
{
    unsigned own = tb->column[row->tid], last = own;
    int wanted = cell_width(tb, row);

    *width = tb->width[last];
    while (*width < wanted && last < tb->columns)
        *width += 1 + tb->width[++last];
    cell_text(tb, row, *width, text, CELL_MAX);
    if (left > own && last >= left)
        append_reason(row, *width, text);
    return last;
}

static void print_row(const struct table *tb, const struct hd_row *row)
{
    unsigned own = tb->column[row->tid];
    unsigned left = row->left != HD_NO_TID ? tb->column[row->left] : 0;
    char text[CELL_MAX], reason[64] = "";
    int width;

    print_step(tb, row);
    unsigned last = fit_cell(tb, row, left, &width, text);

    if (left != 0)
        reason_text(tb, row, reason, sizeof reason);
    for (unsigned c = 1; c <= tb->columns; c++) {
        if (c == own) {
            print_padded(tb, width, text,
                         row->type == HD_ROW_EVENT || row->type == HD_ROW_VARIABLE || row->type == HD_ROW_BLOCK ? -1 : HD_INK_BAD);
            c = last;
        } else {
            print_padded(tb, tb->width[c], c == left ? reason : "", c == left ? HD_INK_MARK : -1);
        }
        fputc(' ', tb->t->out);
    }
    print_site(tb, row);
}

static void print_head(const struct table *tb)
{
    char name[64];

    fprintf(tb->t->out, "%*s ", tb->step_width + 1, "step");
    for (unsigned c = 1; c <= tb->columns; c++) {
        column_name(tb, c, name, sizeof name);
        print_padded(tb, tb->width[c], name, HD_INK_HEAD);
        fputc(' ', tb->t->out);
    }
    fputs("where\n", tb->t->out);
}

/* The rows that are left out between two rows that are shown. */
struct gap {
    uint32_t rows, accesses; /* accesses: those rows that are accesses to variables */
    uint32_t first, last;    /* numbers of the first and the last step among them; 0: there is no step */
};

static void widen_gap(struct gap *g, const struct hd_row *row)
{
    g->rows += row->hidden;
    g->accesses += row->hidden && row->type == HD_ROW_VARIABLE;
    if ((!row->hidden && !row->repeats) || row->step == 0)
        return;
    g->first = g->first == 0 ? row->step : g->first;
    g->last = row->step;
}

static void print_gap(const struct table *tb, const struct gap *g)
{
    char text[64];

    if (g->first == 0)
        snprintf(text, sizeof text, "... %u %s", g->rows, g->accesses == g->rows ? "accesses" : "rows");
    else if (g->first == g->last)
        snprintf(text, sizeof text, "... step %u", g->first);
    else
        snprintf(text, sizeof text, "... steps %u to %u", g->first, g->last);
    fprintf(tb->t->out, "%*s", tb->step_width + 2, "");
    hd_text_ink(tb->t, HD_INK_DIM, text);
    fputc('\n', tb->t->out);
}

void hd_table_print(const struct hd_text *t, const struct hd_rows *rows)
{
    struct table table = { .t = t, .rows = rows }, *tb = &table;
    struct gap gap = { 0 };

    if (tb->rows->n == 0)
        return;
    measure(tb);
    print_head(tb);
    for (uint32_t i = 0; i < tb->rows->n; i++) {
        widen_gap(&gap, &tb->rows->all[i]);
        if (!is_shown(&tb->rows->all[i]))
            continue;
        if (gap.rows > 0)
            print_gap(tb, &gap);
        gap = (struct gap){ 0 };
        print_row(tb, &tb->rows->all[i]);
    }
    if (gap.rows > 0)
        print_gap(tb, &gap);
}

void hd_text_table(const struct hd_text *t, const struct hd_report *r)
{
    struct hd_rows rows;

    hd_rows_open(&rows, r, t->all);
    hd_rows_fold(&rows, LINES);
    hd_table_print(t, &rows);
    hd_rows_close(&rows);
}
