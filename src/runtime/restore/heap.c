/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.c - one bump arena per thread slot.  See heap.h for the invariants.
 *
 * A header of 16 bytes precedes each block, with its size and its row in the arena's table; everything else is in
 * the row.  Freed memory is not allocated again.  The pages of a large freed block are returned to the kernel,
 * which zeroes them, as H3 requires.  The rows and the map of blocks from before main are part of the snapshot,
 * like the blocks themselves. */
#include "runtime/restore/heap.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/rules.h"
#include "base/sys.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/restore/alloc_site.h"
#include "runtime/restore/heap_arena.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/memory_ops.h"
#include "wire/wire.h"

#define LOADER_BASE (HD_HEAP_BASE - UINT64_C(0x1000000000))
#define LOADER_ROW UINT32_MAX /* in the header: a block of the loader has no row */
#define MAX_ROWS (UINT32_C(1) << 26)
#define LARGE (UINT64_C(64) * 1024)
#define KEPT_LARGE (UINT64_C(32) << 20) /* bytes of freed large blocks that an execution may keep */
#define GROWS_IN_PLACE 4096 /* smaller blocks always move, so that the checks detect stale pointers to them */
#define CLEAR_BY_HAND (UINT64_C(4) << 20) /* more bytes are cleared by returning their pages to the
                                           * kernel */
#define SEAL_ALIGN (HD_PAGE * HD_GRANULE) /* covers whole pages of the map */

struct hd_heap_arena hd_heap_arenas[HD_MAX_THREADS];
uint64_t hd_heap_nlive;
static struct hd_heap_arena loader_arena;
static bool used;           /* allocated since the last reset */
static uint64_t freed_large; /* bytes of large blocks that this execution has freed */
static uint32_t early_lock; /* protects the heap before main, when there may be several kernel threads
                             * (early_threads.h) */

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

static struct hd_block_head *head_of(const void *p)
{
    return (struct hd_block_head *)((uintptr_t)p - sizeof(struct hd_block_head));
}

bool hd_heap_owns(const void *p)
{
    return (uintptr_t)p - LOADER_BASE < HD_HEAP_BASE + HD_HEAP_BYTES - LOADER_BASE;
}

static bool is_loader(uintptr_t addr)
{
    return addr < HD_HEAP_BASE;
}

bool hd_heap_is_open(uintptr_t addr)
{
    return is_loader(addr) || hd_heap_arena_of(addr)->base != 0;
}

static int8_t *map_of(uintptr_t addr)
{
    return HD_MAP + (addr - HD_HEAP_BASE) / HD_GRANULE;
}

/* ---- sites -------------------------------------------------------------- */

static inline struct hd_block_event event_here(uint64_t pc)
{
    return (struct hd_block_event){ .site = hd_site_here(pc), .tid = hd.cur != NULL ? hd.cur->tid : 0,
                                    .step = hd.cur != NULL ? hd.exec->nsteps : 0 };
}

/* ---- hd_heap_arenas ---------------------------------------------------------------------------- */

void hd_heap_open(void)
{
    static bool open;

    if (open)
        return;
    open = true;
    HD_INVARIANT(hd_mem_map(HD_MAP_BASE, HD_MAP_BYTES, PROT_READ | PROT_WRITE) != NULL,
                 "the address range of the heap's map is taken");
}

static bool open_arena(struct hd_heap_arena *a, uintptr_t base)
{
    if (!is_loader(base)) {
        hd_heap_open();
        a->blocks.row = hd_mem_map(0, MAX_ROWS * sizeof *a->blocks.row, PROT_READ | PROT_WRITE);
        if (a->blocks.row == NULL)
            return false;
    }
    if (hd_mem_map(base, HD_HEAP_STRIDE, PROT_READ | PROT_WRITE) == NULL)
        return false;
    a->base = a->sealed = a->top = base;
    return true;
}

static inline __attribute__((always_inline)) uintptr_t place_block(struct hd_heap_arena *a, size_t n,
                                                                    size_t align)
{
    used = true;
    uintptr_t p = (a->top + sizeof(struct hd_block_head) + align - 1) & ~(uintptr_t)(align - 1);

    if (n > HD_HEAP_STRIDE || p + n + HD_GRANULE > a->base + HD_HEAP_STRIDE)
        return 0;
    a->top = p + hd_block_room(n);
    return p;
}

static void *loader_block(size_t n, size_t align)
{
    if (loader_arena.base == 0 && !open_arena(&loader_arena, LOADER_BASE))
        return NULL;
    uintptr_t p = place_block(&loader_arena, n, align);

    if (p != 0)
        *head_of((void *)p) = (struct hd_block_head){ n, LOADER_ROW, 0 };
    return (void *)p;
}

