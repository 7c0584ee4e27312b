/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hang.c - see hang.h. */
#include "runtime/worker/hang.h"

#include "runtime/core/state.h"
#include "runtime/report/finding.h"

void hd_hang_report(struct hd_finding *f, const struct hd_stack_image *here, bool lost)
{
    f->signal = 0;
    f->kind = HD_FK_LIVELOCK;
    if (hd.cfg->livelock == 0) {
        f->warning = HD_WARN_NO_PROGRESS;
        hd.wire->nhung++;
    }
    hd_finding_name_main(f->message, sizeof f->message);
    hd_finding_emit(f, here, NULL, lost);
}
