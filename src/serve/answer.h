/* SPDX-License-Identifier: BSD-2-Clause
 *
 * answer.h - the answer to each path of the dashboard.
 *
 *   /                                   the campaigns
 *   /campaign/NAME/                     one campaign; /id/NUMBER/ is the same one, by its number in the store
 *   /campaign/NAME/finding/SIGNATURE/   one finding; with "report" its HTML report, with "schedule" its schedule
 *   /api/campaigns, /api/campaign/NAME, /api/id/NUMBER   the same as JSON
 *   /style.css, /script.js, /icon.svg
 *
 * All links of pages are relative, so that a proxy may put the dashboard anywhere. */
#ifndef HD_SERVE_ANSWER_H
#define HD_SERVE_ANSWER_H

#include <stddef.h>

#include "store/view.h"

enum hd_answer_policy {
    HD_POLICY_PAGE,   /* scripts and styles only from files of this server */
    HD_POLICY_REPORT, /* also the script inside the report (html_page.h) */
    HD_POLICY_NONE,   /* the answer is not a page: no policy */
};

struct hd_answer {
    unsigned status; /* HTTP status code */
    const char *type;
    char *body;
    size_t size;
    enum hd_answer_policy policy;
    char *file;     /* name under which a browser saves the content instead of showing it; NULL: it shows the content */
    char *location; /* redirect to this URL; NULL: none */
};

struct hd_site {
    struct hd_view *view;
    const char *store; /* URL of the store without secrets */
};

/* path: as the browser sent it, without the query. */
void hd_answer(struct hd_site *site, const char *path, struct hd_answer *out);
void hd_answer_free(struct hd_answer *a);

/* Answers with a sentence about an error: as a page, or as a JSON object for paths below /api. */
void hd_answer_error(const struct hd_site *site, const char *path, unsigned status, const char *title, const char *sentence,
                     struct hd_answer *out);

#endif
