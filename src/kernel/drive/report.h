/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report.h - a finding and a verdict as text and as JSON.  The execution is the last one of the link. */
#ifndef HD_KERNEL_DRIVE_REPORT_H
#define HD_KERNEL_DRIVE_REPORT_H

#include <stdio.h>

#include "kernel/drive/session.h"

/* Writes the message of the finding as one line. */
void hd_kreport_message(const struct hd_ksession *s, char *buf, size_t cap);
/* Prints where each thread is. */
void hd_kreport_threads(const struct hd_ksession *s, FILE *out);
void hd_kreport_finding(const struct hd_ksession *s, const struct hd_kernel_finding *f, FILE *out);
void hd_kreport_verdict(const struct hd_ksession *s, int code, FILE *out);
/* Writes the sentence that says what is proved. */
void hd_kreport_guarantee(const struct hd_ksession *s, char *buf, size_t cap);
/* Returns the verdict of the exit code as a word. */
const char *hd_kreport_word(int code);
/* Returns false after a message if the file cannot be written. */
bool hd_kreport_json(const struct hd_ksession *s, int code, const char *file);

/* Adds the finding to the page of the session (--html); the caller then has the execution in the link. */
void hd_kpage_finding(struct hd_ksession *s, const struct hd_kernel_finding *f);
/* Writes the page.  Returns false after a message if the file cannot be written. */
bool hd_kpage_write(struct hd_ksession *s, int code, const char *file);

#endif
