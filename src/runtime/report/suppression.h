/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppression.h - findings that may be suppressed.  Suppressions refer to names that only the conductor knows, so it
 * judges each record once, when it sees it on the wire.  The worker waits for the judgement at the end of the
 * execution, before the execution counts.  So the search does not depend on how fast the conductor is.
 *
 * J1  An execution whose findings are all suppressed counts as one without findings.
 * J2  A finding that counts ends the search as it would without suppressions.
 * J3  A worker that dies while it waits has committed nothing.  Another worker runs the execution
 *     again, meets the same records, and waits for their judgement again.
 * J4  Of the races in an execution, a suppressed failure tells the same as any other. */
#ifndef HD_RUNTIME_REPORT_SUPPRESSION_H
#define HD_RUNTIME_REPORT_SUPPRESSION_H

#include <stdbool.h>

#include "wire/wire.h"


/* Counts an occurrence of this record in the running execution. */
void hd_suppression_hit(struct hd_finding *record);

/* Removes suppressed findings from the count of the execution, which is over and not yet committed. */
void hd_suppression_settle(void);

/* J4: true if the execution that was settled last had a suppressed failure. */
bool hd_suppression_hid_failure(void);

#endif
