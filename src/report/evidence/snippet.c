/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snippet.c - prints source lines with marks.  A block ends at the end of its function, recognised
 * by a closing brace in the first column: lines beyond it have nothing to do with the finding. */
#include "report/evidence/snippet.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/names/path.h"
#include "report/names/shorten.h"

enum {
    LINE_MAX = 512,
    BLOCK_MAX = HD_MAX_PLACES * 7 + 1, /* lines: each mark with 3 lines on each side */
    TAB = 4, /* narrow, because there is little room */
};

struct mark {
    const char *file, *function;
    int line;
    char labels[80];
    unsigned more; /* number of labels that do not fit */
};

/* Lines first..last of a file.  text[0] is line `first`. */
struct block {
    const char *file;
    int first, last;
    char text[BLOCK_MAX][LINE_MAX];
};

/* ---- marks --------------------------------------------------------------------------- */

static bool resolve(const struct hd_report *r, const struct hd_place *place, struct mark *m)
{
    struct hd_frame f[HD_MAX_FRAMES];
    const struct hd_frame *own =
        place->pc == 0 ? &place->frame
                       : hd_symbols_own_frame(f, hd_symbols_frames(r->symbols, place->pc, true, f, HD_MAX_FRAMES));

    if (own->line <= 0 || own->runtime || hd_is_system_file(own->file))
        return false;
    *m = (struct mark){ .file = own->file, .function = own->function, .line = own->line };
    return true;
}

static void add_label(struct mark *m, const char *label)
{
    enum { ROOM = 55 }; /* columns */
    size_t n = strlen(m->labels);

    if (n > 0 && n + 2 + strlen(label) > ROOM) {
        m->more++;
        return;
    }
    snprintf(m->labels + n, sizeof m->labels - n, "%s%s", n > 0 ? "; " : "", label);
}

static int by_place(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    int files = strcmp(x->file, y->file);

    return files != 0 ? files : x->line - y->line;
}

