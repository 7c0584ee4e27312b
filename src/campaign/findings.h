/* SPDX-License-Identifier: BSD-2-Clause
 *
 * findings.h - what becomes of a finding: it is saved the moment it is complete, so that
 * nothing that happens later can lose it; when the search is over it is made as small as it
 * goes, saved again, and shown. */
#ifndef HD_CAMPAIGN_FINDINGS_H
#define HD_CAMPAIGN_FINDINGS_H

#include "campaign/minimize.h"
#include "campaign/session.h"

/* What a session keeps of each of its findings beside the result. */
struct hd_kept_finding {
    const struct hd_finding *record; /* as it was found ... */
    const struct hd_wire *wire;      /* ... and where */
    bool waits;                     /* to be shown when the search is over */
    bool was_there;                 /* its schedule was in the directory before */
    struct hd_minimized *minimized; /* NULL: it was not */
    struct hd_explanation why;
};

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
