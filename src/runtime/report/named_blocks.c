/* SPDX-License-Identifier: BSD-2-Clause
 *
 * named_blocks.c - finds what a report needs to name a lock in the heap: the block around it, where
 * it was allocated, and the words that point into it.  "accounts[2]->lock" needs the static array of
 * pointers, "map->buckets[3].lock" the block that points to the buckets.
 *
 * Only a new finding causes the search.  It reads memory that is mapped in any case: static data,
 * the stacks of live threads, live blocks. */
#include "runtime/report/named_blocks.h"

#include "detect/heap.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/restore/alloc_site.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/heap_query.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"

enum {
    ROUNDS = 3,              /* limit for following pointers in the heap: a->b->c->lock */
    FROM_HEAP = 2,           /* limit of pointers in the heap that are kept for one block */
    MOST_BYTES = 8 << 20,    /* limit of bytes of the heap that a round reads */
    MOST_BLOCKS = 100000,    /* limit of blocks that are counted */
};

static struct hd_named_block rows[HD_NAMED_BLOCKS];
static uint32_t nrows;

/* ---- blocks -------------------------------------------------------------------------------- */

static const struct hd_block *block_at(uint64_t addr)
{
    if (addr - HD_HEAP_BASE >= HD_HEAP_BYTES || !hd_heap_is_open(addr))
        return NULL;
    const struct hd_block *b = hd_blocks_find(hd_heap_blocks(addr), addr);

    if (b == NULL || addr - b->addr >= hd_block_room(b->size)) { /* addr represents the lifetime of a block
                                                                  * (heap_query.h) */
        addr += HD_BLOCK_LIFE;
        b = hd_blocks_find(hd_heap_blocks(addr), addr);
    }
    return b != NULL && b->state != 0 && addr - b->addr < hd_block_room(b->size) ? b : NULL;
}

static struct hd_named_block *row_at(uint64_t addr)
{
    for (uint32_t i = 0; i < nrows; i++)
        if (addr - rows[i].block.addr < rows[i].block.size)
            return &rows[i];
    return NULL;
}

static void add(uint64_t addr)
{
    const struct hd_block *b = row_at(addr) == NULL && nrows < HD_NAMED_BLOCKS ? block_at(addr) : NULL;

    if (b == NULL)
        return;
    rows[nrows] = (struct hd_named_block){ .nth = 1 };
    hd_heap_describe(b, &rows[nrows++].block);
}

static void add_object(const struct hd_event *e)
{
    const struct hd_object_info *objects = hd.wire->common->objects;

    if (hd_cname_region(objects[e->obj].name) == HD_REG_HEAP)
        add(objects[e->obj].addr);
    if (e->obj2 < HD_MAX_OBJECTS && hd_cname_region(objects[e->obj2].name) == HD_REG_HEAP)
        add(objects[e->obj2].addr);
}

/* Each thread has its own arena, in which addresses ascend in the order of allocation. */
static void count_one(const struct hd_block *b)
{
    struct hd_heap_site site;

    hd_site_get(b->allocated.site, &site);
    for (uint32_t i = 0; i < nrows; i++)
        if (rows[i].block.allocated.pc == site.pc) {
            rows[i].of++;
            rows[i].nth += b->addr < rows[i].block.addr;
        }
}

static void count_all(void)
{
    uint32_t left = MOST_BLOCKS;

    for (unsigned s = 0; s < hd.nslots; s++) {
        uintptr_t base = HD_HEAP_BASE + s * HD_HEAP_STRIDE;
        const struct hd_blocks *b = hd_heap_is_open(base) ? hd_heap_blocks(base) : NULL;

        for (uint32_t i = 0; b != NULL && i < b->n && left > 0; i++)
            if (b->row[i].state != 0) {
                count_one(&b->row[i]);
                left--;
            }
    }
}

/* ---- pointers ------------------------------------------------------------------------------ */

static void look_at(const uint64_t *word, uint32_t most)
{
    struct hd_named_block *row = *word - HD_HEAP_BASE < HD_HEAP_BYTES ? row_at(*word) : NULL;

    if (row == NULL || row->npointers >= most ||
        (uintptr_t)word - row->block.addr < row->block.size) /* a link inside the block itself, as in a list */
        return;
    row->pointer[row->npointers++] = (struct hd_block_pointer){ (uintptr_t)word,
                                                                hd_object_name((uintptr_t)word), *word };
}

