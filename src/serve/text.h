/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - writes texts from the database, numbers and times into a page.  The database may contain hostile texts: a
 * page shows them as text, with all invisible characters made visible. */
#ifndef HD_SERVE_TEXT_H
#define HD_SERVE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes text between tags or in a quoted attribute.  A character that would be invisible, or would change the
 * direction of the text, is written as its number between angle brackets; invalid UTF-8 as U+FFFD. */
void hd_put_text(FILE *out, const char *text);

/* Writes text as a part of a URL. */
void hd_put_address(FILE *out, const char *text);

/* Decodes a part of a URL.  Returns false if it is malformed, contains a zero byte or is not UTF-8. */
bool hd_decode_address(const char *from, size_t n, char *to, size_t cap);

/* "1,234,567" */
void hd_put_count(FILE *out, int64_t n);

/* Writes a rate or another number that need not be exact: "0.8", "12", "1,234". */
void hd_put_about(FILE *out, double x);

/* Writes "40 ms", "12 s", "5 min", "3 h 20 min" or "4 days". */
void hd_put_duration(FILE *out, double seconds);

/* Writes a time element: how long ago `at` was, with the exact time as its title.  Both in seconds since 1970. */
void hd_put_ago(FILE *out, double at, double now);

#endif