/* Marks the first n bytes from p on as accessible. */
static inline void open_bytes(uintptr_t p, size_t n)
{
    int8_t *m = map_of(p);
    size_t whole = n / HD_GRANULE;

    if (HD_LIKELY(whole == 1))
        *m = HD_GRANULE;
    else
        hd_fill(m, HD_GRANULE, whole);
    if (n % HD_GRANULE != 0 || n == 0)
        m[whole] = (int8_t)(n % HD_GRANULE);
}

static inline __attribute__((always_inline)) void begin_block(struct hd_block *b, size_t n, uint64_t pc)
{
    head_of((void *)(uintptr_t)b->addr)->size = n;
    b->size = n;
    b->mark = 0;
    b->state = HD_BLOCK_LIVE;
    b->objects = 0;
    b->allocated = event_here(pc);
    open_bytes(b->addr, n);
    hd_heap_nlive++;
}

static inline __attribute__((always_inline)) void *bump(struct hd_heap_arena *a, size_t n, size_t align,
                                                         uint64_t pc)
{
    uintptr_t p = a->blocks.n < MAX_ROWS ? place_block(a, n, align) : 0;

    if (p == 0)
        return NULL;
    struct hd_block *b = &a->blocks.row[a->blocks.n];

    HD_CHECK(a->blocks.n == 0 || p >= b[-1].addr + b[-1].size, "H1: no address is used twice");
    HD_CHECK(hd_mem_is_zero((const void *)p, n), "H3: memory is zero when handed out");
    a->top += hd_block_gap(n);
    b->addr = p;
    head_of((void *)p)->row = a->blocks.n++;
    begin_block(b, n, pc);
    return (void *)p;
}

/* ---- recycling -------------------------------------------------------------------------- */

static inline struct hd_block **free_list(size_t n)
{
    struct hd_heap_arena *a = &hd_heap_arenas[hd.cur->slot];
    size_t granules = hd_block_room(n) / HD_GRANULE;

    if (granules > HD_HEAP_CLASSES)
        return NULL;
    if (a->epoch != hd.epoch) {
        hd_mem_zero(a->freed, sizeof a->freed);
        a->epoch = hd.epoch;
    }
    return &a->freed[granules - 1];
}

static HD_COLD void *recycled(size_t n, uint64_t pc)
{
    struct hd_block **list = free_list(n);
    struct hd_block *b = list != NULL ? *list : NULL;

    if (b == NULL)
        return NULL;
    *list = b->next;
    hd_mem_zero((void *)(uintptr_t)b->addr, hd_block_room(n));
    if (b->objects)
        hd_object_forget(b->addr, hd_block_room(n));
    begin_block(b, n, pc);
    return (void *)(uintptr_t)b->addr;
}

static HD_COLD void recycle(struct hd_block *b)
{
    struct hd_block **list = free_list(b->size);

    if (list == NULL)
        return;
    b->next = *list;
    *list = b;
}

/* ---- allocation ---------------------------------------------------------------------------- */

static void *allocate(size_t n, size_t align, uint64_t pc)
{
    unsigned slot = hd.cur != NULL ? hd.cur->slot : 0;
    struct hd_heap_arena *a = &hd_heap_arenas[slot];
    void *p;

    if (align < HD_GRANULE)
        align = HD_GRANULE;
    if (HD_UNLIKELY(hd_program_in_loader(pc)))
        return loader_block(n, align);
    if (HD_UNLIKELY(a->base == 0) && !open_arena(a, HD_HEAP_BASE + slot * HD_HEAP_STRIDE))
        return NULL;
    if (hd.cur != NULL) {
        hd.cur->progress++;
        if (HD_UNLIKELY(hd.cfg->recycle) && align == HD_GRANULE && (p = recycled(n, pc)) != NULL)
            return p;
    }
    return bump(a, n, align, pc);
}

static __attribute__((noinline)) void *alloc_in_any_case(size_t n, size_t align, uint64_t pc)
{
    lock_early();
    void *p = allocate(n, align, pc);

    unlock_early();
    if (HD_UNLIKELY(hd.witness != 0) && hd.cur != NULL && p != NULL)
        hd_callbacks.block_allocated(p, n, pc);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX) && p != NULL && !is_loader((uintptr_t)p))
        hd_callbacks.tx_allocated(p);
    return p;
}

/* The fast path is for the common case: a small block, a controlled thread, no feature that needs
 * more bookkeeping. */
void *hd_heap_alloc(size_t n, size_t align, uint64_t pc)
{
    if (HD_LIKELY(hd.cur != NULL && align <= HD_GRANULE && hd.witness == 0 && !hd.cfg->recycle &&
                  !(hd.access_mode & HD_MODE_TX) && !hd_program_may_be_loader(pc))) {
        struct hd_heap_arena *a = &hd_heap_arenas[hd.cur->slot];

        if (HD_LIKELY(a->base != 0)) {
            hd.cur->progress++;
            return bump(a, n, HD_GRANULE, pc);
        }
    }
    return alloc_in_any_case(n, align, pc);
}

