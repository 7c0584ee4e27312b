/* SPDX-License-Identifier: BSD-2-Clause
 *
 * chart.h - message sequence charts in text. */
#ifndef HD_REPORT_TEXT_CHART_H
#define HD_REPORT_TEXT_CHART_H

#include "report/evidence/report.h"
#include "report/print/text.h"

/* Prints the last messages that threads have sent to each other (<heddle/mail.h>), with a lane for each thread
 * that takes part.  If there are too many threads for the width, prints one line for each message.  Prints nothing
 * if there are no messages. */
void hd_chart_text(const struct hd_text *t, const struct hd_report *r);

#endif
