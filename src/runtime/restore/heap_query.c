/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap_query.c - see heap_query.h. */
#include "runtime/restore/heap_query.h"

#include "base/hash.h"
#include "runtime/core/state.h"
#include "runtime/restore/alloc_site.h"
#include "runtime/restore/heap_arena.h"

static void describe_event(const struct hd_block_event *e, struct hd_heap_site *out)
{
    hd_site_get(e->site, out);
    out->step = e->step;
    out->tid = e->tid;
}

void hd_heap_describe(const struct hd_block *b, struct hd_block_info *out)
{
    *out = (struct hd_block_info){ .addr = b->addr, .size = b->size };
    describe_event(&b->allocated, &out->allocated);
    if (b->state == HD_BLOCK_FREED)
        describe_event(&b->freed, &out->freed);
}

const struct hd_blocks *hd_heap_blocks(uintptr_t addr)
{
    return &hd_heap_arena_of(addr)->blocks;
}

uintptr_t hd_heap_life(uintptr_t addr)
{
    if (addr - HD_HEAP_BASE >= HD_HEAP_BYTES || hd_heap_arena_of(addr)->base == 0)
        return 0;
    const struct hd_block *b = hd_blocks_find(hd_heap_blocks(addr), addr);

    return b != NULL && addr - b->addr < hd_block_room(b->size) ? b->addr - HD_BLOCK_LIFE : 0;
}

void hd_heap_note_object(uintptr_t addr)
{
    struct hd_block *b = hd_blocks_find(hd_heap_blocks(addr), addr);

    if (b != NULL)
        b->objects = 1;
}

void hd_heap_each_live(void (*fn)(struct hd_block *b, void *arg), void *arg)
{
    for (unsigned s = 0; s < hd.nslots && hd_heap_nlive > 0; s++)
        for (uint32_t i = hd_heap_arenas[s].sealed_rows; i < hd_heap_arenas[s].blocks.n; i++)
            if (hd_heap_arenas[s].blocks.row[i].state == HD_BLOCK_LIVE)
                fn(&hd_heap_arenas[s].blocks.row[i], arg);
}

/* Blocks with equal size and site get equal weights.  It is unlikely that sums of different blocks
 * collide. */
static void weigh(struct hd_block *b, void *arg)
{
    *(uint64_t *)arg += (b->size << 16 ^ b->allocated.site) * UINT64_C(0x9e3779b97f4a7c15);
}

uint64_t hd_heap_live_hash(void)
{
    uint64_t sum = 0;

    hd_heap_each_live(weigh, &sum);
    return sum;
}

bool hd_heap_hash(uint64_t *out)
{
    enum { MOST = 4 << 20 };
    uint64_t h = 0, bytes = 0;

    for (unsigned s = 0; s < hd.nslots; s++) {
        const struct hd_heap_arena *a = &hd_heap_arenas[s];

        bytes += a->top - a->sealed;
        if (bytes > MOST)
            return false;
        h = hd_hash_mix(hd_hash_mix(h, a->blocks.n), hd_heap_nlive);
        h = hd_hash_bytes(h, (const void *)a->sealed, a->top - a->sealed);
    }
    *out = h;
    return true;
}

struct hd_block *hd_heap_live_at(uintptr_t addr)
{
    if (addr - HD_HEAP_BASE >= HD_HEAP_BYTES || addr < hd_heap_arena_of(addr)->sealed)
        return NULL;
    struct hd_block *b = hd_blocks_find(hd_heap_blocks(addr), addr);

    return b != NULL && b->state == HD_BLOCK_LIVE && addr >= b->addr &&
                   addr - b->addr < hd_block_room(b->size)
               ? b : NULL;
}
