/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.c - memcpy and its family: range accesses of the target that compilers do not instrument
 * (clang calls __tsan_memcpy or memcpy, gcc memcpy for unknown sizes).  Calls from uninstrumented
 * libraries count as well: a std::string lives in libstdc++, and memcpy is its only visible trace.
 *
 * The access is announced before it happens.  The announcement may switch to other threads, if plain accesses are
 * scheduling points.  So values read from the buffers before it must not be used after it. */
#include "base/check.h"
#include "runtime/hooks/range.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/memory_ops.h"
#include "runtime/watch/points.h"

#include <string.h>
#include <strings.h>

/* libc's abort for a buffer overflow found by _FORTIFY_SOURCE. */
extern _Noreturn void __chk_fail(void);

/* ---- as scheduling points --------------------------------------------------------- */

/* Other threads may run between any two words of a copy.  A larger copy counts as one access, and
 * the verdict says so (HD_FACT_RANGE). */
#define MOST_BY_PIECES 256

/* Returns the size of the next piece that begins at `at` (with down: that ends at `at`), which lies
 * in one aligned word. */
static size_t piece_at(uintptr_t at, size_t left, bool down)
{
    size_t room = down ? (at - 1) % 8 + 1 : 8 - at % 8;

    return left < room ? left : room;
}

static void copy_piece(uint8_t *d, const uint8_t *s, size_t n, uint64_t pc)
{
    uint64_t word = 0;

    hd_range(s, n, false, pc);
    hd_move(&word, s, n);
    hd_range(d, n, true, pc);
    hd_move(d, &word, n);
}

static void *copy_up(uint8_t *d, const uint8_t *s, size_t n, uint64_t pc)
{
    for (size_t at = 0, k; at < n; at += k) {
        k = piece_at((uintptr_t)s + at, piece_at((uintptr_t)d + at, n - at, false), false);
        copy_piece(d + at, s + at, k, pc);
    }
    return d;
}

static void *copy_down(uint8_t *d, const uint8_t *s, size_t n, uint64_t pc)
{
    for (size_t left = n, k; left > 0; left -= k) {
        k = piece_at((uintptr_t)s + left, piece_at((uintptr_t)d + left, left, true), true);
        copy_piece(d + left - k, s + left - k, k, pc);
    }
    return d;
}

static void *fill_pieces(uint8_t *d, int c, size_t n, uint64_t pc)
{
    for (size_t at = 0, k; at < n; at += k) {
        k = piece_at((uintptr_t)d + at, n - at, false);
        hd_range(d + at, k, true, pc);
        hd_fill(d + at, (uint8_t)c, k);
    }
    return d;
}

/* ---- watched --------------------------------------------------------------------- */

/* A separate function, so that the common path, for calls that are not watched, needs no stack frame. */
static HD_COLD void *watched_copy(void *d, const void *s, size_t n, uint64_t pc)
{
    if (n <= MOST_BY_PIECES && hd_points_at(pc))
        return (uintptr_t)d - (uintptr_t)s < n ? copy_down(d, s, n, pc) : copy_up(d, s, n, pc);
    hd_range(s, n, false, pc);
    hd_range(d, n, true, pc);
    return hd_move(d, s, n);
}

static HD_COLD void *watched_fill(void *d, int c, size_t n, uint64_t pc)
{
    if (n <= MOST_BY_PIECES && hd_points_at(pc))
        return fill_pieces(d, c, n, pc);
    hd_range(d, n, true, pc);
    return hd_fill(d, (uint8_t)c, n);
}

static inline void *copy(void *d, const void *s, size_t n, uint64_t pc)
{
    return hd_watched(pc) ? watched_copy(d, s, n, pc) : hd_move(d, s, n);
}

static inline void *fill(void *d, int c, size_t n, uint64_t pc)
{
    return hd_watched(pc) ? watched_fill(d, c, n, pc) : hd_fill(d, (uint8_t)c, n);
}

static inline void check_room(size_t n, size_t room)
{
    if (HD_UNLIKELY(n > room))
        __chk_fail();
}

