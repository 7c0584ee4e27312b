/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines.c - the state transitions of a line (lines.h).  Makes no libc calls. */
#include "detect/lines.h"

void hd_lines_init(struct hd_lines *l, struct hd_lines_marks *marks)
{
    l->marks = marks;
    l->trusted = false;
}

void hd_lines_begin(struct hd_lines *l, bool forget)
{
    struct hd_lines_marks *m = l->marks;

    m->unsure = false;
    m->executions++;
    l->trusted = m->executions > HD_LINES_PATIENCE && m->nunsure < HD_LINES_UNSURE;
    for (size_t i = 0; forget && i < HD_LINES; i++)
        if (l->line[i].last != 0) /* writing to an entry that was never used would allocate its page */
            l->line[i] = (struct hd_line){ 0 };
}

void hd_lines_rerun(struct hd_lines_marks *marks)
{
    marks->unsure = false;
    marks->nunsure++;
}

/* True if use u happened before what thread tid does now, or belongs to another execution. */
static bool is_past(const struct hd_clocks *c, hd_line_use u, hd_tid tid)
{
    return hd_clocks_stale(c, hd_line_segment(u)) ||
           hd_clocks_before(c, hd_line_segment(u), hd_line_tid(u), tid);
}

static bool is_marked(const struct hd_lines *l, const struct hd_line *line)
{
    size_t i = (size_t)(line - l->line);

    return l->marks->close[i / 64] >> i % 64 & 1;
}

/* Makes the line close (L3).  Sets `unsure` before the mark: if the worker died in between, the mark alone
 * would hide that accesses were not checked. */
static void bring_close(struct hd_lines *l, const struct hd_clocks *c, struct hd_line *line)
{
    size_t i = (size_t)(line - l->line);

    if (l->trusted && !hd_clocks_stale(c, hd_line_segment(line->last)))
        l->marks->unsure = true;
    l->marks->close[i / 64] |= UINT64_C(1) << i % 64;
    line->last = HD_LINE_CLOSE;
}

/* Handles a read while other threads read as well.  Returns false if the line is not quiet (L2 of lines.h). */
static bool read_among_others(const struct hd_clocks *c, struct hd_line *line, hd_line_use by)
{
    if ((line->last & HD_LINE_WRITTEN) || !is_past(c, line->write, hd_line_tid(by)))
        return false;
    line->last |= HD_LINE_BY_OTHERS;
    return true;
}

/* Records a use of the line.  Returns false if the detector has to check the access. */
static bool use(struct hd_lines *l, const struct hd_clocks *c, struct hd_line *line, hd_line_use by,
                bool write)
{
    hd_line_use last = line->last;

    if (last == HD_LINE_CLOSE)
        return false;
    if (hd_clocks_stale(c, hd_line_segment(last))) {
        if (is_marked(l, line)) {
            line->last = HD_LINE_CLOSE;
            return false;
        }
        line->write = 0;
        line->last = by | (write ? HD_LINE_WRITTEN : 0);
    } else if (!hd_line_passes(line, c, by, write) && (write || !read_among_others(c, line, by))) {
        bring_close(l, c, line);
        return false;
    }
    return l->trusted;
}

size_t hd_lines_use(struct hd_lines *l, const struct hd_clocks *c, hd_line_use by, uintptr_t addr,
                    size_t size, bool write, bool *look)
{
    size_t n = HD_LINE_BYTES - addr % HD_LINE_BYTES;
    bool quiet = use(l, c, hd_line_of(l, addr), by, write);

    *look = !quiet;
    while (n < size && use(l, c, hd_line_of(l, addr + n), by, write) == quiet)
        n += HD_LINE_BYTES;
    return n < size ? n : size;
}

void hd_lines_share(struct hd_lines *l, const struct hd_clocks *c, uintptr_t addr, size_t size)
{
    struct hd_line *line = hd_line_of(l, addr), *last = hd_line_of(l, addr + size - 1);

    if (line->last != HD_LINE_CLOSE)
        bring_close(l, c, line);
    if (last->last != HD_LINE_CLOSE)
        bring_close(l, c, last);
}
