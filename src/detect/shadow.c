/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shadow.c - finding the shadow of a page.  Pure memory: no libc. */
#include "detect/shadow.h"

#include "base/hash.h"

#define NO_PAGE UINT64_MAX

void hd_shadow_init(struct hd_shadow *s, struct hd_arena *arena, uint32_t npages)
{
    s->arena = arena;
    s->size = 2 * npages;
    s->used = 0;
    s->table = hd_arena_alloc(arena, s->size * sizeof *s->table);
    for (uint32_t i = 0; i < HD_SHADOW_NEAR; i++)
        s->near[i].number = NO_PAGE;
}

void hd_shadow_clear(struct hd_shadow *s)
{
    for (uint32_t i = 0; i < s->size; i++)
        for (uint32_t k = 0; s->table[i].cells != NULL && k < HD_SHADOW_CELLS; k++)
            s->table[i].cells[k] = (struct hd_shadow_cell){ 0 };
}

/* An entry without cells is not in use. */
static struct hd_shadow_page *find(struct hd_shadow *s, uint64_t number)
{
    uint32_t i = (uint32_t)hd_hash_mix(0, number) % s->size;

    while (s->table[i].cells != NULL && s->table[i].number != number)
        i = (i + 1) % s->size;
    return &s->table[i];
}

struct hd_shadow_cell *hd_shadow_look_up(struct hd_shadow *s, uintptr_t addr)
{
    uint64_t number = addr / HD_SHADOW_PAGE;
    struct hd_shadow_page *p = find(s, number);
    size_t bytes = HD_SHADOW_CELLS * sizeof *p->cells;

    if (p->cells == NULL) {
        if (s->used == s->size / 2 || s->arena->size - s->arena->used < bytes)
            return NULL;
        p->number = number;
        p->cells = hd_arena_alloc(s->arena, bytes);
        s->used++;
    }
    s->near[number % HD_SHADOW_NEAR] = *p;
    return &p->cells[addr / HD_SHADOW_GRAIN % HD_SHADOW_CELLS];
}
