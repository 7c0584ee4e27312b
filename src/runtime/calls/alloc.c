/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alloc.c - malloc and its family, on the arenas of heap.c. operator new (see new.c), strdup,
 * getline … come here through malloc.  If the process does not run under Heddle, the calls go to
 * libc's allocator by its internal names: dlsym cannot be used because it allocates itself. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/calls/new.h"
#include "runtime/core/attach.h"
#include "runtime/core/state.h"
#include "runtime/hooks/range.h"
#include "runtime/restore/heap.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/fault.h"
#include "runtime/watch/memcheck.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* True if the process does not run under Heddle.  The check is cheap for a controlled thread, which
 * always runs under Heddle. */
static inline bool not_ours(void)
{
    return HD_UNLIKELY(hd.cur == NULL) && !hd_under_heddle();
}

static inline void *checked(void *p)
{
    if (HD_UNLIKELY(p == NULL))
        errno = ENOMEM;
    return p;
}

HD_EXPORT void *malloc(size_t n)
{
    if (not_ours())
        return __libc_malloc(n);
    uint64_t pc = hd_new_caller(HD_RETURN_PC);

    if (hd_fault_alloc(HD_CALL_MALLOC, HD_RETURN_PC) || hd_new_fails())
        return checked(NULL);
    return checked(hd_heap_alloc(n, 16, pc));
}

HD_EXPORT void *calloc(size_t count, size_t each)
{
    size_t n;

    if (not_ours())
        return __libc_calloc(count, each);
    if (__builtin_mul_overflow(count, each, &n))
        return checked(NULL);
    if (hd_fault_alloc(HD_CALL_CALLOC, HD_RETURN_PC))
        return checked(NULL);
    return checked(hd_heap_alloc(n, 16, HD_RETURN_PC)); /* H3 (heap.h): memory of the heap is already zero */
}

HD_EXPORT void free(void *p)
{
    if (p == NULL)
        return;
    if (hd_heap_owns(p))
        hd_heap_free(p, HD_RETURN_PC);
    else if (!hd_under_heddle())
        __libc_free(p);
    else
        hd_memcheck_bad_free((uintptr_t)p, NULL, "free", HD_RETURN_PC);
}

static void *reallocate(void *p, size_t n, uint64_t pc)
{
    if ((p == NULL || n > 0) && hd_fault_alloc(HD_CALL_REALLOC, pc))
        return checked(NULL);
    if (p == NULL)
        return checked(hd_heap_alloc(n, 16, pc));
    if (!hd_heap_owns(p)) {
        hd_memcheck_bad_free((uintptr_t)p, NULL, "realloc", pc);
        return checked(NULL);
    }
    if (n == 0) {
        hd_heap_free(p, pc);
        return NULL;
    }
    return checked(hd_heap_realloc(p, n, pc));
}

HD_EXPORT void *realloc(void *p, size_t n)
{
    if (!hd_under_heddle())
        return __libc_realloc(p, n);
    return reallocate(p, n, HD_RETURN_PC);
}

HD_EXPORT void *reallocarray(void *p, size_t count, size_t each)
{
    size_t n;

    if (__builtin_mul_overflow(count, each, &n))
        return checked(NULL);
    if (!hd_under_heddle())
        return __libc_realloc(p, n);
    return reallocate(p, n, HD_RETURN_PC);
}

static bool is_power_of_two(size_t a)
{
    return a != 0 && (a & (a - 1)) == 0;
}

static void *allocate_aligned(size_t align, size_t n, uint64_t pc)
{
    if (!hd_under_heddle())
        return __libc_memalign(align, n);
    if (!is_power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    uint64_t caller = hd_new_caller(pc);

    if (hd_fault_alloc(HD_CALL_ALIGNED, pc) || hd_new_fails())
        return checked(NULL);
    return checked(hd_heap_alloc(n, align, caller));
}

HD_EXPORT void *memalign(size_t align, size_t n)
{
    return allocate_aligned(align, n, HD_RETURN_PC);
}

HD_EXPORT void *aligned_alloc(size_t align, size_t n)
{
    return allocate_aligned(align, n, HD_RETURN_PC);
}

HD_EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
    if (!is_power_of_two(align) || align % sizeof(void *) != 0)
        return EINVAL;
    if (hd_fault_alloc(HD_CALL_ALIGNED, HD_RETURN_PC) || hd_new_fails())
        return ENOMEM;
    void *p = hd_under_heddle() ? hd_heap_alloc(n, align, HD_RETURN_PC) : __libc_memalign(align, n);

    if (p == NULL)
        return ENOMEM;
    *out = p;
    if (hd.cur != NULL)
        hd_range_of_call(out, sizeof *out, true, HD_RETURN_PC);
    return 0;
}

HD_EXPORT void *valloc(size_t n)
{
    return allocate_aligned(HD_PAGE, n, HD_RETURN_PC);
}

HD_EXPORT void *pvalloc(size_t n)
{
    return allocate_aligned(HD_PAGE, HD_PAGE_CEIL(n), HD_RETURN_PC);
}

HD_EXPORT void cfree(void *p)
{
    free(p);
}

HD_EXPORT size_t malloc_usable_size(void *p)
{
    if (p == NULL)
        return 0;
    if (hd_heap_owns(p))
        return hd_heap_size(p);
    return ((size_t *)p)[-1] & ~(size_t)7; /* the chunk size of glibc, for a block of its allocator */
}
