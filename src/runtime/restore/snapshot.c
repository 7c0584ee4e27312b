/* SPDX-License-Identifier: BSD-2-Clause
 *
 * snapshot.c - write-protect pages once, then copy back the hot ones.
 *
 * A system call per execution would be too slow.  So a page causes a fault only when the target writes it for the
 * first time, and then stays in the set of hot pages.  See snapshot.h for the invariants.  The data of the runtime
 * and of ld.so is left out: ld.so's tables must never be rolled back. */
#include "runtime/restore/snapshot.h"

#include <elf.h>
#include <link.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/rules.h"
#include "base/sys.h"
#include "runtime/core/fiber.h"
#include "runtime/core/program.h"
#include "runtime/core/state.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/process.h"
#include "runtime/sys/mem.h"

#define MAX_REGIONS (1024 + HD_MAX_THREADS) /* the stack of each thread is a region */

struct region {
    uintptr_t lo, hi;     /* bytes to restore */
    uintptr_t page_lo;    /* HD_PAGE_FLOOR(lo) */
    unsigned char *image; /* copy of the pages from page_lo to HD_PAGE_CEIL(hi) */
    unsigned char *hot;   /* one byte per page */
    bool is_libc;
    int more; /* protection besides PROT_READ and PROT_WRITE: PROT_EXEC or 0 */
};

/* A range to restore, at most one page. */
struct hot_page {
    uintptr_t at;
    uint32_t bytes;
    unsigned char *image;
    unsigned char *before; /* used only by hd_snapshot_absorb */
};

static struct region regions[MAX_REGIONS];
static unsigned nregions;
static bool taken;
static bool last; /* M4: this process runs its last execution */
static struct hot_page *hot_pages;
static size_t nhot, cap_hot;

static void grow_hot(void)
{
    size_t cap = cap_hot == 0 ? 4096 : cap_hot * 2;
    struct hot_page *p = hd_mem_map(0, cap * sizeof *p, PROT_READ | PROT_WRITE);

    HD_INVARIANT(p != NULL, "no memory for the list of hot pages");
    if (cap_hot != 0) {
        hd_mem_copy(p, hot_pages, nhot * sizeof *p);
        hd_sys(SYS_munmap, hot_pages, cap_hot * sizeof *p, 0);
    }
    hot_pages = p;
    cap_hot = cap;
}

/* Returns true if the page was not hot yet.  The caller must then make it writable. */
static bool note_hot(struct region *r, uintptr_t page)
{
    size_t index = (page - r->page_lo) / HD_PAGE;
    uintptr_t lo = page < r->lo ? r->lo : page;
    uintptr_t hi = page + HD_PAGE > r->hi ? r->hi : page + HD_PAGE;

    if (r->hot[index])
        return false;
    if (nhot == cap_hot)
        grow_hot();
    r->hot[index] = 1;
    hot_pages[nhot++] =
        (struct hot_page){ lo, (uint32_t)(hi - lo), r->image + (lo - r->page_lo), NULL };
    return true;
}

static void make_hot(struct region *r, uintptr_t page)
{
    if (note_hot(r, page))
        hd_mem_protect(page, page + HD_PAGE, PROT_READ | PROT_WRITE | r->more);
}

static struct region *region_of(uintptr_t page)
{
    for (unsigned i = 0; i < nregions; i++)
        if (page >= regions[i].page_lo && page < HD_PAGE_CEIL(regions[i].hi))
            return &regions[i];
    return NULL;
}

/* Makes the newest hot pages cold until `had` hot pages are left.  Protects adjacent pages by one call. */
static void make_cold(size_t had)
{
    while (nhot > had) {
        uintptr_t page = HD_PAGE_FLOOR(hot_pages[nhot - 1].at), end = page + HD_PAGE;
        struct region *r = region_of(page);

        for (;; page -= HD_PAGE) {
            r->hot[(page - r->page_lo) / HD_PAGE] = 0;
            nhot--;
            if (nhot == had || page == r->page_lo ||
                HD_PAGE_FLOOR(hot_pages[nhot - 1].at) != page - HD_PAGE)
                break;
        }
        hd_mem_protect(page, end, PROT_READ | r->more);
    }
}

