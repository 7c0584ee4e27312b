/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mem.h - copies, clears and compares memory without a call that could be interposed, and maps the
 * runtime's own memory. */
#ifndef HD_RUNTIME_SYS_MEM_H
#define HD_RUNTIME_SYS_MEM_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "base/sys.h"

#define HD_PAGE UINT64_C(4096)
#define HD_PAGE_FLOOR(a) ((uintptr_t)(a) & ~(uintptr_t)(HD_PAGE - 1))
#define HD_PAGE_CEIL(a) HD_PAGE_FLOOR((uintptr_t)(a) + HD_PAGE - 1)

static inline void hd_mem_copy(void *to, const void *from, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static inline void hd_mem_zero(void *to, size_t n)
{
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
}

/* Clears a few cache lines.  Precondition: both ends are multiples of 64.  For so few bytes the
 * start-up cost of the string instruction would dominate. */
static inline void hd_mem_zero_lines(void *to, size_t bytes64)
{
    __m128i *v = to;
    __m128i *end = (__m128i *)(void *)((char *)to + bytes64);
    __m128i zero = _mm_setzero_si128();

    if (bytes64 % 128 != 0) { /* an odd number of lines: one first, then two at a time */
        for (int i = 0; i < 4; i++)
            _mm_store_si128(v + i, zero);
        v += 4;
    }
    for (; v < end; v += 8)
        for (int i = 0; i < 8; i++)
            _mm_store_si128(v + i, zero);
}

static inline bool hd_mem_is_zero(const void *p, size_t bytes64)
{
    const __m128i *v = p;
    const __m128i *end = (const __m128i *)(const void *)((const char *)p + bytes64);
    __m128i any = _mm_setzero_si128();

    for (; v < end; v += 4) {
        __m128i a = _mm_or_si128(_mm_load_si128(v), _mm_load_si128(v + 1));
        __m128i b = _mm_or_si128(_mm_load_si128(v + 2), _mm_load_si128(v + 3));

        any = _mm_or_si128(any, _mm_or_si128(a, b));
    }
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff;
}

static inline bool hd_mem_equal(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;

    for (; n > 0 && *p == *q; n--)
        p++, q++;
    return n == 0;
}

/* The address range of the runtime's own memory.  The runtime does not let the kernel choose: the
 * next free address there belongs to the target (ld.so loads libraries there) and must not depend
 * on how much memory the runtime has needed so far. */
#define HD_OWN_BASE UINT64_C(0x380000000000)
#define HD_OWN_END UINT64_C(0x480000000000)
extern uintptr_t hd_own_next;

/* Reserves n bytes of the runtime's address range.  The ranges are adjacent, because the kernel
 * merges adjacent mappings of one kind, and every additional mapping makes each fork slower. */
static inline uintptr_t hd_mem_place(size_t n)
{
    return __atomic_fetch_add(&hd_own_next, HD_PAGE_CEIL(n), __ATOMIC_RELAXED);
}

/* Maps anonymous private memory at a fixed address (0: in the runtime's own range).  Returns NULL
 * if the kernel refuses. */
static inline void *hd_mem_map(uintptr_t at, size_t n, int prot)
{
    long flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;

    if (at == 0)
        at = hd_mem_place(n);
    long got = hd_sys6(SYS_mmap, (long)at, (long)n, prot, flags, -1, 0);

    if (got < 0 && got > -4096)
        return NULL;
    if ((uintptr_t)got != at) {
        hd_sys(SYS_munmap, got, n, 0);
        return NULL;
    }
    return (void *)got;
}

/* Maps a stack for the runtime.  The page below it is never mapped, so that an overflow faults. */
static inline void *hd_mem_map_stack(size_t n)
{
    hd_mem_place(HD_PAGE);
    return hd_mem_map(0, n, PROT_READ | PROT_WRITE);
}

static inline void hd_mem_protect(uintptr_t lo, uintptr_t hi, int prot)
{
    HD_INVARIANT(hd_sys(SYS_mprotect, lo, hi - lo, prot) == 0, "mprotect");
}

#endif
