/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hang.h - an execution whose running thread made no step for a long time.
 *
 * It may be endless or merely slow, so it is not a finding: it counts as too long, a warning names the place, and
 * the search ends, because the next execution would probably take as long.  With --livelock the user states that
 * executions end; then it is reported as a livelock. */
#ifndef HD_RUNTIME_WORKER_HANG_H
#define HD_RUNTIME_WORKER_HANG_H

#include <stdbool.h>

#include "model/finding.h"
#include "wire/wire.h"

/* Reports the execution; tid, pc and message of f are set.  here and lost: see hd_finding_emit. */
void hd_hang_report(struct hd_finding *f, const struct hd_stack_image *here, bool lost);

#endif
