/* SPDX-License-Identifier: BSD-2-Clause
 *
 * message.c - the message of a finding: one sentence. */
#include "report/evidence/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/evidence/kinds.h"
#include "report/print/text.h"

void hd_report_message(const struct hd_report *r, char *buf, size_t cap)
{
    hd_kind_report(r)->message(r, buf, cap);
    char *raw = hd_copied(buf);

    hd_text_visible(raw, buf, cap);
    free(raw);
}
