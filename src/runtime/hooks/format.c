/* SPDX-License-Identifier: BSD-2-Clause
 *
 * format.c - reads a format as libc does, as far as the types of the arguments depend on it.
 *
 * F1.  Each argument is taken from the list exactly as libc takes it, because a wrong type would shift all later
 *     ones.  So the walk ends at the first conversion that this file does not know. */
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "runtime/hooks/format.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/memory_ops.h"

enum length { CHAR, SHORT, INT, LONG, LONG_DOUBLE };

struct conversion {
    char kind; /* letter of the conversion; '\0': not known */
    enum length length;
    bool star_width, star_precision, has_precision;
    bool suppressed; /* scanf: '*' */
    bool allocates;  /* scanf: 'm' */
    size_t width, precision;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    for (; *set != '\0'; set++)
        if (c == *set)
            return true;
    return false;
}

static const char *number(const char *s, size_t *to)
{
    for (*to = 0; is_digit(*s); s++)
        *to = *to < SIZE_MAX / 16 ? *to * 10 + (size_t)(*s - '0') : *to;
    return s;
}

static const char *length_of(const char *s, enum length *to)
{
    *to = INT;
    if (s[0] == 'h') {
        *to = s[1] == 'h' ? CHAR : SHORT;
        return s + (s[1] == 'h' ? 2 : 1);
    }
    if (s[0] == 'l' || s[0] == 'q' || s[0] == 'j' || s[0] == 'z' || s[0] == 'Z' || s[0] == 't') {
        *to = LONG; /* all these types have 64 bits */
        return s + (s[0] == 'l' && s[1] == 'l' ? 2 : 1);
    }
    if (s[0] == 'L') {
        *to = LONG_DOUBLE;
        return s + 1;
    }
    return s;
}

/* Skips the set of a %[ conversion, starting after the bracket. */
static const char *set_end(const char *s)
{
    s += *s == '^';
    s += *s == ']';
    while (*s != '\0' && *s != ']')
        s++;
    return s + (*s == ']');
}

/* Reads the conversion of printf after a '%'.  Returns its end. */
static const char *parse_print(const char *s, struct conversion *c)
{
    *c = (struct conversion){ 0 };
    while (*s != '\0' && is_one_of(*s, "-+ #0'I"))
        s++;
    c->star_width = *s == '*';
    s = c->star_width ? s + 1 : number(s, &c->width);
    if (*s == '.') {
        c->has_precision = true;
        c->star_precision = *++s == '*';
        s = c->star_precision ? s + 1 : number(s, &c->precision);
    }
    s = length_of(s, &c->length);
    c->kind = is_one_of(*s, "diouxXcCsSpneEfFgGaAm%") ? *s : '\0';
    return c->kind != '\0' ? s + 1 : s;
}

/* Like parse_print, for scanf. */
static const char *parse_scan(const char *s, struct conversion *c)
{
    *c = (struct conversion){ 0 };
    c->suppressed = *s == '*';
    s = number(s + c->suppressed, &c->width);
    c->allocates = *s == 'm';
    s = length_of(s + c->allocates, &c->length);
    c->kind = *s != '\0' && is_one_of(*s, "diouxXcspneEfFgGaA%[") ? *s : '\0';
    if (c->kind == '[')
        return set_end(s + 1);
    return c->kind != '\0' ? s + 1 : s;
}

static size_t int_size(enum length length)
{
    return length == CHAR ? 1 : length == SHORT ? 2 : length == INT ? 4 : 8;
}

static void note_string(hd_note_fn *note, const struct conversion *c, const char *s, uint64_t pc)
{
    if (s == NULL || c->length == LONG || c->kind == 'S') /* wide strings are not noted */
        return;
    size_t most = c->has_precision ? c->precision : SIZE_MAX, n = hd_length_max(s, most);

    note(s, n < most ? n + 1 : n, false, pc);
}

/* Takes the arguments of one conversion of printf. */
static void print_one(hd_note_fn *note, struct conversion *c, va_list *ap, uint64_t pc)
{
    if (c->star_width)
        (void)va_arg(*ap, int);
    if (c->star_precision) {
        int precision = va_arg(*ap, int);

        c->has_precision = precision >= 0; /* a negative precision counts as none */
        c->precision = precision >= 0 ? (size_t)precision : 0;
    }
    if (c->kind == 's' || c->kind == 'S')
        note_string(note, c, va_arg(*ap, const char *), pc);
    else if (c->kind == 'n')
        note(va_arg(*ap, void *), int_size(c->length), true, pc);
    else if (c->kind == 'p')
        (void)va_arg(*ap, void *);
    else if (is_one_of(c->kind, "eEfFgGaA") && c->length == LONG_DOUBLE)
        (void)va_arg(*ap, long double);
    else if (is_one_of(c->kind, "eEfFgGaA"))
        (void)va_arg(*ap, double);
    else if (c->kind == '%' || c->kind == 'm')
        return;
    else if (int_size(c->length) == 8)
        (void)va_arg(*ap, long);
    else
        (void)va_arg(*ap, int);
}

void hd_format_printed(hd_note_fn *note, const char *fmt, va_list list, uint64_t pc)
{
    struct conversion c;
    va_list ap;

    va_copy(ap, list);
    while (*fmt != '\0') {
        if (*fmt++ != '%')
            continue;
        fmt = parse_print(fmt, &c);
        if (c.kind == '\0')
            break;
        print_one(note, &c, &ap, pc);
    }
    va_end(ap);
}

static size_t float_size(enum length length)
{
    return length == LONG_DOUBLE ? sizeof(long double) : length == LONG ? sizeof(double) : sizeof(float);
}

/* Returns the number of bytes that a conversion has written at p. */
static size_t scanned_size(const struct conversion *c, const void *p)
{
    size_t width = c->width != 0 ? c->width : 1;

    if (c->allocates || c->kind == 'p')
        return sizeof(void *);
    if (c->kind == 's' || c->kind == '[')
        return c->length == LONG ? sizeof(wchar_t) : hd_length(p) + 1;
    if (c->kind == 'c')
        return c->length == LONG ? width * sizeof(wchar_t) : width;
    return is_one_of(c->kind, "eEfFgGaA") ? float_size(c->length) : int_size(c->length);
}

void hd_format_scanned(const char *fmt, va_list list, int assigned, uint64_t pc)
{
    struct conversion c;
    va_list ap;

    va_copy(ap, list);
    while (assigned > 0 && *fmt != '\0') {
        if (*fmt++ != '%')
            continue;
        fmt = parse_scan(fmt, &c);
        if (c.kind == '\0')
            break;
        if (c.suppressed || c.kind == '%')
            continue;
        const void *p = va_arg(ap, const void *);

        hd_range_of_call(p, scanned_size(&c, p), true, pc);
        assigned -= c.kind != 'n';
    }
    va_end(ap);
}
