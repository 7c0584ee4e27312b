/* SPDX-License-Identifier: BSD-2-Clause
 *
 * palloc.c - a page allocator with the interface of Pintos' one: single pages only. */
#include "palloc.h"

#include "kernel.h"

#define PAGES 32

static char pages[PAGES][PAGE] __attribute__((aligned(PAGE)));
static bool used[PAGES];

void *palloc_get_multiple(enum palloc_flags flags, size_t n)
{
    bool enabled = intr_disable();
    unsigned i = 0;

    while (i < PAGES && used[i])
        i++;
    if (i == PAGES || n != 1)
        panic("out of pages");
    used[i] = true;
    intr_restore(enabled);
    if (flags & PAL_ZERO)
        panic("the tool clears pages itself, when it has said that they are in use");
    return pages[i];
}

void *palloc_get_page(enum palloc_flags flags) { return palloc_get_multiple(flags, 1); }

void palloc_free_multiple(void *page, size_t n)
{
    unsigned i = (unsigned)((char *)page - pages[0]) / PAGE;

    if (i >= PAGES || !used[i] || n != 1)
        panic("free of a page that is not in use");
    used[i] = false;
}

void palloc_free_page(void *page) { palloc_free_multiple(page, 1); }
