/* SPDX-License-Identifier: BSD-2-Clause
 *
 * livelock.h - threads that run for ever and get nowhere, in words. */
#ifndef HD_REPORT_LIVELOCK_H
#define HD_REPORT_LIVELOCK_H

#include "report/text.h"

/* Does the finding know what this thread polls, or that it is in the cycle?  Then
 * hd_livelock_text tells more of it than where it stands. */
bool hd_livelock_explains(const struct hd_report *r, hd_tid tid);

/* What is polled and who has written it; the steps that lead back to where they began. */
void hd_livelock_text(const struct hd_text *t, const struct hd_report *r);

#endif