bool hd_snapshot_fault(uintptr_t addr)
{
    uintptr_t page = HD_PAGE_FLOOR(addr);
    struct region *r = region_of(page);

    if (r == NULL || r->hot[(page - r->page_lo) / HD_PAGE])
        return false;
    make_hot(r, page);
    return true;
}

void hd_snapshot_touch(const volatile void *p, size_t n)
{
    hd_changes.io = 1;
    if (hd.cur != NULL)
        hd.cur->loop.opaque++; /* the kernel writes to the stack */
    if (n == 0)
        return;
    for (uintptr_t page = HD_PAGE_FLOOR(p); page < (uintptr_t)p + n; page += HD_PAGE)
        if (!hd_snapshot_fault(page))
            hd_fiber_stack_fault(page);
}

static void take_image(struct region *r)
{
    uintptr_t page_lo = r->page_lo, page_hi = HD_PAGE_CEIL(r->hi);
    size_t pages = (page_hi - page_lo) / HD_PAGE;

    r->image = hd_mem_map(0, page_hi - page_lo, PROT_READ | PROT_WRITE);
    r->hot = hd_mem_map(0, HD_PAGE_CEIL(pages), PROT_READ | PROT_WRITE);
    HD_INVARIANT(r->image != NULL && r->hot != NULL, "no memory for the snapshot");
    for (size_t i = 0; i < pages; i++) {
        const unsigned char *page = (const unsigned char *)page_lo + i * HD_PAGE;

        if (!hd_mem_is_zero(page, HD_PAGE)) /* an untouched image page is already zero */
            hd_mem_copy(r->image + i * HD_PAGE, page, HD_PAGE);
    }
    hd_mem_protect(page_lo, page_hi, PROT_READ | r->more);
}

void hd_snapshot_add_mapping(uintptr_t lo, uintptr_t hi, bool executes)
{
    if (lo >= hi)
        return;
    HD_INVARIANT(nregions < MAX_REGIONS, "too many regions in the snapshot");
    regions[nregions] = (struct region){ .lo = lo, .hi = hi, .page_lo = HD_PAGE_FLOOR(lo),
                                         .more = executes ? PROT_EXEC : 0 };
    nregions++;
    if (taken) /* before the snapshot is taken, libc may still write there, and no handler serves
                * the fault */
        take_image(&regions[nregions - 1]);
}

void hd_snapshot_add(uintptr_t lo, uintptr_t hi)
{
    hd_snapshot_add_mapping(lo, hi, false);
}

/* The part of region r from `from` to its end. */
static struct region rest_of(const struct region *r, uintptr_t from)
{
    struct region rest = *r;
    size_t skipped = from - r->page_lo;

    rest.lo = rest.page_lo = from;
    rest.image += skipped;
    rest.hot += skipped / HD_PAGE;
    return rest;
}

static void forget_in(struct region *r, uintptr_t lo, uintptr_t hi)
{
    bool left = r->page_lo < lo, right = hi < r->hi;

    if (left && right) {
        HD_INVARIANT(nregions < MAX_REGIONS, "too many regions in the snapshot");
        regions[nregions++] = rest_of(r, hi);
    } else if (right) {
        *r = rest_of(r, hi);
    }
    if (left || !right)
        r->hi = left ? lo : r->lo;
}

void hd_snapshot_forget(uintptr_t lo, uintptr_t hi)
{
    lo = HD_PAGE_FLOOR(lo);
    hi = HD_PAGE_CEIL(hi);
    for (size_t i = 0; i < nhot; i++)
        if (hot_pages[i].at >= lo && hot_pages[i].at < hi)
            hot_pages[i].bytes = 0;
    for (unsigned i = 0, n = nregions; i < n; i++)
        if (lo < regions[i].hi && hi > regions[i].page_lo)
            forget_in(&regions[i], lo, hi);
}

/* Adds the writable segments of one loaded object, without the part that the loader makes read-only
 * after relocation. */
