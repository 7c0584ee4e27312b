/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.h - how the program itself describes its failure: the type and text of an uncaught exception, the
 * message of a test framework. */
#ifndef HD_REPORT_EVIDENCE_WORDS_H
#define HD_REPORT_EVIDENCE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the failure as one line, for example "uncaught exception std::runtime_error: jobs lost", from the first n
 * bytes of the program's output.  Sets *placed if the line names its place in the source.  Returns false if the
 * output does not describe the failure. */
bool hd_words_of_failure(const char *output, size_t n, char *buf, size_t cap, bool *placed);

#endif
