/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h - a finding and a verdict as text and as JSON.  The execution is the last one of the link. */
#ifndef HD_KERNEL_DRIVE_REPORT_H
#define HD_KERNEL_DRIVE_REPORT_H

#include <stdio.h>

#include "kernel/drive/session.h"

/* One line: what happened. */
void hd_kreport_message(const struct hd_ksession *s, char *buf, size_t cap);
void hd_kreport_finding(const struct hd_ksession *s, const struct hd_kernel_finding *f, FILE *out);
void hd_kreport_verdict(const struct hd_ksession *s, int code, FILE *out);
/* False: the file cannot be written, and a message was printed. */
bool hd_kreport_json(const struct hd_ksession *s, int code, const char *file);

#endif
