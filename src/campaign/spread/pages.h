/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages.h - the HTML reports of a slice's findings, as data that the store keeps (report/html/html_page.h).  The
 * worker that finds the error makes the report, because it has the program and the sources. */
#ifndef HD_CAMPAIGN_SPREAD_PAGES_H
#define HD_CAMPAIGN_SPREAD_PAGES_H

#include "campaign/findings/findings.h"
#include "store/store.h"

struct hd_pages {
    struct hd_outputs outputs; /* appends each finding to `list` */
    struct hd_page {
        const struct hd_finding *record;
        void *state; /* state of hd_format_html */
        char *kept;
    } *list;
    size_t n;
};

/* Starts to collect findings.  From now on a schedule is named after the signature of its finding, and reports are
 * kept. */
void hd_pages_open(struct hd_pages *p, struct hd_findings *findings);
void hd_pages_close(struct hd_pages *p);

/* Writes the file name that the schedule of this finding gets when somebody downloads it from the store. */
void hd_pages_name(const char *signature, char *buf, size_t cap);
/* Like hd_pages_name, for a schedule of the regression corpus. */
void hd_pages_name_regression(const char *program, const char *signature, char *buf, size_t cap);
/* Like hd_pages_name, for a schedule of a kernel. */
void hd_pages_name_kernel(const char *signature, char *buf, size_t cap);
/* Writes the schedule into a file.  Returns false, with errno set, if that fails. */
bool hd_pages_save(const char *path, const struct hd_bytes *schedule);
/* Writes the signature by which the store identifies the finding. */
void hd_pages_signature(const struct hd_result_finding *f, char *buf, size_t cap);

/* Returns the report, which the caller frees. data is NULL if there is none or it is too large. r: the result of the
 * slice. */
struct hd_bytes hd_pages_make(struct hd_pages *p, const struct hd_result *r, const struct hd_result_finding *f,
                              const struct hd_session *s);

#endif
