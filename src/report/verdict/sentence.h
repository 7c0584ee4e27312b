/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sentence.h - builds a sentence from parts.  Text that does not fit is dropped. */
#ifndef HD_REPORT_VERDICT_SENTENCE_H
#define HD_REPORT_VERDICT_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

struct hd_sentence {
    char *buf;
    size_t cap, used;
};

/* Appends the text. */
__attribute__((format(printf, 2, 3))) void hd_say(struct hd_sentence *s, const char *fmt, ...);

/* Appends "1 execution", "1,000 executions". */
void hd_say_executions(struct hd_sentence *s, uint64_t n);

#endif
