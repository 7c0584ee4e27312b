/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.c - lookups in the map and the table of blocks, and the comparison of leaks between
 * executions.
 *
 * For each allocation site, an execution is compared with the one that lost the fewest blocks so far.  If this
 * one loses fewer than an earlier execution, the earlier one has a leak, and its report needs its schedule.
 * Keeping the first execution is enough: as soon as an execution loses fewer blocks than an earlier one, it
 * loses fewer than the first. */
#include "detect/heap.h"

#define NEAR 65536 /* an address further away than this does not belong to a block */
#define FULL UINT64_C(0x1010101010101010) /* eight granules that lie completely inside a block */

bool hd_map_allows(const int8_t *map, uintptr_t addr, size_t size, uintptr_t *bad)
{
    uintptr_t at = addr, end = addr + size;

    while (at < end) {
        int valid = map[at / HD_GRANULE];
        uintptr_t granule = at & ~(uintptr_t)(HD_GRANULE - 1);
        uintptr_t upto = granule + HD_GRANULE < end ? granule + HD_GRANULE : end;

        if (valid < 0 || (uintptr_t)valid < upto - granule) {
            *bad = valid > 0 && granule + (unsigned)valid > at ? granule + (unsigned)valid : at;
            return false;
        }
        at = upto;
        while (at / HD_GRANULE % 8 == 0 && end - at >= 8 * HD_GRANULE &&
               *(const uint64_t *)(const void *)(map + at / HD_GRANULE) == FULL)
            at += 8 * HD_GRANULE;
    }
    return true;
}

struct hd_block *hd_blocks_find(const struct hd_blocks *b, uintptr_t addr)
{
    uint32_t lo = 0, hi = b->n; /* the result is the row before lo */

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (b->row[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 ? &b->row[lo - 1] : NULL;
}

/* An address between two blocks belongs to the nearer one; if both are equally near, to the first one, since
 * overruns are more frequent than underruns. */
struct hd_place hd_blocks_place(const struct hd_blocks *b, uintptr_t addr)
{
    const struct hd_block *before = hd_blocks_find(b, addr);
    const struct hd_block *after = before != NULL ? before + 1 : b->row;
    uint64_t behind = UINT64_MAX, ahead = UINT64_MAX;

    if (before != NULL && addr - before->addr < hd_block_room(before->size) &&
        before->state == HD_BLOCK_FREED)
        return (struct hd_place){ HD_IN_FREED, before, addr - before->addr };
    if (after < b->row + b->n && after->state != 0)
        ahead = after->addr - addr;
    if (before != NULL && before->state != 0)
        behind = addr - before->addr - before->size;
    if (behind <= ahead && behind < NEAR)
        return (struct hd_place){ HD_BEHIND, before, behind };
    if (ahead < NEAR)
        return (struct hd_place){ HD_BEFORE, after, ahead };
    return (struct hd_place){ HD_NOWHERE, NULL, 0 };
}

/* ---- leaks ----------------------------------------------------------------------- */

void hd_leaks_begin(struct hd_leaks *l)
{
    for (uint32_t i = 0; i < l->nsites; i++)
        l->sites[i].now = 0;
}

static struct hd_leak_site *site_of(struct hd_leaks *l, uint64_t site)
{
    for (uint32_t i = 0; i < l->nsites; i++)
        if (l->sites[i].site == site)
            return &l->sites[i];
    if (l->nsites == HD_LEAK_SITES)
        return NULL;
    l->sites[l->nsites] = (struct hd_leak_site){ .site = site };
    return &l->sites[l->nsites++];
}

void hd_leaks_add(struct hd_leaks *l, const struct hd_block_info *b)
{
    struct hd_leak_site *s = site_of(l, b->site);

    if (s == NULL)
        return;
    if (s->now++ == 0) {
        s->bytes = 0;
        s->block = *b;
    }
    s->bytes += b->size;
}

enum hd_leak_kind hd_leaks_judge(const struct hd_leaks *l, const struct hd_leak_site *s)
{
    if (l->executions == 0 || s->reported || s->now == s->least)
        return HD_LEAK_NONE;
    return s->now > s->least ? HD_LEAK_NOW : HD_LEAK_FIRST;
}

void hd_leaks_end(struct hd_leaks *l)
{
    for (uint32_t i = 0; i < l->nsites; i++) {
        struct hd_leak_site *s = &l->sites[i];

        if (l->executions == 0) {
            s->first = s->least = s->now;
            s->first_bytes = s->bytes;
            s->first_block = s->block;
        }
        s->reported |= hd_leaks_judge(l, s) != HD_LEAK_NONE;
        if (s->now < s->least)
            s->least = s->now;
    }
    l->executions++;
}
