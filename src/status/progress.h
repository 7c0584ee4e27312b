/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress.h - shows the progress of a search. */
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
    double next;     /* when to show the next line */
    double rate_at;  /* time of the last measurement of the rate */
    uint64_t rate_n; /* number of executions then */
    double rate;
    bool on_screen;  /* a live line is on the screen */
    struct hd_screen panel; /* the panel, if it is shown instead */
};

/* Writes the text of the line: executions so far and, for an exhaustive search, the estimated size of the tree
 * ("?"  if it is too early for that). */
void hd_progress_line(const struct hd_progress_view *p, const struct hd_totals *t,
                      uint64_t findings, double seconds, char *buf, size_t cap);

/* Show the line if it is due. */
void hd_progress_show(struct hd_progress_view *p, const struct hd_totals *t, uint64_t findings,
                      double seconds);

/* Remove the live line or the panel, so that something else can be printed. */
void hd_progress_clear(struct hd_progress_view *p);

#endif
