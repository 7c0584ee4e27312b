/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages_parts.h - parts that several pages have. */
#ifndef HD_SERVE_PAGES_PARTS_H
#define HD_SERVE_PAGES_PARTS_H

#include "serve/pages.h"
#include "serve/state.h"

/* How often the content of a page changes: all the time, now and then, or never. */
enum hd_pace { HD_PACE_FAST, HD_PACE_SLOW, HD_PACE_STILL };

/* Writes the page up to the content of the main element.  `head` writes the part below the title. */
void hd_page_open(FILE *out, const struct hd_frame *f, enum hd_pace pace, void (*head)(FILE *out, const void *ctx), const void *ctx);
void hd_page_close(FILE *out);

/* The colour and the word for a worker's verdict, as the terminal shows it; NULL: no worker has given a verdict yet. */
const char *hd_part_verdict_mark(const char *verdict);
const char *hd_part_verdict_word(const char *verdict);
void hd_part_badge(FILE *out, const char *mark, const char *text);
/* Writes a progress bar. part: the share that is done, from 0 to 1. */
void hd_part_bar(FILE *out, double part, const char *label);
/* Writes the URL of the campaign, relative to `root`. */
void hd_part_link(FILE *out, const char *root, const struct hd_view_campaign *c);
/* Writes the verb and the strategy: "verify, strategy dpor". */
void hd_part_search(FILE *out, const char *spec);
/* Writes how far the campaign is. A time budget is shown as a bar only if `alone`. */
void hd_part_progress(FILE *out, const struct hd_view_campaign *c, const struct hd_state *s, bool alone);

/* Executions over time: as a small picture without labels, and as a plot. */
void hd_plot_spark(FILE *out, const int64_t *n, size_t count);
void hd_plot_rate(FILE *out, const struct hd_whole *w);

#endif
