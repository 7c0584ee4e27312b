/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.c - bump arenas by slot.  See heap.h for the invariants.
 *
 * In front of each block is a head of 16 bytes.  Freed memory is not handed out
 * again; a large block gives its pages back to the kernel, which also makes
 * them zero, so that H3 holds without work. */
#include "runtime/heap.h"

#include "runtime/mem.h"
#include "runtime/start.h"
#include "runtime/witness.h"

#define LOADER_BASE (HD_HEAP_BASE - UINT64_C(0x1000000000))
#define LIVE 0x4c495645u  /* "LIVE" */
#define FREED 0x44454144u /* "DEAD" */
#define LARGE (UINT64_C(64) * 1024)
#define CLEAR_BY_HAND (UINT64_C(4) << 20) /* above: give the pages back instead */

struct head {
    uint64_t size;
    uint32_t state;
    uint32_t slot;
};

struct arena {
    uintptr_t base;
    uintptr_t sealed; /* end of what belongs to the snapshot */
    uintptr_t top;
};

static struct arena arenas[HD_MAX_THREADS];
static struct arena loader_arena;
static bool used; /* something was allocated since the last reset */
static uint32_t early_lock; /* before main there may be several kernel threads (early.h) */

static inline void lock_early(void)
{
    if (HD_UNLIKELY(hd.cur == NULL))
        while (__atomic_exchange_n(&early_lock, 1, __ATOMIC_ACQUIRE) != 0)
            hd_sys(SYS_sched_yield, 0, 0, 0);
}

static inline void unlock_early(void)
{
    if (HD_UNLIKELY(hd.cur == NULL))
        __atomic_store_n(&early_lock, 0, __ATOMIC_RELEASE);
}

static struct head *head_of(const void *p)
{
    return (struct head *)((uintptr_t)p - sizeof(struct head));
}

bool hd_heap_owns(const void *p)
{
    uintptr_t a = (uintptr_t)p;

    return a >= LOADER_BASE && a < HD_HEAP_BASE + HD_MAX_THREADS * HD_HEAP_STRIDE;
}

static bool open_arena(struct arena *a, uintptr_t base)
{
    if (hd_mem_map(base, HD_HEAP_STRIDE, PROT_READ | PROT_WRITE) == NULL)
        return false;
    a->base = a->sealed = a->top = base;
    return true;
}

static void *bump(struct arena *a, size_t n, size_t align, unsigned slot)
{
    used = true;
    uintptr_t p = (a->top + sizeof(struct head) + align - 1) & ~(uintptr_t)(align - 1);

    if (n > HD_HEAP_STRIDE || p + n > a->base + HD_HEAP_STRIDE)
        return NULL;
    *head_of((void *)p) = (struct head){ n, LIVE, slot };
    a->top = (p + (n == 0 ? 1 : n) + 15) & ~UINT64_C(15);
    return (void *)p;
}

static void *allocate(size_t n, size_t align, uint64_t pc)
{
    unsigned slot = hd.cur != NULL ? hd.cur->slot : 0;
    struct arena *a = &arenas[slot];

    if (align < 16)
        align = 16;
    if (HD_UNLIKELY(hd_start_in_loader(pc))) {
        if (loader_arena.base == 0 && !open_arena(&loader_arena, LOADER_BASE))
            return NULL;
        return bump(&loader_arena, n, align, HD_MAX_THREADS);
    }
    if (HD_UNLIKELY(a->base == 0) && !open_arena(a, HD_HEAP_BASE + slot * HD_HEAP_STRIDE))
        return NULL;
    if (hd.cur != NULL)
        hd.cur->progress++;
    return bump(a, n, align, slot);
}

void *hd_heap_alloc(size_t n, size_t align, uint64_t pc)
{
    lock_early();
    void *p = allocate(n, align, pc);

    unlock_early();
    if (HD_UNLIKELY(hd.witness != 0) && hd.cur != NULL && p != NULL)
        hd_witness_allocated(p, n, pc);
    return p;
}

void hd_heap_free(void *p, uint64_t pc)
{
    struct head *h = head_of(p);

    if (h->state != LIVE) {
        if (h->state == FREED)
            hd_report(HD_FK_DOUBLE_FREE, pc, "free of %p, a block of %lu bytes that was freed before",
                      p, (unsigned long)h->size);
        else
            hd_report(HD_FK_BAD_FREE, pc, "free of %p, which is not the start of a heap block", p);
        return;
    }
    h->state = FREED;
    if (hd.cur != NULL)
        hd.cur->progress++;
    if (h->size >= LARGE && h->slot < HD_MAX_THREADS && (uintptr_t)p >= arenas[h->slot].sealed) {
        uintptr_t lo = HD_PAGE_CEIL(p), hi = HD_PAGE_FLOOR((uintptr_t)p + h->size);

        hd_sys(SYS_madvise, lo, hi - lo, MADV_DONTNEED);
    }
}

size_t hd_heap_size(const void *p)
{
    return head_of(p)->size;
}

void *hd_heap_realloc(void *p, size_t n, uint64_t pc)
{
    struct head *h = head_of(p);
    unsigned slot = hd.cur != NULL ? hd.cur->slot : 0;
    struct arena *a = &arenas[slot];

    if (h->state != LIVE) {
        hd_heap_free(p, pc);
        return NULL;
    }
    /* The last block grows in place: still a function of the thread's history. */
    if (h->slot == slot && n > h->size && (((uintptr_t)p + h->size + 15) & ~UINT64_C(15)) == a->top &&
        (uintptr_t)p + n <= a->base + HD_HEAP_STRIDE && (uintptr_t)p >= a->sealed && hd.cur != NULL) {
        h->size = n;
        a->top = ((uintptr_t)p + n + 15) & ~UINT64_C(15);
        return p;
    }
    void *q = hd_heap_alloc(n, 16, pc);

    if (q != NULL) {
        hd_mem_copy(q, p, n < h->size ? n : h->size);
        hd_heap_free(p, pc);
    }
    return q;
}

void hd_heap_seal(uintptr_t *lo, uintptr_t *hi)
{
    struct arena *a = &arenas[0];

    early_lock = 0; /* whoever held it was stopped for good */
    if (a->base != 0)
        a->sealed = a->top = HD_PAGE_CEIL(a->top);
    *lo = a->base;
    *hi = a->sealed;
}

void hd_heap_reset(void)
{
    if (!used)
        return;
    used = false;
    for (unsigned s = 0; s < hd.nslots; s++) {
        struct arena *a = &arenas[s];
        uintptr_t clear_to = a->top;

        if (a->top == a->sealed)
            continue;
        if (a->top - a->sealed > CLEAR_BY_HAND) {
            clear_to = HD_PAGE_CEIL(a->sealed + CLEAR_BY_HAND);
            hd_sys(SYS_madvise, clear_to, HD_PAGE_CEIL(a->top) - clear_to, MADV_DONTNEED);
        }
        hd_mem_zero((void *)a->sealed, clear_to - a->sealed);
        a->top = a->sealed;
    }
}

uintptr_t hd_heap_loader_used(void)
{
    return loader_arena.top;
}
