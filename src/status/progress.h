/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress.h - how far the search is, for whoever waits for it. */
#ifndef HD_STATUS_PROGRESS_H
#define HD_STATUS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/campaign.h"
#include "status/screen.h"

enum hd_progress_style { HD_PROGRESS_LIVE, HD_PROGRESS_LINES, HD_PROGRESS_SILENT };

struct hd_progress_view {
    enum hd_progress_style style;
    double next;     /* when to show something again */
    double rate_at;  /* for the rate: when ... */
    uint64_t rate_n; /* ... and how many executions it was then */
    double rate;
    bool on_screen;  /* a live line stands there */
    struct hd_screen panel; /* or this, in its place */
};

/* What it would show: executions so far, and of a search through a tree what is known
 * of its size ("?" when it is too early to tell). */
void hd_progress_line(const struct hd_progress_view *p, const struct hd_totals *t,
                      uint64_t findings, double seconds, char *buf, size_t cap);

/* Show, when it is time to. */
void hd_progress_show(struct hd_progress_view *p, const struct hd_totals *t, uint64_t findings,
                      double seconds);

/* Take the live line, or the panel, off the screen: something else is to be printed. */
void hd_progress_clear(struct hd_progress_view *p);

#endif
