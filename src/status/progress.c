/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress.c - one line on standard error: redrawn a few times a second on a terminal, a new one every ten seconds
 * elsewhere (CI logs).  If there is room, the command line shows a panel instead (campaign/search/live.c). */
#include "status/progress.h"

#include <stdio.h>

#include "status/approximate.h"

#define LIVE_EVERY 0.2
#define LINES_EVERY 10.0

static void measure_rate(struct hd_progress_view *p, uint64_t executions, double seconds)
{
    double span = seconds - p->rate_at;

    if (span < 0.1)
        return;
    p->rate = (double)(executions - p->rate_n) / span;
    p->rate_at = seconds;
    p->rate_n = executions;
}

/* True if it is too early for an estimate: a tree whose first branches are small looks small for a while. */
static bool too_early(const struct hd_totals *t, double seconds)
{
    return t->begun < 16 || seconds < 1;
}

/* Writes the text after the number of executions.  Takes the explored part of the tree as an estimate of the
 * explored part of the executions, including redundant ones. */
static void compose_tree(const struct hd_totals *t, double seconds, char *buf, size_t cap)
{
    char number[HD_ABOUT], left[HD_ABOUT];

    if (too_early(t, seconds)) {
        snprintf(buf, cap, " of ~? executions");
        return;
    }
    hd_about_number((double)t->executions / t->explored, number);
    hd_about_time(seconds / t->explored - seconds, left);
    snprintf(buf, cap, " of ~%s executions, %s left", number, left);
}

/* A bounded search can estimate the size of the current bound, not of the following ones. */
static void compose_bound(const struct hd_totals *t, double seconds, char *buf, size_t cap)
{
    if (t->explored == 0 || t->exhausted)
        snprintf(buf, cap, ", bound %lld", (long long)t->bound);
    else if (too_early(t, seconds))
        snprintf(buf, cap, ", bound %lld (? of it)", (long long)t->bound);
    else
        snprintf(buf, cap, ", bound %lld (~%.0f%% of it)", (long long)t->bound,
                 100 * t->explored);
}

void hd_progress_line(const struct hd_progress_view *p, const struct hd_totals *t,
                      uint64_t findings, double seconds, char *buf, size_t cap)
{
    char tree[128] = " executions", bound[64] = "";

    if (t->bound >= 0 && t->begun > 0) /* before that it is not known whether there is a bound */
        compose_bound(t, seconds, bound, sizeof bound);
    else if (t->explored > 0 && !t->exhausted)
        compose_tree(t, seconds, tree, sizeof tree);
    snprintf(buf, cap, "%.0fs: %llu%s (%.0f/s)%s, %llu finding%s", seconds,
             (unsigned long long)t->executions, tree, p->rate, bound,
             (unsigned long long)findings, findings == 1 ? "" : "s");
}

/* A redrawn line must not be wider than the terminal. */
static int room(void)
{
    int cols, rows;

    if (!hd_screen_size(&cols, &rows) || cols < 20)
        return 70;
    return cols - (int)sizeof "heddle: ";
}

void hd_progress_show(struct hd_progress_view *p, const struct hd_totals *t, uint64_t findings,
                      double seconds)
{
    double every = p->style == HD_PROGRESS_LIVE ? LIVE_EVERY : LINES_EVERY;
    char line[256];

    if (p->style == HD_PROGRESS_SILENT || seconds < p->next ||
        (p->style == HD_PROGRESS_LIVE && !hd_screen_is_ours()))
        return;
    if (p->next == 0) { /* short campaigns show nothing */
        p->next = p->style == HD_PROGRESS_LIVE ? 0.5 : LINES_EVERY;
        return;
    }
    p->next = seconds + every;
    measure_rate(p, t->executions, seconds);
    hd_progress_line(p, t, findings, seconds, line, sizeof line);
    if (p->style == HD_PROGRESS_LIVE)
        fprintf(stderr, "\r\033[Kheddle: %.*s", room(), line);
    else
        fprintf(stderr, "heddle: %s\n", line);
    fflush(stderr);
    p->on_screen = p->style == HD_PROGRESS_LIVE;
}

void hd_progress_clear(struct hd_progress_view *p)
{
    hd_screen_clear(&p->panel);
    if (!p->on_screen)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->on_screen = false;
}
