/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wide_strings.c - strings of wide characters, and their conversion from and to bytes.  These functions access
 * memory of the caller by plain accesses (caller_memory.c, C1). */
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/calls/caller_memory.h"
#include "runtime/calls/intercept.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *s, size_t room);
wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *s, size_t n, size_t room);
wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room);
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t n, size_t room);
wchar_t *__wmemset_chk(wchar_t *to, wchar_t c, size_t n, size_t room);
int __swprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *fmt, ...);
int __vswprintf_chk(wchar_t *to, size_t n, int flag, size_t room, const wchar_t *fmt, va_list ap);
size_t __mbstowcs_chk(wchar_t *to, const char *s, size_t n, size_t room);
size_t __wcstombs_chk(char *to, const wchar_t *s, size_t n, size_t room);
size_t __mbsrtowcs_chk(wchar_t *to, const char **s, size_t n, mbstate_t *state, size_t room);
size_t __wcsrtombs_chk(char *to, const wchar_t **s, size_t n, mbstate_t *state, size_t room);

/* ---- what the functions access --------------------------------------------------------- */

static size_t length(const wchar_t *s, size_t n)
{
    size_t i = 0;

    while (i < n && s[i] != L'\0')
        i++;
    return i;
}

/* Notes an access to n wide characters. */
static void note_wide(const wchar_t *s, size_t n, bool write, uint64_t pc)
{
    hd_range(s, n * sizeof *s, write, pc);
}

/* Returns the length of the string, at most n, including its end if that is within n characters. */
static size_t with_end(const wchar_t *s, size_t n)
{
    size_t i = length(s, n);

    return i < n ? i + 1 : n;
}

static void note_string(const wchar_t *s, size_t n, uint64_t pc)
{
    note_wide(s, with_end(s, n), false, pc);
}

static void note_strings(const wchar_t *a, const wchar_t *b, uint64_t pc)
{
    note_string(a, SIZE_MAX, pc);
    note_string(b, SIZE_MAX, pc);
}

/* Notes a read of the characters up to the first c, at most n. */
static void note_until(const wchar_t *s, wchar_t c, size_t n, uint64_t pc)
{
    size_t i = 0;

    while (i < n && s[i] != c)
        i++;
    note_wide(s, i < n ? i + 1 : n, false, pc);
}

/* Notes a copy of s.  pad: all n characters are written. */
static void note_copy(wchar_t *to, const wchar_t *s, size_t n, bool pad, uint64_t pc)
{
    size_t size = with_end(s, n);

    note_wide(s, size, false, pc);
    note_wide(to, pad ? n : size, true, pc);
}

static void note_appended(wchar_t *to, const wchar_t *s, size_t n, uint64_t pc)
{
    size_t at = length(to, SIZE_MAX), more = length(s, n);

    note_wide(to, at + 1, false, pc);
    note_wide(s, with_end(s, n), false, pc);
    note_wide(to + at, more + 1, true, pc);
}

/* Notes the accesses of a comparison that ends at the first difference. */
static void note_compared(const wchar_t *a, const wchar_t *b, size_t n, bool strings, uint64_t pc)
{
    size_t i = 0;

    while (i < n && a[i] == b[i] && !(strings && a[i] == L'\0'))
        i++;
    i += i < n;
    note_wide(a, i, false, pc);
    note_wide(b, i, false, pc);
}

static void note_moved(wchar_t *to, const wchar_t *from, size_t n, uint64_t pc)
{
    note_wide(from, n, false, pc);
    note_wide(to, n, true, pc);
}

/* Notes the output of a wide printf.  The strings that its arguments point to are not noted,
 * because wide formats rarely have such conversions. */
static void note_printed(wchar_t *to, int printed, uint64_t pc)
{
    if (printed >= 0)
        hd_range_of_call(to, ((size_t)printed + 1) * sizeof *to, true, pc);
}

/* ---- conversion ------------------------------------------------------------------------- */

/* Notes what a conversion has written: `done` units of `size` bytes and the end of the string, if
 * there was room. */
static void note_converted(const void *to, size_t size, size_t done, size_t n, uint64_t pc)
{
    if (to != NULL && done != (size_t)-1)
        hd_range_of_call(to, (done < n ? done + 1 : n) * size, true, pc);
}

/* Notes an access to one character of n bytes and to the state of the conversion (NULL: libc's own,
 * which has no effect in encodings without shift states). */
static void note_character(const void *to, size_t n, mbstate_t *state, uint64_t pc)
{
    if (to != NULL)
        hd_range_of_call(to, n, true, pc);
    if (state != NULL)
        hd_range_of_call(state, sizeof *state, true, pc);
}

#define CALLS_WIDE_STRINGS
#include "runtime/calls/calls.def"
