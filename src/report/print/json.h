/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.h - JSON strings. */
#ifndef HD_REPORT_PRINT_JSON_H
#define HD_REPORT_PRINT_JSON_H

#include <stdio.h>

/* Prints s as a JSON string with its quotes.  Replaces bytes that are not UTF-8 by U+FFFD. */
void hd_json_string(FILE *out, const char *s);

#endif
