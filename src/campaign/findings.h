/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h - what becomes of a finding: it is saved the moment it is complete, so that
 * nothing that happens later can lose it; when the search is over it is made as small as it
 * goes, saved again, and shown. */
#ifndef HD_CAMPAIGN_FINDINGS_H
#define HD_CAMPAIGN_FINDINGS_H

#include "campaign/minimize.h"
#include "campaign/session.h"

/* One more finding of the session, which has no record; valid until the next one. */
struct hd_result_finding *hd_findings_new(struct hd_session *s, enum hd_finding_kind kind,
                                          uint64_t execution);
/* The same of one that has no schedule and is known by its message. */
struct hd_result_finding *hd_findings_new_said(struct hd_session *s, enum hd_finding_kind kind,
                                               uint64_t execution, const char *message);

/* A hd_merge_fn whose ctx is the session. */
void hd_findings_take(void *session, const struct hd_wire *wire, const struct hd_finding *f);

/* The search is over: show those that wait. */
void hd_findings_finish(struct hd_session *s);

/* What came of minimising a schedule outside of a search is kept and shown; m belongs to
 * the session then.  False: it does not run again. */
bool hd_findings_add_minimized(struct hd_session *s, const struct hd_schedule *original,
                               struct hd_minimized *m);

void hd_findings_free(struct hd_session *s);

#endif
