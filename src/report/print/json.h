/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.h - strings in JSON. */
#ifndef HD_REPORT_PRINT_JSON_H
#define HD_REPORT_PRINT_JSON_H

#include <stdio.h>

/* A JSON string with its quotes.  Bytes that are not UTF-8 become U+FFFD. */
void hd_json_string(FILE *out, const char *s);

#endif
