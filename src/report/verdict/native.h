/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native.h - the result of executions on native threads (--strategy stress, noise). */
#ifndef HD_REPORT_VERDICT_NATIVE_H
#define HD_REPORT_VERDICT_NATIVE_H

#include "report/verdict/result.h"

bool hd_native_is(const struct hd_result *r);

/* Writes the sentence of hd_result_guarantee for native executions.  Returns false if the result is
 * of another kind. */
bool hd_native_guarantee(const struct hd_result *r, char *buf, size_t cap);

#endif
