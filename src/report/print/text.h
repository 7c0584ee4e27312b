/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - where text for people goes: a stream with a width, perhaps with colours. */
#ifndef HD_REPORT_PRINT_TEXT_H
#define HD_REPORT_PRINT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HD_TEXT_WIDTH 80

struct hd_text {
    FILE *out;
    bool color;
    bool all;  /* fold nothing */
    int width; /* of tables and source lines; 0: HD_TEXT_WIDTH */
};

enum hd_ink { HD_INK_BAD, HD_INK_GOOD, HD_INK_MARK, HD_INK_HEAD, HD_INK_DIM };

/* The width of lines that are not wrapped.  Sentences are wrapped at HD_TEXT_WIDTH, which is
 * easier to read. */
int hd_text_width(const struct hd_text *t);

/* The text, in this colour if the stream has colours. */
void hd_text_ink(const struct hd_text *t, enum hd_ink ink, const char *text);

/* Control characters (also those of two bytes in UTF-8) as they are spelled in C: text of the
 * program under test must not control the terminal. */
void hd_text_visible(const char *text, char *out, size_t cap);

/* The words of the text in lines of at most HD_TEXT_WIDTH, each after `indent` blanks; the
 * first line starts at the cursor, which is in column `at`. */
void hd_text_wrap(const struct hd_text *t, unsigned at, unsigned indent, const char *text);

/* A line that begins a part, after an empty one. */
void hd_text_heading(const struct hd_text *t, const char *text);

/* The last lines of what the program printed. */
void hd_text_output(const struct hd_text *t, const char *data, size_t n, unsigned lines);

/* "12,345" */
void hd_text_number(uint64_t n, char *buf, size_t cap);

#endif
