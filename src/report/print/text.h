/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - a stream for text that people read, with a width and optional colours. */
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
    bool all;  /* show all rows and lines */
    bool unwrapped; /* each sentence is one line */
    int width; /* width of tables and source lines; 0: HD_TEXT_WIDTH */
};

enum hd_ink { HD_INK_BAD, HD_INK_GOOD, HD_INK_MARK, HD_INK_HEAD, HD_INK_DIM };

/* Returns the width of lines that are not wrapped, at least HD_TEXT_WIDTH.  Sentences are always
 * wrapped at HD_TEXT_WIDTH, because short lines are easier to read. */
int hd_text_width(const struct hd_text *t);

/* Prints the text, in this colour if the stream has colours. */
void hd_text_ink(const struct hd_text *t, enum hd_ink ink, const char *text);

/* Copies the text with control characters (including those of two bytes in UTF-8) written as in C
 * (\x1b): text of the program under test must not control the terminal. */
void hd_text_visible(const char *text, char *out, size_t cap);

/* Prints the words of the text in lines of at most HD_TEXT_WIDTH columns (unless t->unwrapped), and a newline.  The
 * cursor is in column `at`; all lines after the first begin with `indent` blanks.  Escapes control
 * characters like hd_text_visible. */
void hd_text_wrap(const struct hd_text *t, unsigned at, unsigned indent, const char *text);

/* Prints an empty line and a heading. */
void hd_text_heading(const struct hd_text *t, const char *text);

/* Prints the last lines of the program's output, with control characters escaped. */
void hd_text_output(const struct hd_text *t, const char *data, size_t n, unsigned lines);

/* Writes the number with separators: "12,345". */
void hd_text_number(uint64_t n, char *buf, size_t cap);

#endif
