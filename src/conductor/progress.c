/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress.c - one line on standard error: redrawn a few times a second on a
 * terminal, a fresh one every ten seconds elsewhere (logs of CI systems). */
#include "conductor/progress.h"

#include <stdio.h>

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

static void compose(const struct hd_progress_view *p, const struct hd_totals *t,
                    uint64_t findings, double seconds, char *buf, size_t cap)
{
    char bound[32] = "";

    if (t->bound >= 0)
        snprintf(bound, sizeof bound, ", bound %lld", (long long)t->bound);
    snprintf(buf, cap, "%.0fs: %llu executions (%.0f/s)%s, %llu finding%s", seconds,
             (unsigned long long)t->executions, p->rate, bound, (unsigned long long)findings,
             findings == 1 ? "" : "s");
}

void hd_progress_show(struct hd_progress_view *p, const struct hd_totals *t, uint64_t findings,
                      double seconds)
{
    double every = p->style == HD_PROGRESS_LIVE ? LIVE_EVERY : LINES_EVERY;
    char line[128];

    if (p->style == HD_PROGRESS_SILENT || seconds < p->next)
        return;
    if (p->next == 0) { /* short campaigns show nothing at all */
        p->next = p->style == HD_PROGRESS_LIVE ? 0.5 : LINES_EVERY;
        return;
    }
    p->next = seconds + every;
    measure_rate(p, t->executions, seconds);
    compose(p, t, findings, seconds, line, sizeof line);
    if (p->style == HD_PROGRESS_LIVE)
        fprintf(stderr, "\r\033[Kheddle: %.70s", line);
    else
        fprintf(stderr, "heddle: %s\n", line);
    fflush(stderr);
    p->on_screen = p->style == HD_PROGRESS_LIVE;
}

void hd_progress_clear(struct hd_progress_view *p)
{
    if (!p->on_screen)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    p->on_screen = false;
}
