/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.h - string functions that call nothing that could be interposed, and a small formatter. */
#ifndef HD_RUNTIME_SYS_TEXT_H
#define HD_RUNTIME_SYS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

static inline bool hd_begins_with(const char *s, const char *prefix)
{
    while (*prefix != '\0')
        if (*s++ != *prefix++)
            return false;
    return true;
}

/* Formats %s %d %u %x %p %ld %lu %lx without allocation.  Writes at most cap bytes including the
 * final zero byte.  Returns the number of bytes written without it. */
size_t hd_vformat(char *buf, size_t cap, const char *fmt, va_list ap);
size_t hd_format(char *buf, size_t cap, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
