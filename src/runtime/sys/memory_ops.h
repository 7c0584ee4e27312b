/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory_ops.h - copies, fills, compares and measures bytes without libc: the bodies of the
 * interposed memcpy and string families.
 *
 * They serve the whole process from its first instruction on, before anything is initialised.  So
 * they use no table, no pointer to libc's function and no CPU detection: SSE2 is the baseline of
 * x86-64.  They are explicit vector code, since a compiler may turn a byte loop into a call of the
 * very function that it implements. */
#ifndef HD_RUNTIME_SYS_MEMORY_OPS_H
#define HD_RUNTIME_SYS_MEMORY_OPS_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

typedef uint16_t hd_word16 __attribute__((aligned(1), may_alias));
typedef uint32_t hd_word32 __attribute__((aligned(1), may_alias));
typedef uint64_t hd_word64 __attribute__((aligned(1), may_alias));

enum {
    HD_VEC = 16,
    HD_BLOCK = 64,
    HD_REP_COPY = 1024, /* from this size on the microcoded copy is fastest */
    HD_REP_FILL = 1024,
};

static inline __m128i hd_vec(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void hd_vec_put(void *p, __m128i v) { _mm_storeu_si128((__m128i *)p, v); }

/* ---- copy ------------------------------------------------------------------------ */

static inline void hd_move_small(uint8_t *d, const uint8_t *s, size_t n)
{
    if (n >= 8) {
        uint64_t a = *(const hd_word64 *)s, b = *(const hd_word64 *)(s + n - 8);

        *(hd_word64 *)d = a;
        *(hd_word64 *)(d + n - 8) = b;
    } else if (n >= 4) {
        uint32_t a = *(const hd_word32 *)s, b = *(const hd_word32 *)(s + n - 4);

        *(hd_word32 *)d = a;
        *(hd_word32 *)(d + n - 4) = b;
    } else if (n >= 2) {
        uint16_t a = *(const hd_word16 *)s, b = *(const hd_word16 *)(s + n - 2);

        *(hd_word16 *)d = a;
        *(hd_word16 *)(d + n - 2) = b;
    } else if (n == 1) {
        *d = *s;
    }
}

/* Moves 16 to 64 bytes.  Loads everything before it stores anything, so the ranges may overlap. */
static inline void hd_move_medium(uint8_t *d, const uint8_t *s, size_t n)
{
    size_t mid = n > 2 * HD_VEC ? HD_VEC : 0;
    __m128i a = hd_vec(s), b = hd_vec(s + mid);
    __m128i c = hd_vec(s + n - HD_VEC - mid), e = hd_vec(s + n - HD_VEC);

    hd_vec_put(d, a);
    hd_vec_put(d + mid, b);
    hd_vec_put(d + n - HD_VEC - mid, c);
    hd_vec_put(d + n - HD_VEC, e);
}

static inline void hd_copy_block(uint8_t *d, const uint8_t *s)
{
    __m128i a = hd_vec(s), b = hd_vec(s + 16), c = hd_vec(s + 32), e = hd_vec(s + 48);

    hd_vec_put(d, a);
    hd_vec_put(d + 16, b);
    hd_vec_put(d + 32, c);
    hd_vec_put(d + 48, e);
}

/* Moves more than 64 bytes in ascending order.  Reads the last block first, before an overlapping
 * store can reach it. */
static inline void hd_move_up(uint8_t *d, const uint8_t *s, size_t n)
{
    const uint8_t *t = s + n - HD_BLOCK;
    __m128i a = hd_vec(t), b = hd_vec(t + 16), c = hd_vec(t + 32), e = hd_vec(t + 48);
    uint8_t *end = d + n - HD_BLOCK;

    for (; d < end; d += HD_BLOCK, s += HD_BLOCK)
        hd_copy_block(d, s);
    hd_vec_put(end, a);
    hd_vec_put(end + 16, b);
    hd_vec_put(end + 32, c);
    hd_vec_put(end + 48, e);
}

static inline void hd_move_down(uint8_t *d, const uint8_t *s, size_t n)
{
    __m128i a = hd_vec(s), b = hd_vec(s + 16), c = hd_vec(s + 32), e = hd_vec(s + 48);
    size_t left = n;

    for (; left > HD_BLOCK; left -= HD_BLOCK)
        hd_copy_block(d + left - HD_BLOCK, s + left - HD_BLOCK);
    hd_vec_put(d, a);
    hd_vec_put(d + 16, b);
    hd_vec_put(d + 32, c);
    hd_vec_put(d + 48, e);
}

/* Like memmove.  As an unsigned number, d - s is below n exactly if an ascending copy would
 * overwrite bytes that it has not read yet. */
static inline void *hd_move(void *dst, const void *src, size_t n)
{
    uint8_t *d = dst;
    const uint8_t *s = src;

    if (n < HD_VEC)
        hd_move_small(d, s, n);
    else if (n <= HD_BLOCK)
        hd_move_medium(d, s, n);
    else if ((uintptr_t)d - (uintptr_t)s < n)
        hd_move_down(d, s, n);
    else if (n >= HD_REP_COPY && (uintptr_t)s - (uintptr_t)d >= n)
        __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    else
        hd_move_up(d, s, n);
    return dst;
}

/* ---- fill ------------------------------------------------------------------------ */

static inline void hd_fill_small(uint8_t *d, uint64_t pattern, size_t n)
{
    if (n >= 8) {
        *(hd_word64 *)d = pattern;
        *(hd_word64 *)(d + n - 8) = pattern;
    } else if (n >= 4) {
        *(hd_word32 *)d = (uint32_t)pattern;
        *(hd_word32 *)(d + n - 4) = (uint32_t)pattern;
    } else if (n >= 2) {
        *(hd_word16 *)d = (uint16_t)pattern;
        *(hd_word16 *)(d + n - 2) = (uint16_t)pattern;
    } else if (n == 1) {
        *d = (uint8_t)pattern;
    }
}

/* Like memset. */
static inline void *hd_fill(void *dst, uint8_t byte, size_t n)
{
    uint8_t *d = dst;

    if (n < HD_VEC) {
        hd_fill_small(d, byte * UINT64_C(0x0101010101010101), n);
    } else if (n >= HD_REP_FILL) {
        __asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(byte) : "memory");
    } else {
        __m128i v = _mm_set1_epi8((char)byte);
        uint8_t *end = d + n - HD_VEC;

        for (; end - d >= HD_BLOCK; d += HD_BLOCK) {
            hd_vec_put(d, v);
            hd_vec_put(d + 16, v);
            hd_vec_put(d + 32, v);
            hd_vec_put(d + 48, v);
        }
        for (; d < end; d += HD_VEC)
            hd_vec_put(d, v);
        hd_vec_put(end, v);
    }
    return dst;
}