/* ---- release ------------------------------------------------------------------------------- */

/* Returns the block that begins at p, live or freed, or NULL. */
static struct hd_block *block_at(const void *p)
{
    uintptr_t addr = (uintptr_t)p;
    const struct hd_heap_arena *a = hd_heap_arena_of(addr);

    if (a->base == 0 || addr % HD_GRANULE != 0 || addr < a->base + sizeof(struct hd_block_head))
        return NULL;
    uint32_t row = head_of(p)->row;

    return row < a->blocks.n && a->blocks.row[row].addr == addr ? &a->blocks.row[row] : NULL;
}

/* A free conflicts with every access to the block: in the opposite order the access would be a use
 * after free.  Only frees by instrumented code count, since uninstrumented code may be ordered by
 * its own atomics.  With --points=races, which tries the opposite order, frees by libstdc++ count
 * as well. */
static __attribute__((noinline)) void note_race(const struct hd_block *b, uint64_t pc)
{
    if (b->size > 0 && (hd_program_is_instrumented(pc) ||
                        (hd.cfg->points == HD_POINTS_RACES && hd_program_is_cplusplus(pc))))
        hd_callbacks.block_freed(b->addr, b->size, pc);
}

/* The slow path of a free.  No address is used twice, so a program that keeps allocating would need
 * ever more memory: large blocks return their pages to the kernel.  They do so only beyond
 * KEPT_LARGE, because faulting pages in again takes ten times as long as clearing them. */
static __attribute__((noinline)) void end_further(struct hd_block *b, bool sealed)
{
    if (hd.cfg->recycle)
        recycle(b);
    if (b->size < LARGE || sealed)
        return;
    freed_large += b->size;
    if (freed_large > KEPT_LARGE) {
        uintptr_t lo = HD_PAGE_CEIL(b->addr), hi = HD_PAGE_FLOOR(b->addr + b->size);

        hd_sys(SYS_madvise, lo, hi - lo, MADV_DONTNEED);
    }
}

static inline void end_block(struct hd_block *b, uint64_t pc)
{
    uintptr_t p = b->addr;
    size_t room = hd_block_room(b->size);
    bool sealed = p < hd_heap_arena_of(p)->sealed;

    hd_heap_nlive -= !sealed;
    b->state = HD_BLOCK_FREED;
    b->freed = event_here(pc);
    if (HD_LIKELY(room == HD_GRANULE))
        *map_of(p) = HD_MAP_FREED;
    else
        hd_fill(map_of(p), (uint8_t)HD_MAP_FREED, room / HD_GRANULE);
    if (hd.cur == NULL)
        return;
    hd.cur->progress++;
    if (HD_UNLIKELY(hd.cfg->recycle || b->size >= LARGE))
        end_further(b, sealed);
}

static struct hd_block *live_block(const void *p, const char *what, uint64_t pc)
{
    struct hd_block *b = block_at(p);

    if (HD_LIKELY(b != NULL && b->state == HD_BLOCK_LIVE))
        return b;
    hd_callbacks.bad_free((uintptr_t)p, b, what, pc);
    return NULL;
}

static bool release(void *p, uint64_t pc)
{
    struct hd_block *b = live_block(p, "free", pc);

    if (b == NULL)
        return false;
    if (hd.races && hd.cur != NULL && hd.exec->nthreads > 1)
        note_race(b, pc);
    end_block(b, pc);
    return true;
}

/* Makes the free a scheduling point: other threads may run before it, and one of them may free the block first. */
static void have_turn(const void *p, uint64_t pc)
{
    const struct hd_block *b = block_at(p);

    if (b != NULL && hd.cur != NULL)
        hd_callbacks.block_before_free(b->addr, b->size, pc);
}

/* In a transaction, a block is freed when the transaction ends. */
static bool free_in_transaction(void *p, uint64_t pc)
{
    const struct hd_block *b = live_block(p, "free", pc);

    if (b != NULL)
        hd_callbacks.tx_frees(p, b->size, pc);
    return b != NULL;
}

bool hd_heap_free(void *p, uint64_t pc)
{
    if (is_loader((uintptr_t)p))
        return true; /* H4: blocks of the loader are never freed */
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX))
        return free_in_transaction(p, pc);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_POINTS))
        have_turn(p, pc);
    return release(p, pc);
}

size_t hd_heap_size(const void *p)
{
    return head_of(p)->size;
}

/* A large block at the end of the arena grows in place.  The address still depends only on the
 * history of its thread (H2). */
