/* SPDX-License-Identifier: BSD-2-Clause
 *
 * string.c - libc's string functions that read or write buffers of the target, as range accesses
 * (see memory.c).
 *
 * Each function measures the range, announces it, and then does not use the measured length: another thread may
 * change the strings during the announcement.  Functions that depend on the locale (strcoll, strcasecmp) are in
 * calls/caller_memory.c; those that keep hidden state (strtok) are not interposed. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "runtime/core/attach.h"
#include "runtime/hooks/range.h"
#include "runtime/restore/heap.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"

extern _Noreturn void __chk_fail(void);

/* ---- announcing accesses -------------------------------------------------------- */

static void note_string(const char *s, uint64_t pc)
{
    if (hd_watched(pc))
        hd_range(s, hd_length(s) + 1, false, pc);
}

/* Announces a read of at most n bytes of s. */
static void note_prefix(const char *s, size_t n, uint64_t pc)
{
    if (hd_watched(pc)) {
        size_t len = hd_length_max(s, n);

        hd_range(s, len < n ? len + 1 : n, false, pc);
    }
}

/* Announces a copy of s to d; pad: all n bytes of d are written. */
static void note_copy(char *d, const char *s, size_t n, bool pad, uint64_t pc)
{
    if (hd_watched(pc)) {
        size_t len = hd_length_max(s, n);
        size_t whole = len < n ? len + 1 : n;

        hd_range(s, whole, false, pc);
        hd_range(d, pad ? n : whole, true, pc);
    }
}

static void note_append(char *d, const char *s, size_t n, uint64_t pc)
{
    if (hd_watched(pc)) {
        size_t at = hd_length(d), len = hd_length_max(s, n);

        hd_range(d, at + 1, false, pc);
        hd_range(s, len < n ? len + 1 : n, false, pc);
        hd_range(d + at, len + 1, true, pc);
    }
}

/* ---- bodies ------------------------------------------------------------------------ */

/* The first index at which a and b differ or both end; n if there is none. */
static size_t common(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i < n && a[i] == b[i] && a[i] != '\0')
        i++;
    return i;
}

static int compare(const char *a, const char *b, size_t n)
{
    size_t i = common(a, b, n);

    return i < n ? (unsigned char)a[i] - (unsigned char)b[i] : 0;
}

static int watched_compare(const char *a, const char *b, size_t n, uint64_t pc)
{
    if (hd_watched(pc)) {
        size_t i = common(a, b, n);
        size_t whole = i < n ? i + 1 : n;

        hd_range(a, whole, false, pc);
        hd_range(b, whole, false, pc);
    }
    return compare(a, b, n);
}

/* Returns the end of the copy.  It writes the terminator separately: another kernel thread may
 * change s between measuring and copying. */
static char *copy_whole(char *d, const char *s)
{
    size_t n = hd_length(s);

    hd_move(d, s, n);
    d[n] = '\0';
    return d + n;
}

/* strncpy.  Returns the first zero byte written, or the end. */
static char *copy_padded(char *d, const char *s, size_t n)
{
    size_t len = hd_length_max(s, n);

    hd_move(d, s, len);
    hd_fill(d + len, 0, n - len);
    return d + len;
}

static void append(char *d, const char *s, size_t n)
{
    size_t len = hd_length_max(s, n);

    d += hd_length(d);
    hd_move(d, s, len);
    d[len] = '\0';
}

static char *mutable_ptr(const void *p)
{
    return (char *)(uintptr_t)p;
}

/* ---- length ------------------------------------------------------------------------ */

HD_EXPORT size_t strlen(const char *s)
{
    note_string(s, HD_RETURN_PC);
    return hd_length(s);
}

HD_EXPORT size_t strnlen(const char *s, size_t n)
{
    note_prefix(s, n, HD_RETURN_PC);
    return hd_length_max(s, n);
}

/* ---- copy --------------------------------------------------------------------------- */

HD_EXPORT char *strcpy(char *d, const char *s)
{
    note_copy(d, s, SIZE_MAX, false, HD_RETURN_PC);
    copy_whole(d, s);
    return d;
}

HD_EXPORT char *__strcpy_chk(char *d, const char *s, size_t room)
{
    if (HD_UNLIKELY(hd_length(s) >= room))
        __chk_fail();
    note_copy(d, s, SIZE_MAX, false, HD_RETURN_PC);
    copy_whole(d, s);
    return d;
}

#define STPCPY(name)                                         \
    HD_EXPORT char *name(char *d, const char *s)             \
    {                                                        \
        note_copy(d, s, SIZE_MAX, false, HD_RETURN_PC);             \
        return copy_whole(d, s);                             \
    }
STPCPY(stpcpy)
STPCPY(__stpcpy)

HD_EXPORT char *__stpcpy_chk(char *d, const char *s, size_t room)
{
    if (HD_UNLIKELY(hd_length(s) >= room))
        __chk_fail();
    note_copy(d, s, SIZE_MAX, false, HD_RETURN_PC);
    return copy_whole(d, s);
}

HD_EXPORT char *strncpy(char *d, const char *s, size_t n)
{
    note_copy(d, s, n, true, HD_RETURN_PC);
    copy_padded(d, s, n);
    return d;
}

HD_EXPORT char *__strncpy_chk(char *d, const char *s, size_t n, size_t room)
{
    if (HD_UNLIKELY(n > room))
        __chk_fail();
    note_copy(d, s, n, true, HD_RETURN_PC);
    copy_padded(d, s, n);
    return d;
}

#define STPNCPY(name)                                        \
    HD_EXPORT char *name(char *d, const char *s, size_t n)   \
    {                                                        \
        note_copy(d, s, n, true, HD_RETURN_PC);                     \
        return copy_padded(d, s, n);                         \
    }
