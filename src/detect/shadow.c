/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shadow.c - finds the shadow cells of a page.  Makes no libc calls. */
#include "detect/shadow.h"

#include "base/hash.h"

void hd_shadow_init(struct hd_shadow *s, struct hd_arena *arena, uint32_t npages)
{
    s->arena = arena;
    s->size = 2 * npages;
    s->used = 0;
    s->table = hd_arena_alloc(arena, s->size * sizeof *s->table);
    for (uint32_t i = 0; i < HD_SHADOW_NEAR; i++)
        s->near[i].addr = HD_SHADOW_NO_PAGE;
}

static void clear_cell(struct hd_shadow_cell *cell)
{
    if (cell->parts == NULL)
        *cell = (struct hd_shadow_cell){ 0 };
    else
        for (unsigned i = 0; i < 8u >> hd_shadow_shift(cell); i++)
            cell->parts[i] = (struct hd_shadow_cell){ 0 };
}

void hd_shadow_clear(struct hd_shadow *s)
{
    for (uint32_t i = 0; i < s->size; i++)
        for (uint32_t k = 0; s->table[i].cells != NULL && k < HD_SHADOW_CELLS; k++)
            clear_cell(&s->table[i].cells[k]);
}

static struct hd_shadow_cell part(const struct hd_shadow_cell *cell, unsigned mask)
{
    uint64_t write = hd_shadow_only(cell->write, mask), read = hd_shadow_only(cell->read, mask);

    return (struct hd_shadow_cell){
        .write_segment = hd_shadow_mask(write) != 0 ? cell->write_segment : 0,
        .read_segment = hd_shadow_mask(read) != 0 ? cell->read_segment : 0,
        .write = write,
        .read = read,
    };
}

/* Returns the cell that currently holds the bytes of part i: the cell itself, or a larger part. */
static const struct hd_shadow_cell *holder(const struct hd_shadow_cell *cell, unsigned shift, unsigned i)
{
    return cell->parts == NULL ? cell : &cell->parts[(i << shift) >> hd_shadow_shift(cell)];
}

bool hd_shadow_split(struct hd_shadow *s, struct hd_shadow_cell *cell, unsigned shift)
{
    size_t bytes = (8u >> shift) * sizeof *cell;
    struct hd_shadow_cell *parts;

    if (s->arena->size - s->arena->used < bytes)
        return false;
    parts = hd_arena_alloc(s->arena, bytes);
    for (unsigned i = 0; i < 8u >> shift; i++)
        parts[i] = part(holder(cell, shift, i), hd_shadow_part(shift, i));
    *cell = (struct hd_shadow_cell){ .write_segment = HD_SHADOW_SPLIT,
                                     .read_segment = HD_SHADOW_SPLIT, .parts = parts, .read = shift };
    return true;
}

/* Returns the entry of the page.  An entry without cells is unused. */
static struct hd_shadow_page *find(struct hd_shadow *s, uintptr_t page)
{
    uint32_t i = (uint32_t)hd_hash_mix(0, page / HD_SHADOW_PAGE) % s->size;

    while (s->table[i].cells != NULL && s->table[i].addr != page)
        i = (i + 1) % s->size;
    return &s->table[i];
}

bool hd_shadow_has(struct hd_shadow *s, uintptr_t addr)
{
    return find(s, addr - addr % HD_SHADOW_PAGE)->cells != NULL;
}

struct hd_shadow_cell *hd_shadow_look_up(struct hd_shadow *s, uintptr_t addr)
{
    uintptr_t offset = addr % HD_SHADOW_PAGE, page = addr - offset;
    struct hd_shadow_page *p = find(s, page);
    size_t bytes = HD_SHADOW_CELLS * sizeof *p->cells;

    if (p->cells == NULL) {
        if (s->used == s->size / 2 || s->arena->size - s->arena->used < bytes)
            return NULL;
        p->addr = page;
        p->cells = hd_arena_alloc(s->arena, bytes);
        s->used++;
    }
    s->near[page / HD_SHADOW_PAGE % HD_SHADOW_NEAR] = *p;
    return &p->cells[offset / 8];
}
