/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alloc_site.h - call sites of malloc and free, with their callers, as small numbers.  Each block
 * stores two of them, and there are few different ones. */
#ifndef HD_RUNTIME_RESTORE_ALLOC_SITE_H
#define HD_RUNTIME_RESTORE_ALLOC_SITE_H

#include "base/check.h"
#include "base/limits.h"
#include "model/heap.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/state.h"

/* The last site that was looked up for a pc. */
struct hd_site_memo {
    uint64_t pc;
    const struct hd_call *top; /* hd.calls at that time: identifies thread and depth */
    uint32_t id;
    uint32_t n;
    uint64_t calls[HD_SITE_CALLS];
} __attribute__((aligned(64)));
#define HD_SITE_MEMOS HD_LIMIT(256, 3)
extern struct hd_site_memo hd_site_memos[HD_SITE_MEMOS] __attribute__((visibility("hidden")));
uint32_t hd_site_look_up(struct hd_site_memo *m, uint64_t pc);

/* Returns the number of the running thread's call site.  It is valid as long as the process lives. */
static inline uint32_t hd_site_here(uint64_t pc)
{
    struct hd_site_memo *m = &hd_site_memos[(pc ^ pc >> 8) % HD_SITE_MEMOS];

    if (HD_LIKELY(m->pc == pc && m->top == hd.calls && hd.cur != NULL)) {
        uint32_t i = 0;

        while (i < m->n && m->calls[i] == hd.calls[-1 - (int)i].pc)
            i++;
        if (HD_LIKELY(i == m->n))
            return m->id;
    }
    return hd_site_look_up(m, pc);
}

/* Sets pc and calls of *out to those of site id. */
void hd_site_get(uint32_t id, struct hd_heap_site *out);

#endif
