/* SPDX-License-Identifier: BSD-2-Clause
 *
 * text.c - a formatter that allocates nothing and calls no other library.  Messages inside the
 * target need it, even in signal handlers. */
#include "runtime/sys/text.h"

#include <stdint.h>

struct out {
    char *buf;
    size_t cap, n;
};

static void put(struct out *o, char c)
{
    if (o->n + 1 < o->cap)
        o->buf[o->n] = c;
    o->n++;
}

static void put_number(struct out *o, uint64_t v, unsigned base, bool negative)
{
    char digits[24];
    unsigned n = 0;

    if (negative)
        put(o, '-');
    do
        digits[n++] = "0123456789abcdef"[v % base];
    while ((v /= base) != 0);
    while (n > 0)
        put(o, digits[--n]);
}

static void put_signed(struct out *o, int64_t v)
{
    put_number(o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 10, v < 0);
}

static void put_one(struct out *o, char conv, bool is_long, va_list *ap)
{
    switch (conv) {
    case 's':
        for (const char *s = va_arg(*ap, const char *); s != NULL && *s != '\0'; s++)
            put(o, *s);
        break;
    case 'd':
        put_signed(o, is_long ? va_arg(*ap, long) : va_arg(*ap, int));
        break;
    case 'u':
        put_number(o, is_long ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned), 10, false);
        break;
    case 'x':
        put_number(o, is_long ? va_arg(*ap, unsigned long) : va_arg(*ap, unsigned), 16, false);
        break;
    case 'p':
        put(o, '0');
        put(o, 'x');
        put_number(o, (uintptr_t)va_arg(*ap, void *), 16, false);
        break;
    default:
        put(o, conv);
    }
}

size_t hd_vformat(char *buf, size_t cap, const char *fmt, va_list ap)
{
    struct out o = { buf, cap, 0 };
    va_list copy;

    va_copy(copy, ap);
    for (; *fmt != '\0'; fmt++) {
        if (*fmt != '%') {
            put(&o, *fmt);
            continue;
        }
        bool is_long = fmt[1] == 'l';

        fmt += 1 + is_long;
        put_one(&o, *fmt, is_long, &copy);
    }
    va_end(copy);
    if (cap > 0)
        buf[o.n < cap ? o.n : cap - 1] = '\0';
    return o.n < cap ? o.n : cap - 1;
}

size_t hd_format(char *buf, size_t cap, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    size_t n = hd_vformat(buf, cap, fmt, ap);

    va_end(ap);
    return n;
}