static bool is_same_function(const struct mark *a, const struct mark *b)
{
    return strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* Makes the marks, at most one for each line, sorted by file and line.  Returns their number. */
static unsigned gather(const struct hd_report *r, const struct hd_place *places, unsigned n,
                       struct mark *marks)
{
    unsigned used = 0;

    for (unsigned i = 0; i < n && i < HD_MAX_PLACES; i++) {
        struct mark m;
        unsigned k = 0;

        if (!resolve(r, &places[i], &m))
            continue;
        while (k < used && by_place(&marks[k], &m) != 0)
            k++;
        if (k == used)
            marks[used++] = m;
        add_label(&marks[k], places[i].label);
    }
    for (unsigned k = 0; k < used; k++) {
        size_t at = strlen(marks[k].labels);

        if (marks[k].more > 0)
            snprintf(marks[k].labels + at, sizeof marks[k].labels - at, " and %u more", marks[k].more);
    }
    qsort(marks, used, sizeof *marks, by_place);
    return used;
}

/* ---- source -------------------------------------------------------------------------- */

/* Copies a line with tabs expanded.  Replaces control characters, so that a source file cannot send
 * commands to the terminal. */
static void copy_line(char *out, const char *in)
{
    size_t n = 0;

    for (; *in != '\0' && *in != '\n' && *in != '\r' && n + TAB < LINE_MAX; in++) {
        unsigned char c = (unsigned char)*in;

        if (c == '\t')
            do
                out[n++] = ' ';
            while (n % TAB != 0);
        else
            out[n++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

/* Reads the lines of the block.  Lowers b->last if the file is shorter.  Returns false if the file
 * cannot be read or ends before b->first. */
static bool read_block(struct block *b)
{
    FILE *src = fopen(b->file, "re");
    char *line = NULL;
    size_t cap = 0;
    int at = 0;

    while (src != NULL && at < b->last && getline(&line, &cap, src) >= 0)
        if (++at >= b->first)
            copy_line(b->text[at - b->first], line);
    free(line);
    if (src != NULL)
        fclose(src);
    if (at < b->last)
        b->last = at;
    return at >= b->first;
}

static const char *line_of(const struct block *b, int line)
{
    return b->text[line - b->first];
}

/* Computes the lines lo..hi of the block to print: those of the functions that contain the marks,
 * without empty lines at either end. */
static void trim(const struct block *b, int first_mark, int last_mark, int *lo, int *hi)
{
    *lo = b->first;
    *hi = b->last;
    for (int i = b->first; i < first_mark; i++)
        if (line_of(b, i)[0] == '}')
            *lo = i + 1;
    for (int i = last_mark; i < *hi; i++)
        if (line_of(b, i)[0] == '}')
            *hi = i;
    while (*lo < first_mark && line_of(b, *lo)[0] == '\0')
        (*lo)++;
    while (*hi > last_mark && line_of(b, *hi)[0] == '\0')
        (*hi)--;
}

static size_t common_indent(const struct block *b, int lo, int hi)
{
    size_t least = LINE_MAX;

    for (int i = lo; i <= hi; i++) {
        size_t n = strspn(line_of(b, i), " ");

        if (line_of(b, i)[n] != '\0' && n < least)
            least = n;
    }
    return least == LINE_MAX ? 0 : least;
}

/* ---- printing ------------------------------------------------------------------------ */

static void print_code(const struct hd_text *t, int line, bool marked, const char *code, int room)
{
    if (marked)
        hd_text_ink(t, HD_INK_BAD, "  >");
    else
        fputs("   ", t->out);
    fprintf(t->out, code[0] != '\0' ? "%5d  %.*s" : "%5d", line, room, code);
}

/* Prints the label after the line if there is room for it, otherwise on a line of its own. */
static void print_label(const struct hd_text *t, const char *label, int used, int longest, int room)
{
    int n = (int)strlen(label) + 5;
    int column = longest + n <= room ? longest : used;

    if (column + n <= room)
        fprintf(t->out, "%*s", column - used + 2, "");
    else
        fprintf(t->out, "\n%*s", 10, "");
    fputs("<- ", t->out);
    hd_text_ink(t, HD_INK_MARK, label);
}

static int longest_mark(const struct block *b, const struct mark *marks, unsigned n, size_t indent)
{
    int longest = 0;

    for (unsigned i = 0; i < n; i++) {
        int len = marks[i].line > b->last ? 0 : (int)(strlen(line_of(b, marks[i].line)) - indent);

        if (len > longest)
            longest = len;
    }
    return longest;
}

/* Prints the file and the functions of the block.  Prints nothing if the previous block is in the
 * same function, because the line numbers suffice. */
static void print_name(const struct hd_text *t, const struct mark *marks, unsigned n, bool first)
{
    char line[400], name[500];
    bool same = !first && n == 1 && is_same_function(&marks[-1], &marks[0]);

    hd_name_shorten(marks[0].function, name, sizeof name);
    size_t used = (size_t)snprintf(line, sizeof line, "%.200s in %.80s", hd_path_shown(marks[0].file), name);

    for (unsigned i = 1; i < n; i++)
        if (!is_same_function(&marks[i], &marks[i - 1]) && used < 300) {
            hd_name_shorten(marks[i].function, name, sizeof name);
            used += (size_t)snprintf(line + used, sizeof line - used, ", %.40s", name);
        }
    if (same)
        return;
    fputs("  ", t->out);
    hd_text_wrap(t, 2, 4, line);
}

/* Prints the block that contains these n marks. */
static void print_block(const struct hd_text *t, const struct mark *marks, unsigned n, bool first,
                        struct block *b)
{
    int lo, hi, room = hd_text_width(t) - 10;

    if (!read_block(b) || b->last < marks[n - 1].line)
        return;
    trim(b, marks[0].line, marks[n - 1].line, &lo, &hi);
    size_t indent = common_indent(b, lo, hi);
    int longest = longest_mark(b, marks, n, indent);

    print_name(t, marks, n, first);
    for (int i = lo; i <= hi; i++) {
        const char *code = line_of(b, i);
        const struct mark *m = NULL;

        code += strlen(code) > indent ? indent : strlen(code);
        for (unsigned k = 0; k < n && m == NULL; k++)
            if (marks[k].line == i)
                m = &marks[k];
        print_code(t, i, m != NULL, code, room);
        if (m != NULL)
            print_label(t, m->labels, (int)strlen(code), longest, room);
        fputc('\n', t->out);
    }
}

void hd_snippet_text(const struct hd_text *t, const struct hd_report *r, const struct hd_place *places,
                     unsigned n, int context)
{
    struct mark marks[HD_MAX_PLACES];
    struct block *b = hd_zeroed(1, sizeof *b);
    unsigned used = gather(r, places, n, marks);

    for (unsigned i = 0, end; i < used; i = end) {
        end = i + 1;
        while (end < used && strcmp(marks[end].file, marks[i].file) == 0 &&
               marks[end].line - marks[end - 1].line <= 2 * context + 1)
            end++;
        b->file = marks[i].file;
        b->first = marks[i].line > context ? marks[i].line - context : 1;
        b->last = marks[end - 1].line + context;
        print_block(t, &marks[i], end - i, i == 0, b);
    }
    free(b);
}
