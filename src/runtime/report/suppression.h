/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - findings that may be suppressed.  Only the conductor has the names that
 * suppressions are written in, so it judges: each record once, when it sees it on the
 * wire.  The worker waits for that at the end of the execution, before it is counted:
 * so the search goes the same way every time, however slow the judge is.
 *
 * J1  An execution whose findings are all suppressed counts as one without findings.
 * J2  A finding that counts ends the search as it would without suppressions.
 * J3  A worker that dies while it waits has committed nothing: the execution is begun
 *     again, meets the same records, and asks again. */
#ifndef HD_RUNTIME_REPORT_SUPPRESSION_H
#define HD_RUNTIME_REPORT_SUPPRESSION_H

#include "runtime/core/rt.h"

/* The running execution has this one. */
void hd_suppression_hit(struct hd_finding *record);

/* The execution is over and not yet committed: leave out of it what is suppressed. */
void hd_suppression_settle(void);

#endif