STPNCPY(stpncpy)
STPNCPY(__stpncpy)

HD_EXPORT char *__stpncpy_chk(char *d, const char *s, size_t n, size_t room)
{
    if (HD_UNLIKELY(n > room))
        __chk_fail();
    note_copy(d, s, n, true, HD_RETURN_PC);
    return copy_padded(d, s, n);
}

HD_EXPORT char *strcat(char *d, const char *s)
{
    note_append(d, s, SIZE_MAX, HD_RETURN_PC);
    append(d, s, SIZE_MAX);
    return d;
}

HD_EXPORT char *strncat(char *d, const char *s, size_t n)
{
    note_append(d, s, n, HD_RETURN_PC);
    append(d, s, n);
    return d;
}

static void check_append(const char *d, const char *s, size_t n, size_t room)
{
    size_t at = hd_length_max(d, room);

    if (HD_UNLIKELY(hd_length_max(s, n) >= room - at))
        __chk_fail();
}

HD_EXPORT char *__strcat_chk(char *d, const char *s, size_t room)
{
    check_append(d, s, SIZE_MAX, room);
    note_append(d, s, SIZE_MAX, HD_RETURN_PC);
    append(d, s, SIZE_MAX);
    return d;
}

HD_EXPORT char *__strncat_chk(char *d, const char *s, size_t n, size_t room)
{
    check_append(d, s, n, room);
    note_append(d, s, n, HD_RETURN_PC);
    append(d, s, n);
    return d;
}

/* ---- compare -------------------------------------------------------------------------- */

HD_EXPORT int strcmp(const char *a, const char *b)
{
    return watched_compare(a, b, SIZE_MAX, HD_RETURN_PC);
}

HD_EXPORT int strncmp(const char *a, const char *b, size_t n)
{
    return watched_compare(a, b, n, HD_RETURN_PC);
}

/* ---- search ---------------------------------------------------------------------------- */

/* The terminator counts as part of the string. */
static const uint8_t *find_or_end(const char *s, int c)
{
    return hd_find(s, (uint8_t)c, true, SIZE_MAX);
}

static void note_find(const char *s, int c, uint64_t pc)
{
    if (hd_watched(pc))
        hd_range(s, (size_t)(find_or_end(s, c) - (const uint8_t *)s) + 1, false, pc);
}

#define STRCHR(name)                                         \
    HD_EXPORT char *name(const char *s, int c)               \
    {                                                        \
        const uint8_t *hit;                                  \
                                                             \
        note_find(s, c, HD_RETURN_PC);                              \
        hit = find_or_end(s, c);                             \
        return *hit == (uint8_t)c ? mutable_ptr(hit) : NULL; \
    }
STRCHR(strchr)
STRCHR(index)

HD_EXPORT char *strchrnul(const char *s, int c)
{
    note_find(s, c, HD_RETURN_PC);
    return mutable_ptr(find_or_end(s, c));
}

#define RAWMEMCHR(name)                                                       \
    HD_EXPORT void *name(const void *s, int c)                                \
    {                                                                         \
        uint64_t pc = HD_RETURN_PC;                                                  \
                                                                              \
        if (hd_watched(pc)) {                                                 \
            const uint8_t *hit = hd_find(s, (uint8_t)c, false, SIZE_MAX);     \
                                                                              \
            hd_range(s, (size_t)(hit - (const uint8_t *)s) + 1, false, pc);   \
        }                                                                     \
        return mutable_ptr(hd_find(s, (uint8_t)c, false, SIZE_MAX));          \
    }
RAWMEMCHR(rawmemchr)
RAWMEMCHR(__rawmemchr)

#define STRRCHR(name)                                        \
    HD_EXPORT char *name(const char *s, int c)               \
    {                                                        \
        size_t i;                                            \
                                                             \
        note_string(s, HD_RETURN_PC);                               \
        i = hd_length(s) + 1;                                \
        while (i-- > 0)                                      \
            if (s[i] == (char)c)                             \
                return mutable_ptr(s + i);                   \
        return NULL;                                         \
    }
STRRCHR(strrchr)
STRRCHR(rindex)

/* Both strings count as read completely, although a match may come earlier: measuring exactly would mean searching
 * twice. */
HD_EXPORT char *strstr(const char *s, const char *word)
{
    uint64_t pc = HD_RETURN_PC;
    size_t n;

    note_string(s, pc);
    note_string(word, pc);
    n = hd_length(word);
    if (n == 0)
        return mutable_ptr(s);
    for (;; s++) {
        s = (const char *)find_or_end(s, word[0]);
        if (*s == '\0')
            return NULL;
        if (compare(s, word, n) == 0)
            return mutable_ptr(s);
    }
}

/* ---- duplicate -------------------------------------------------------------------------- */

static char *duplicate(const char *s, size_t n, uint64_t pc)
{
    size_t len = hd_length_max(s, n);
    char *d = hd_under_heddle() ? hd_heap_alloc(len + 1, 16, pc) : malloc(len + 1);

    if (d == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    hd_move(d, s, len);
    d[len] = '\0';
    return d;
}

#define STRDUP(name)                                         \
    HD_EXPORT char *name(const char *s)                      \
    {                                                        \
        note_string(s, HD_RETURN_PC);                               \
        return duplicate(s, SIZE_MAX, HD_RETURN_PC);                  \
    }
STRDUP(strdup)
STRDUP(__strdup)

#define STRNDUP(name)                                        \
    HD_EXPORT char *name(const char *s, size_t n)            \
    {                                                        \
        note_prefix(s, n, HD_RETURN_PC);                            \
        return duplicate(s, n, HD_RETURN_PC);                       \
    }
STRNDUP(strndup)
STRNDUP(__strndup)
