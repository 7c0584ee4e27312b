/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h - saves, minimises and shows findings.  A finding is saved as soon as its record is
 * complete, so that no later event can lose it.  When the search is over, its schedule is
 * minimised, saved again, and the finding is shown. */
#ifndef HD_CAMPAIGN_FINDINGS_H
#define HD_CAMPAIGN_FINDINGS_H

#include "campaign/minimize.h"
#include "campaign/session.h"

/* Adds a finding without a record to the session.  The pointer is valid until the next finding is
 * added. */
struct hd_result_finding *hd_findings_new(struct hd_session *s, enum hd_finding_kind kind,
                                          uint64_t execution);
/* Adds a finding without a schedule, which its kind and message identify.  The pointer is valid
 * until the next finding is added. */
struct hd_result_finding *hd_findings_new_said(struct hd_session *s, enum hd_finding_kind kind,
                                               uint64_t execution, const char *message);

/* Handles a finding that the workers report.  A hd_merge_fn (conductor/merge.h) whose ctx is the
 * session. */
void hd_findings_take(void *session, const struct hd_wire *wire, const struct hd_finding *f);

/* Call when the search is over: minimises and shows the findings that were postponed. */
void hd_findings_finish(struct hd_session *s);

/* Adds and shows the result of minimising a schedule outside of a search.  The session then owns m.
 * Returns false, and shows nothing, if a replay of the smaller schedule does not show the finding. */
bool hd_findings_add_minimized(struct hd_session *s, const struct hd_schedule *original,
                               struct hd_minimized *m);

void hd_findings_free(struct hd_session *s);

#endif
