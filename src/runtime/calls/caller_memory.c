/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller_memory.c - functions that access only memory of the caller: formatting, parsing numbers,
 * splitting strings, sorting, dates.  Their reads and writes are plain accesses (hooks/string.c has
 * the functions that are called most).
 *
 * C1.  The interposer first announces all accesses, as hooks/string.c does, and then calls libc's function,
 *     because an announcement ("note") may be a scheduling point.  If the range of an access depends on the
 *     result, the result is computed twice.  Where that is not possible (scanf), the accesses are noted afterwards
 *     and are not scheduling points. */
#define __NO_INLINE__ 1 /* prevents the inline definitions of atoi etc. in the header */

#include <arpa/inet.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/calls/intercept.h"
#include "runtime/hooks/format.h"
#include "runtime/hooks/range.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"

int __sprintf_chk(char *to, int flag, size_t room, const char *fmt, ...);
int __vsprintf_chk(char *to, int flag, size_t room, const char *fmt, va_list ap);
int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, ...);
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *fmt, va_list ap);
int __asprintf_chk(char **to, int flag, const char *fmt, ...);
int __vasprintf_chk(char **to, int flag, const char *fmt, va_list ap);
int __isoc99_sscanf(const char *s, const char *fmt, ...);
int __isoc99_vsscanf(const char *s, const char *fmt, va_list ap);
char *__strtok_r(char *s, const char *set, char **rest);
int __xpg_strerror_r(int error, char *buf, size_t n);

/* ---- macros for rows of calls.def --------------------------------------------------- */

#define SCANS(type, name, params, args)                \
    HD_EXPORT type name params                         \
    {                                                  \
        uint64_t pc = HD_RETURN_PC;                    \
        bool watched = hd_watched(pc);                 \
                                                       \
        if (watched)                                   \
            note_string(s, pc);                        \
        type result = HD_REAL(name) args;              \
                                                       \
        if (watched)                                   \
            hd_format_scanned(fmt, ap, result, pc);    \
        return result;                                 \
    }

#define SCANS_VARIADIC(type, name, params, args, sister) \
    HD_EXPORT type name params                           \
    {                                                    \
        uint64_t pc = HD_RETURN_PC;                      \
        bool watched = hd_watched(pc);                   \
        va_list ap, again;                               \
                                                         \
        va_start(ap, fmt);                               \
        va_copy(again, ap);                              \
        if (watched)                                     \
            note_string(s, pc);                          \
        type result = HD_REAL(sister) args;              \
                                                         \
        if (watched)                                     \
            hd_format_scanned(fmt, again, result, pc);   \
        va_end(again);                                   \
        va_end(ap);                                      \
        return result;                                   \
    }

/* ---- what the functions access --------------------------------------------------------- */

static void note_read(const void *p, size_t n, uint64_t pc)
{
    hd_range(p, n, false, pc);
}

static void note_written(void *p, size_t n, uint64_t pc)
{
    if (p != NULL)
        hd_range(p, n, true, pc);
}

static void note_string(const char *s, uint64_t pc)
{
    hd_range(s, hd_length(s) + 1, false, pc);
}

static void note_strings(const char *a, const char *b, uint64_t pc)
{
    note_string(a, pc);
    note_string(b, pc);
}

/* Notes the accesses of a comparison that ends at the first difference. */
static void note_compared(const char *a, const char *b, size_t n, uint64_t pc)
{
    size_t i = 0;

    while (i < n && a[i] != '\0' && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
        i++;
    i += i < n;
    hd_range(a, i, false, pc);
    hd_range(b, i, false, pc);
}

/* Stores the value only if it differs: each page that an execution writes has to be compared after every
 * execution. */
static void set_errno(int error)
{
    if (errno != error)
        errno = error;
}

/* Notes a read of the text of a number, including the character after it. */
static void note_number(const char *s, const char *end, char **to, uint64_t pc)
{
    hd_range(s, (size_t)(end - s) + 1, false, pc);
    note_written(to, sizeof *to, pc);
}

static const char *end_of_integer(const char *s, int base)
{
    char *end;
    int error = errno;

    (void)HD_REAL(strtoull)(s, &end, base);
    set_errno(error);
    return end;
}

static const char *end_of_float(const char *s)
{
    char *end;
    int error = errno;

    (void)HD_REAL(strtold)(s, &end);
    set_errno(error);
    return end;
}

/* Notes the accesses of a printf into n bytes at `to`: the output, and the strings that it
 * reads. */
static void note_printed(char *to, size_t n, const char *fmt, va_list ap, uint64_t pc)
{
    va_list again;
    int error = errno;

    hd_format_printed(hd_range, fmt, ap, pc);
    va_copy(again, ap);
    int length = HD_REAL(vsnprintf)(NULL, 0, fmt, again);
    va_end(again);
    set_errno(error);
    if (length >= 0 && n != 0)
        hd_range(to, (size_t)length < n ? (size_t)length + 1 : n, true, pc);
}

/* Notes the accesses of strtok_r for the token that it cuts off, from s or, if that is NULL, from
 * *rest on. */
static void note_token(const char *s, const char *set, char **rest, uint64_t pc)
{
    hd_range(rest, sizeof *rest, s == NULL, pc);
    const char *from = s != NULL ? s : *rest;

    note_string(set, pc);
    if (from != NULL) {
        size_t token = HD_REAL(strspn)(from, set), end = token + HD_REAL(strcspn)(from + token, set);

        hd_range(from, end + 1, false, pc);
        if (from[end] != '\0')
            hd_range(from + end, 1, true, pc);
    }
    hd_range(rest, sizeof *rest, true, pc);
}

static void note_copied_until(void *to, const void *from, int c, size_t n, uint64_t pc)
{
    const char *hit = n != 0 ? HD_REAL(memchr)(from, c, n) : NULL;
    size_t size = hit != NULL ? (size_t)(hit - (const char *)from) + 1 : n;

    hd_range(from, size, false, pc);
    hd_range(to, size, true, pc);
}

/* A date as text has 26 bytes unless a number in it is too large. */
enum { DATE_BYTES = 26 };

static void note_formatted_date(char *to, size_t n, const char *fmt, const struct tm *t, uint64_t pc)
{
    char text[512];
    size_t length = HD_REAL(strftime)(text, n < sizeof text ? n : sizeof text, fmt, t);

    note_string(fmt, pc);
    note_read(t, sizeof *t, pc);
    if (length != 0)
        note_written(to, length + 1, pc);
}

static void note_address(int family, const void *from, char *to, socklen_t room, uint64_t pc)
{
    char text[INET6_ADDRSTRLEN];

    note_read(from, family == AF_INET6 ? 16 : 4, pc);
    if (HD_REAL(inet_ntop)(family, from, text, sizeof text) != NULL && hd_length(text) < room)
        note_written(to, hd_length(text) + 1, pc);
}

static void note_parsed_address(int family, const char *s, void *to, uint64_t pc)
{
    unsigned char address[16];

    note_string(s, pc);
    if (HD_REAL(inet_pton)(family, s, address) == 1)
        note_written(to, family == AF_INET6 ? 16 : 4, pc);
}

static void note_sorted(void *p, size_t n, size_t size, uint64_t pc)
{
    size_t bytes;

    if (n > 1 && !__builtin_mul_overflow(n, size, &bytes))
        hd_range(p, bytes, true, pc);
}

#define CALLS_CALLER_MEMORY
#include "runtime/calls/calls.def"