static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    uintptr_t relro_lo = 0, relro_hi = 0;

    (void)size;
    (void)arg;
    if (hd_program_is_own_or_loader(info->dlpi_addr))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro_lo = HD_PAGE_FLOOR(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            relro_hi = HD_PAGE_FLOOR(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                                     info->dlpi_phdr[i].p_memsz);
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uintptr_t lo = info->dlpi_addr + ph->p_vaddr;
        uintptr_t hi = lo + ph->p_memsz;

        if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W))
            continue;
        if (relro_hi > lo && relro_lo <= lo)
            lo = relro_hi;
        if (lo >= hi)
            continue;
        hd_snapshot_add(lo, hi);
        regions[nregions - 1].is_libc = hd_program_is_libc(info->dlpi_addr);
    }
    return 0;
}

void hd_snapshot_take(void)
{
    uintptr_t lo, hi;

    hd_program_argument_area(&lo, &hi);
    hd_snapshot_add(lo, hi);
    hd_program_main_tls(&lo, &hi);
    hd_snapshot_add(lo, hi);
    hd_heap_seal();
    dl_iterate_phdr(add_module, NULL);
    for (unsigned i = 0; i < nregions; i++)
        take_image(&regions[i]);
    taken = true;
}

/* Compares 64 bytes. */
static inline bool same_line(const unsigned char *p, const unsigned char *q)
{
    const __m128i *a = (const __m128i *)(const void *)p;
    const __m128i *b = (const __m128i *)(const void *)q;
    __m128i d = _mm_xor_si128(_mm_loadu_si128(a), _mm_loadu_si128(b));

    for (int k = 1; k < 4; k++)
        d = _mm_or_si128(d, _mm_xor_si128(_mm_loadu_si128(a + k), _mm_loadu_si128(b + k)));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(d, _mm_setzero_si128())) == 0xffff;
}

/* Compares by cache line: most lines of a hot page are unchanged, and storing to them would cost
 * more than comparing. */
static void put_back(const struct hot_page *h)
{
    unsigned char *p = (unsigned char *)h->at;
    const unsigned char *q = h->image;
    uint32_t i = 0;

    for (; i + 64 <= h->bytes; i += 64) {
        const __m128i *b = (const __m128i *)(const void *)(q + i);

        if (same_line(p + i, q + i))
            continue;
        for (int k = 0; k < 4; k++)
            _mm_storeu_si128((__m128i *)(void *)(p + i) + k, _mm_loadu_si128(b + k));
    }
    for (; i < h->bytes; i++)
        if (p[i] != q[i])
            p[i] = q[i];
}

void hd_snapshot_restore(void)
{
    for (size_t i = 0; i < nhot; i++)
        put_back(&hot_pages[i]);
    HD_CHECK(hd_snapshot_difference() == 0, "M1, M2: memory is as it was before main");
}

/* The hash must not depend on which pages are hot and in which order, since earlier executions determine that. */
uint64_t hd_snapshot_hash_within(uintptr_t lo, uintptr_t hi)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < nhot; i++) {
        const struct hot_page *h = &hot_pages[i];

        if (h->at >= lo && h->at < hi && !hd_mem_equal((const void *)h->at, h->image, h->bytes))
            sum += hd_hash_bytes(h->at, (const void *)h->at, h->bytes);
    }
    return sum;
}

uint64_t hd_snapshot_hash(void)
{
    return hd_snapshot_hash_within(0, UINTPTR_MAX);
}

static uintptr_t first_other(uintptr_t at, const unsigned char *image, size_t n)
{
    const unsigned char *p = (const unsigned char *)at;
    size_t i = 0;

    for (; i + 64 <= n && same_line(p + i, image + i); i += 64)
        continue;
    for (; i < n; i++)
        if (p[i] != image[i])
            return at + i;
    return 0;
}

uintptr_t hd_snapshot_difference(void)
{
    enum { LARGE = 16 << 20 };
    uintptr_t at = 0;

    for (size_t i = 0; i < nhot && at == 0; i++)
        at = first_other(hot_pages[i].at, hot_pages[i].image, hot_pages[i].bytes);
    for (unsigned i = 0; i < nregions && at == 0; i++) {
        const struct region *r = &regions[i];

        if (r->hi - r->lo <= LARGE)
            at = first_other(r->lo, r->image + (r->lo - r->page_lo), r->hi - r->lo);
    }
    return at;
}

