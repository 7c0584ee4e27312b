/* SPDX-License-Identifier: BSD-2-Clause
 *
 * message.c - a finding in one sentence. */
#include "report/evidence/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/race.h"

void hd_report_message(const struct hd_report *r, char *buf, size_t cap)
{
    if (r->race != NULL)
        hd_race_message(r, buf, cap);
    else if (r->finding->kind == HD_FK_DEADLOCK)
        hd_deadlock_message(r, buf, cap);
    else
        hd_describe_message(r, buf, cap);
    char *raw = strdup(buf);

    HD_INVARIANT(raw != NULL, "out of memory");
    hd_text_visible(raw, buf, cap);
    free(raw);
}
