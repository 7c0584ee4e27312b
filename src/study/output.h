/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h - the outputs of a study: one row per cell (CSV), tables (Markdown), and a page
 * with plots (HTML).  Each is written to a stream as a whole. */
#ifndef HD_STUDY_OUTPUT_H
#define HD_STUDY_OUTPUT_H

#include <stdio.h>

#include "study/published.h"

struct hd_study_report {
    const struct hd_study *study;
    const struct hd_published *published;
    const char *list; /* name of the file */
};

/* RFC 4180. */
void hd_study_csv(FILE *out, const struct hd_study_report *r);
void hd_study_markdown(FILE *out, const struct hd_study_report *r);
void hd_study_html(FILE *out, const struct hd_study_report *r);

/* ---- shared by the outputs
 * --------------------------------------------------------------------- */

/* "1,234,567" */
void hd_study_thousands(char *buf, size_t cap, uint64_t n);

/* The number, or a cross for INFINITY. */
void hd_study_first(char *buf, size_t cap, double first);

/* "12% (8 to 17)": a share and its interval; small shares get more digits. */
void hd_study_share(char *buf, size_t cap, uint64_t k, uint64_t n);

/* The limits of the cells: "100,000 executions, 30 s". */
void hd_study_limits(const struct hd_study *s, char *buf, size_t cap);

/* Writes the numbers of a group as the study prints them.  With several seeds these are the median
 * of `first`, and the sums of the others (over the cells that continued after the bug, if any
 * did).  "" for no cells. */
void hd_study_counts(const struct hd_group *g, char *buf, size_t cap);

/* True if the cell failed, or found only something other than the bug. */
bool hd_study_troubled(const struct hd_cell *c);

/* How many groups agree with published numbers. */
struct hd_study_differences {
    size_t same, open, differs, unexplained;
};
struct hd_study_differences hd_study_differences(const struct hd_study_report *r);

#endif