bool hd_snapshot_has(uintptr_t addr)
{
    return region_of(HD_PAGE_FLOOR(addr)) != NULL;
}

void hd_snapshot_each(void (*fn)(uintptr_t lo, uintptr_t hi, void *arg), void *arg)
{
    for (unsigned i = 0; i < nregions; i++)
        fn(regions[i].lo, regions[i].hi, arg);
}

struct absorb {
    void (*fn)(void *);
    void *arg;
};

/* Copies the hot pages, so that take_changes can find the changes made by fn.  The memory for that stays, as a program with
 * many threads needs it for each of them and fresh pages cost more than the copies; but not if it is much. */
static struct {
    unsigned char *page;
    size_t room; /* in pages */
} saved;

static void forget_saved(void)
{
    if (saved.room != 0)
        hd_sys(SYS_munmap, saved.page, saved.room * HD_PAGE, 0);
    saved.room = 0;
}

static void save_hot(void)
{
    if (nhot > saved.room) {
        forget_saved();
        saved.page = hd_mem_map(0, 2 * nhot * HD_PAGE, PROT_READ | PROT_WRITE);
        HD_INVARIANT(saved.page != NULL, "no memory to add a thread");
        saved.room = 2 * nhot;
    }
    for (size_t i = 0; i < nhot; i++) {
        hot_pages[i].before = saved.page + i * HD_PAGE;
        hd_mem_copy(hot_pages[i].before, (void *)hot_pages[i].at, hot_pages[i].bytes);
    }
}

static void heat(struct region *r)
{
    bool cold = false;

    for (uintptr_t p = r->page_lo; p < r->hi; p += HD_PAGE)
        cold |= note_hot(r, p);
    if (cold)
        hd_mem_protect(r->page_lo, HD_PAGE_CEIL(r->hi), PROT_READ | PROT_WRITE | r->more);
}

void hd_snapshot_heat_libc(void)
{
    for (unsigned i = 0; i < nregions; i++)
        if (regions[i].is_libc)
            heat(&regions[i]);
}

void hd_snapshot_heat_small(void)
{
    enum { SMALL = 16 * HD_PAGE };

    for (unsigned i = 0; i < nregions; i++)
        if (regions[i].hi - regions[i].page_lo <= SMALL)
            heat(&regions[i]);
}

void hd_snapshot_is_last(void)
{
    last = true;
}

void hd_snapshot_open_up(void)
{
    enum { BELOW = 65536 };
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);

    hd_snapshot_heat_libc();
    hd_snapshot_touch((void *)(sp - BELOW), BELOW);
}

/* Copies the bytes that have changed into the image. */
static void take_changes(struct hot_page *h, const unsigned char *before)
{
    const unsigned char *now = (const unsigned char *)h->at;

    for (uint32_t line = 0; line < h->bytes; line += 64) {
        uint32_t end = h->bytes - line < 64 ? h->bytes : line + 64;

        if (end - line == 64 && same_line(now + line, before + line))
            continue;
        for (uint32_t b = line; b < end; b++)
            if (now[b] != before[b])
                h->image[b] = now[b];
    }
}

static void absorb(void *arg)
{
    enum { MUCH = 4096 };
    const struct absorb *a = arg;
    size_t had = nhot;

    save_hot();
    a->fn(a->arg);
    for (size_t i = 0; i < nhot; i++) {
        take_changes(&hot_pages[i], i < had ? hot_pages[i].before : hot_pages[i].image);
        hot_pages[i].before = NULL;
    }
    if (saved.room > MUCH)
        forget_saved();
    make_cold(had); /* only fn has written to these pages: they equal the image again (M2) */
}

/* fn runs on a stack of its own: the fiber's stack may be protected further down, and the target
 * must not see traces of fn in it. */
void hd_snapshot_absorb(void (*fn)(void *), void *arg)
{
    enum { STACK = 256 * 1024 };
    static char *stack;
    struct absorb a = { fn, arg };

    if (stack == NULL)
        stack = hd_mem_map_stack(STACK);
    HD_INVARIANT(stack != NULL, "no memory for a stack");
    if (last)
        hd_call_on(stack + STACK - 64, fn, arg);
    else
        hd_call_on(stack + STACK - 64, absorb, &a);
}
