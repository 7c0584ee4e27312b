/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sentence.c - see sentence.h. */
#include "report/verdict/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/print/text.h"

void hd_say(struct hd_sentence *s, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(s->buf + s->used, s->cap - s->used, fmt, ap);
    va_end(ap);
    if (n > 0)
        s->used += (size_t)n < s->cap - s->used ? (size_t)n : s->cap - s->used - 1;
}

void hd_say_executions(struct hd_sentence *s, uint64_t n)
{
    char number[32];

    hd_text_number(n, number, sizeof number);
    hd_say(s, "%s execution%s", number, n == 1 ? "" : "s");
}
