/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warnings.h - the warnings of a search.  They are kept until the search is over, because a
 * complete search refutes some of them. */
#ifndef HD_CAMPAIGN_WARNINGS_H
#define HD_CAMPAIGN_WARNINGS_H

#include "campaign/session.h"

/* Keeps a record that is a warning. */
void hd_warnings_add(struct hd_session *s, const struct hd_wire *wire, const struct hd_finding *f);

/* Creates the texts of the warnings that remain valid, each once, in an order that does not depend
 * on when they were seen.  Call when the search is over and r has its verdict. */
void hd_warnings_judge(struct hd_session *s, struct hd_result *r);

void hd_warnings_free(struct hd_session *s);

#endif
