/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warnings.h - the warnings of a search.  They are kept until the search is over, because a
 * complete search refutes some of them. */
#ifndef HD_CAMPAIGN_FINDINGS_WARNINGS_H
#define HD_CAMPAIGN_FINDINGS_WARNINGS_H

#include "campaign/findings/suppression.h"

struct hd_warnings {
    struct hd_kept_warning {
        const struct hd_wire *wire;
        const struct hd_finding *record;
    } *kept; /* warnings, kept until the search is over */
    size_t nkept;
    struct hd_result_warning *list; /* those that remain valid */
    size_t n;
};

/* Keeps a record that is a warning. */
void hd_warnings_add(struct hd_warnings *w, const struct hd_wire *wire, const struct hd_finding *f);

/* Creates the texts of the warnings that remain valid, each once, in an order that does not depend
 * on when they were seen.  Call when the search is over and r has its findings and verdict. */
void hd_warnings_judge(struct hd_warnings *w, const struct hd_suppression_state *j, struct hd_result *r);

void hd_warnings_free(struct hd_warnings *w);

#endif
