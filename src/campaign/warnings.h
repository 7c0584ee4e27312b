/* SPDX-License-Identifier: BSD-2-Clause
 *
 * warnings.h - what a search has to say beside its findings.  Warnings wait until it is
 * over: a complete search refutes some of them. */
#ifndef HD_CAMPAIGN_WARNINGS_H
#define HD_CAMPAIGN_WARNINGS_H

#include "campaign/session.h"

/* Keep a record that is a warning. */
void hd_warnings_add(struct hd_session *s, const struct hd_wire *wire, const struct hd_finding *f);

/* The search is over and r has its verdict: put into words what still holds, once, in an
 * order that does not depend on when it was seen. */
void hd_warnings_judge(struct hd_session *s, struct hd_result *r);

void hd_warnings_free(struct hd_session *s);

#endif