static inline void note_read(const void *s, size_t n, uint64_t pc)
{
    if (hd_watched(pc))
        hd_range(s, n, false, pc);
}

/* ---- copy --------------------------------------------------------------------- */

/* memcpy is memmove: as in glibc, overlapping buffers are copied correctly. */
#define COPY(name)                                                        \
    HD_EXPORT void *name(void *d, const void *s, size_t n)                \
    {                                                                     \
        return copy(d, s, n, HD_RETURN_PC);                                      \
    }
COPY(memcpy)
COPY(memmove)
COPY(__tsan_memcpy)
COPY(__tsan_memmove)

#define COPY_CHK(name)                                                    \
    HD_EXPORT void *name(void *d, const void *s, size_t n, size_t room)   \
    {                                                                     \
        check_room(n, room);                                              \
        return copy(d, s, n, HD_RETURN_PC);                                      \
    }
COPY_CHK(__memcpy_chk)
COPY_CHK(__memmove_chk)

#define COPY_END(name)                                                    \
    HD_EXPORT void *name(void *d, const void *s, size_t n)                \
    {                                                                     \
        return (char *)copy(d, s, n, HD_RETURN_PC) + n;                          \
    }
COPY_END(mempcpy)
COPY_END(__mempcpy)

HD_EXPORT void *__mempcpy_chk(void *d, const void *s, size_t n, size_t room)
{
    check_room(n, room);
    return (char *)copy(d, s, n, HD_RETURN_PC) + n;
}

HD_EXPORT void bcopy(const void *s, void *d, size_t n)
{
    copy(d, s, n, HD_RETURN_PC);
}

/* ---- fill --------------------------------------------------------------------- */

#define FILL(name)                                                        \
    HD_EXPORT void *name(void *d, int c, size_t n)                        \
    {                                                                     \
        return fill(d, c, n, HD_RETURN_PC);                                      \
    }
FILL(memset)
FILL(__tsan_memset)

HD_EXPORT void *__memset_chk(void *d, int c, size_t n, size_t room)
{
    check_room(n, room);
    return fill(d, c, n, HD_RETURN_PC);
}

#define ZERO(name)                                                        \
    HD_EXPORT void name(void *d, size_t n)                                \
    {                                                                     \
        fill(d, 0, n, HD_RETURN_PC);                                             \
    }
ZERO(bzero)
ZERO(__bzero)
ZERO(explicit_bzero)

HD_EXPORT void __explicit_bzero_chk(void *d, size_t n, size_t room)
{
    check_room(n, room);
    fill(d, 0, n, HD_RETURN_PC);
}

/* ---- compare and search ---------------------------------------------------------- */

/* Both operands count as read completely: the caller guarantees n bytes of each. */
#define COMPARE(name)                                                \
    HD_EXPORT int name(const void *a, const void *b, size_t n)       \
    {                                                                \
        uint64_t pc = HD_RETURN_PC;                                         \
                                                                     \
        note_read(a, n, pc);                                         \
        note_read(b, n, pc);                                         \
        return hd_compare(a, b, n);                                  \
    }
COMPARE(memcmp)
COMPARE(bcmp)
COMPARE(__memcmpeq)

/* Counts as a read up to the match only: the bytes after it need not exist. */
HD_EXPORT void *memchr(const void *s, int c, size_t n)
{
    uint64_t pc = HD_RETURN_PC;

    if (hd_watched(pc)) {
        const uint8_t *hit = hd_find(s, (uint8_t)c, false, n);

        hd_range(s, hit != NULL ? (size_t)(hit - (const uint8_t *)s) + 1 : n, false, pc);
    }
    return (void *)(uintptr_t)hd_find(s, (uint8_t)c, false, n);
}

HD_EXPORT void *memrchr(const void *s, int c, size_t n)
{
    const uint8_t *p = s;

    note_read(s, n, HD_RETURN_PC);
    while (n > 0)
        if (p[--n] == (uint8_t)c)
            return (void *)(uintptr_t)(p + n);
    return NULL;
}
