/* SPDX-License-Identifier: BSD-2-Clause
 *
 * html.h - findings as one page for a browser: a time line with a lane for each thread
 * beside the source code, in one file that needs nothing else.
 *
 * The page is a fixed template (src/report/html, inside the tool) and data.  Findings are
 * put into words the moment they are seen, when all that describes them is at hand; the
 * page is written when the result is known. */
#ifndef HD_REPORT_HTML_HTML_H
#define HD_REPORT_HTML_HTML_H

#include "report/verdict/result.h"

struct hd_html;

/* The first event happens before the second, by more than being of one thread: numbers of
 * events of a report.  Those that follow from others are left out. */
struct hd_html_edge {
    uint32_t from, to;
};

struct hd_html_order {
    const struct hd_html_edge *edges;
    size_t n;
};

struct hd_html *hd_html_open(void);
void hd_html_free(struct hd_html *h);

/* What the page shows of a finding that was kept.  The strings that it needs are copied. */
void hd_html_add(struct hd_html *h, const struct hd_report *r, const struct hd_html_order *order,
                 const struct hd_result_finding *kept);
/* Is there room for one more?  (A page has to be opened by a browser.) */
bool hd_html_has_room(const struct hd_html *h);

/* The result of a search, with its findings; one that was not added is listed by its message. */
void hd_html_result(struct hd_html *h, const struct hd_result *r);

/* The page. */
void hd_html_write(FILE *out, struct hd_html *h, const char *program);

#endif
