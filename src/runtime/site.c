/* SPDX-License-Identifier: BSD-2-Clause
 *
 * site.c - a hash table whose rows never move: a row's place is its number.  In the
 * steady state every look-up finds its row where it looks first. */
#include "runtime/site.h"

enum { ROWS = 1 << 14, FULL = ROWS / 4 * 3 };

struct row {
    uint64_t pc; /* 0: free */
    uint64_t calls[HD_SITE_CALLS];
    uint32_t n;
};

static struct row rows[ROWS]; /* the first one stands for what there was no room for */
static uint32_t used;

/* The calls are entries below hd.calls; the lowest is a mark that nobody called. */
static inline unsigned depth(void)
{
    unsigned n = 0;

    if (hd.cur != NULL)
        while (n < HD_SITE_CALLS && hd.calls[-1 - (int)n].sp != UINT64_MAX)
            n++;
    return n;
}

static inline bool is_here(const struct row *r, uint64_t pc, unsigned n)
{
    if (r->pc != pc || r->n != n)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (r->calls[i] != hd.calls[-1 - (int)i].pc)
            return false;
    return true;
}

static HD_COLD uint32_t add(uint32_t at, uint64_t pc, unsigned n)
{
    if (used == FULL)
        return 0;
    used++;
    rows[at].n = n;
    for (unsigned i = 0; i < n; i++)
        rows[at].calls[i] = hd.calls[-1 - (int)i].pc;
    rows[at].pc = pc;
    return at;
}

static HD_COLD uint32_t look_up(uint64_t pc)
{
    unsigned n = depth();
    uint64_t h = pc;

    for (unsigned i = 0; i < n; i++)
        h = h * 31 + hd.calls[-1 - (int)i].pc;
    uint32_t at = (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 40) % ROWS;

    for (;; at = (at + 1) % ROWS) {
        if (at == 0)
            continue;
        if (HD_LIKELY(is_here(&rows[at], pc, n)))
            return at;
        if (rows[at].pc == 0)
            return add(at, pc, n);
    }
}

/* Where pc was seen last.  The place of the uppermost call tells thread and depth, so
 * the row's own calls are all that is left to compare. */
static struct memo {
    uint64_t pc;
    const struct hd_call *calls;
    uint32_t id;
} memos[256];

uint32_t hd_site_here(uint64_t pc)
{
    struct memo *m = &memos[(pc ^ pc >> 8) % 256];

    if (HD_LIKELY(m->pc == pc && m->calls == hd.calls && hd.cur != NULL)) {
        const struct row *r = &rows[m->id];
        unsigned i = 0;

        while (i < r->n && r->calls[i] == hd.calls[-1 - (int)i].pc)
            i++;
        if (HD_LIKELY(i == r->n))
            return m->id;
    }
    *m = (struct memo){ pc, hd.calls, look_up(pc) };
    return m->id;
}

void hd_site_get(uint32_t id, struct hd_heap_site *out)
{
    out->pc = rows[id].pc;
    for (unsigned i = 0; i < HD_SITE_CALLS; i++)
        out->calls[i] = i < rows[id].n ? rows[id].calls[i] : 0;
}