static void scan_static(uintptr_t lo, uintptr_t hi, void *arg)
{
    (void)arg;
    if (lo - HD_STACK_BASE < HD_STACKS_BYTES)
        return;
    for (lo = (lo + 7) & ~(uintptr_t)7; lo + 8 <= hi; lo += 8)
        look_at((const uint64_t *)lo, HD_BLOCK_POINTERS - FROM_HEAP);
}

/* Scans from the outermost function inwards, because its variables live longest. */
static void scan_stack(const struct hd_thread *t, uintptr_t lo)
{
    if (lo < t->stack_lo || lo >= t->stack_hi) /* a signal handler runs on an alternate stack */
        return;
    for (uintptr_t at = (t->stack_hi & ~(uintptr_t)7) - 8; at >= ((lo + 7) & ~(uintptr_t)7); at -= 8)
        look_at((const uint64_t *)at, HD_BLOCK_POINTERS - FROM_HEAP);
}

/* Looks for pointers in the heap.  A block that points to a named one needs a name itself. */
static void scan_heap(void)
{
    uint64_t left = MOST_BYTES;

    for (unsigned s = 0; s < hd.nslots; s++) {
        uintptr_t base = HD_HEAP_BASE + s * HD_HEAP_STRIDE;
        const struct hd_blocks *b = hd_heap_is_open(base) ? hd_heap_blocks(base) : NULL;

        for (uint32_t i = 0; b != NULL && i < b->n && b->row[i].size < left; i++) {
            uint64_t end = b->row[i].addr + b->row[i].size;

            if (b->row[i].state != HD_BLOCK_LIVE)
                continue;
            left -= b->row[i].size;
            for (uint64_t at = b->row[i].addr; at + 8 <= end; at += 8)
                look_at((const uint64_t *)at, HD_BLOCK_POINTERS);
        }
    }
}

static void find_pointers(uint64_t sp)
{
    hd_snapshot_each(scan_static, NULL);
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].state == HD_TH_LIVE)
            scan_stack(&hd.thread[i], &hd.thread[i] == hd.cur ? sp : hd.thread[i].sp);
    scan_heap();
}

/* Returns true if a block was added. */
static bool add_holders(void)
{
    uint32_t before = nrows;

    for (uint32_t i = 0; i < before; i++)
        for (uint32_t k = 0; k < rows[i].npointers; k++)
            if (hd_cname_region(rows[i].pointer[k].name) == HD_REG_HEAP)
                add(rows[i].pointer[k].at);
    return nrows > before;
}

/* Adds the blocks that a thread other than the allocating one has accessed, and then those to which
 * values point. */
static void add_accesses(void)
{
    const struct hd_witness *w = &hd.wire->witness;
    uint64_t kept = w->naccesses < HD_LOGGED_ACCESSES ? w->naccesses : HD_LOGGED_ACCESSES;

    for (uint64_t i = 1; i <= kept; i++) {
        const struct hd_plain_access *a = &w->access[(w->naccesses - i) % HD_LOGGED_ACCESSES];

        if (hd_cname_region(a->name) == HD_REG_HEAP && hd_cname_index(a->name) != hd.thread[a->tid].slot)
            add(a->addr);
    }
    for (uint64_t i = 1; i <= kept; i++)
        if (w->access[(w->naccesses - i) % HD_LOGGED_ACCESSES].valued)
            add(w->access[(w->naccesses - i) % HD_LOGGED_ACCESSES].value);
    for (uint32_t i = hd.exec->nevents; i > 0; i--)
        add(hd.exec->events[i - 1].value);
}

static void tell_witness(void)
{
    struct hd_witness *w = &hd.wire->witness;

    hd_mem_copy(w->named, rows, nrows * sizeof *rows);
    w->nnamed = nrows;
}

uint32_t hd_named_blocks(uint64_t also, uint64_t sp, const struct hd_named_block **out)
{
    const struct hd_execution *x = hd.exec;

    nrows = 0;
    *out = rows;
    if (also != 0)
        add(also);
    for (unsigned i = 0; i < x->nthreads; i++)
        add_object(&x->pending[i]);
    for (uint32_t i = x->nevents; i > 0; i--)
        add_object(&x->events[i - 1]);
    if (hd.witness != 0)
        add_accesses();
    for (unsigned round = 0; nrows > 0 && round < ROUNDS; round++) {
        for (uint32_t i = 0; i < nrows; i++)
            rows[i].npointers = 0;
        find_pointers(sp);
        if (!add_holders())
            break;
    }
    if (nrows > 0)
        count_all();
    if (hd.witness != 0)
        tell_witness();
    return nrows;
}