/* ---- compare and measure ------------------------------------------------------------ */

/* Like memcmp. */
static inline int hd_compare(const void *a, const void *b, size_t n)
{
    const uint8_t *p = a, *q = b;
    size_t i = 0;

    for (; i + HD_VEC <= n; i += HD_VEC) {
        unsigned equal =
            (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(hd_vec(p + i), hd_vec(q + i)));

        if (equal != 0xffff) {
            i += (unsigned)__builtin_ctz(~equal);
            return p[i] - q[i];
        }
    }
    for (; i < n; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}

/* Returns the first occurrence of byte (with to_nul, also of a zero byte) in the first n bytes, or
 * NULL.  Its loads are aligned: they may read beyond the string, but never beyond its page. */
static inline const uint8_t *hd_find(const void *s, uint8_t byte, bool to_nul, size_t n)
{
    uintptr_t start = (uintptr_t)s, at = start & ~(uintptr_t)(HD_VEC - 1);
    uintptr_t end = n <= UINTPTR_MAX - start ? start + n : UINTPTR_MAX;
    unsigned skip = ~0u << (start - at);
    __m128i want = _mm_set1_epi8((char)byte), zero = _mm_setzero_si128();

    if (n == 0) /* the first load would touch a byte that the caller did not guarantee */
        return NULL;
    for (; at < end; at += HD_VEC, skip = ~0u) {
        __m128i v = _mm_load_si128((const __m128i *)at);
        unsigned hit = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, want));

        if (to_nul)
            hit |= (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, zero));
        hit &= skip;
        if (hit != 0) {
            at += (unsigned)__builtin_ctz(hit);
            return at < end ? (const uint8_t *)at : NULL;
        }
    }
    return NULL;
}

/* Like strlen. */
static inline size_t hd_length(const char *s)
{
    return (size_t)(hd_find(s, 0, false, SIZE_MAX) - (const uint8_t *)s);
}

/* Like strnlen. */
static inline size_t hd_length_max(const char *s, size_t n)
{
    const uint8_t *end = hd_find(s, 0, false, n);

    return end != NULL ? (size_t)(end - (const uint8_t *)s) : n;
}

#endif