static bool grow(struct hd_block *b, size_t n)
{
    struct hd_heap_arena *a = hd_heap_arena_of(b->addr);

    if (hd.cur == NULL || a != &hd_heap_arenas[hd.cur->slot] || b->size < GROWS_IN_PLACE || n <= b->size ||
        b != &a->blocks.row[a->blocks.n - 1] || b->addr < a->sealed ||
        n > HD_HEAP_STRIDE || b->addr + n + 2 * LARGE > a->base + HD_HEAP_STRIDE)
        return false;
    size_t whole = b->size & ~(size_t)(HD_GRANULE - 1);

    b->size = n;
    head_of((void *)(uintptr_t)b->addr)->size = n;
    open_bytes(b->addr + whole, n - whole);
    a->top = b->addr + hd_block_room(n) + hd_block_gap(n);
    return true;
}

void *hd_heap_realloc(void *p, size_t n, uint64_t pc)
{
    bool own = is_loader((uintptr_t)p);

    if (!own && HD_UNLIKELY(hd.access_mode & HD_MODE_POINTS))
        have_turn(p, pc);
    struct hd_block *b = own ? NULL : live_block(p, "realloc", pc);
    size_t had = own || b != NULL ? head_of(p)->size : 0;

    if (!own && b == NULL)
        return NULL;
    if (!own && !(hd.access_mode & HD_MODE_TX) && grow(b, n))
        return p;
    void *q = hd_heap_alloc(n, HD_GRANULE, pc);

    if (q != NULL) {
        hd_mem_copy(q, p, n < had ? n : had);
        if (!own && HD_UNLIKELY(hd.access_mode & HD_MODE_TX))
            hd_callbacks.tx_frees(p, had, pc);
        else if (!own)
            release(p, pc);
    }
    return q;
}

/* ---- before and between executions ---------------------------------------------------------- */

/* The rows and the map of the sealed part end at page boundaries, so blocks of an execution share no page with
 * them. */
void hd_heap_seal(void)
{
    struct hd_heap_arena *a = &hd_heap_arenas[0];
    uintptr_t rows = (uintptr_t)a->blocks.row;

    early_lock = 0; /* a thread that held it will never run again */
    if (a->base == 0)
        return;
    a->sealed = a->top = (a->top + SEAL_ALIGN - 1) & ~(SEAL_ALIGN - 1);
    while (a->blocks.n * sizeof *a->blocks.row % HD_PAGE != 0)
        a->blocks.row[a->blocks.n++] = (struct hd_block){ .addr = a->sealed };
    a->sealed_rows = a->blocks.n;
    hd_heap_nlive = 0;
    hd_snapshot_add(a->base, a->sealed);
    hd_snapshot_add(rows, rows + a->blocks.n * sizeof *a->blocks.row);
    hd_snapshot_add((uintptr_t)map_of(a->base), (uintptr_t)map_of(a->sealed));
}

/* Zeroes the range, by stores or by returning pages to the kernel. */
static void clear(uintptr_t lo, uintptr_t hi, uintptr_t by_hand)
{
    uintptr_t to = hi;

    if (hi - lo > by_hand) {
        to = HD_PAGE_CEIL(lo + by_hand);
        hd_sys(SYS_madvise, to, HD_PAGE_CEIL(hi) - to, MADV_DONTNEED);
    }
    hd_mem_zero((void *)lo, to - lo);
}

void hd_heap_reset(void)
{
    hd_heap_nlive = 0;
    freed_large = 0;
    if (!used)
        return;
    used = false;
    for (unsigned s = 0; s < hd.nslots; s++) {
        struct hd_heap_arena *a = &hd_heap_arenas[s];

        if (a->top == a->sealed)
            continue;
        clear(a->sealed, a->top, CLEAR_BY_HAND);
        clear((uintptr_t)map_of(a->sealed), (uintptr_t)map_of(a->top), CLEAR_BY_HAND);
        a->cleared = a->top;
        a->top = a->sealed;
        a->blocks.n = a->sealed_rows;
    }
}

uintptr_t hd_heap_difference(void)
{
    for (unsigned s = 0; s < hd.nslots; s++) {
        uintptr_t from = hd_heap_arenas[s].sealed, to = hd_heap_arenas[s].cleared;

        if (to > from + CLEAR_BY_HAND) /* the rest was returned to the kernel */
            to = from + CLEAR_BY_HAND;
        for (uintptr_t at = from; at < to; at += sizeof(uint64_t))
            if (*(const uint64_t *)at != 0)
                return at;
    }
    return 0;
}

/* ---- the loader ---------------------------------------------------------------------------- */

uintptr_t hd_heap_loader_used(void)
{
    return loader_arena.top;
}

uintptr_t hd_heap_loader_base(void)
{
    return loader_arena.base;
}
