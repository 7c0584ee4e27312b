/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages.h - the pages of the dashboard, and their data as JSON (docs/cluster.md).  Pages need no script: the script
 * only updates them.  They contain no inline styles, so that the content security policy can forbid everything
 * except files of this server. */
#ifndef HD_SERVE_PAGES_H
#define HD_SERVE_PAGES_H

#include <stdio.h>

#include "store/view.h"

struct hd_frame {
    const char *root;  /* relative path to the list of campaigns: "", "../../" */
    const char *title; /* NULL: the title of the list */
    const char *store;
};

/* A campaign with its workers, findings and rate. */
struct hd_whole {
    const struct hd_view_campaign *c;
    const struct hd_view_workers *workers;
    const struct hd_view_findings *findings;
    const struct hd_view_rate *rate;
};

void hd_page_campaigns(FILE *out, const struct hd_frame *f, const struct hd_view_campaigns *all);
void hd_page_campaign(FILE *out, const struct hd_frame *f, const struct hd_whole *w);
/* schedule: file name of the schedule. */
void hd_page_finding(FILE *out, const struct hd_frame *f, const struct hd_view_campaign *c, const struct hd_view_finding *finding,
                     const char *schedule);
void hd_page_error(FILE *out, const struct hd_frame *f, const char *sentence);

void hd_data_campaigns(FILE *out, const struct hd_view_campaigns *all);
void hd_data_campaign(FILE *out, const struct hd_whole *w);
void hd_data_error(FILE *out, const char *sentence);

#endif
