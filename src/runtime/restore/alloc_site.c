/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alloc_site.c - rows in the order in which they were added, and a hash table of their numbers.
 *
 * Rows never move and lie close together.  A hash table of whole rows would spread a few rows over many pages, and
 * every fork would have to copy these pages.  Most lookups find their row at the first probe. */
#include "runtime/restore/alloc_site.h"

#include "base/check.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"

enum { PLACES = 1 << 14, ROWS = PLACES / 4 * 3 };

struct row {
    uint64_t pc;
    uint64_t calls[HD_SITE_CALLS];
    uint32_t n;
};

static struct row rows[ROWS]; /* row 0 represents all sites for which there was no room */
static uint32_t nrows = 1;
static uint16_t row_at[PLACES]; /* row numbers; 0: free */

struct hd_site_memo hd_site_memos[HD_SITE_MEMOS];

/* The number of entries of the shadow call stack below hd.calls, at most HD_SITE_CALLS.  The lowest
 * entry is a sentinel. */
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
    if (nrows == ROWS)
        return 0;
    struct row *r = &rows[nrows];

    r->pc = pc;
    r->n = n;
    for (unsigned i = 0; i < n; i++)
        r->calls[i] = hd.calls[-1 - (int)i].pc;
    row_at[at] = (uint16_t)nrows;
    return nrows++;
}

uint32_t hd_site_look_up(struct hd_site_memo *m, uint64_t pc)
{
    unsigned n = depth();
    uint64_t h = pc;

    *m = (struct hd_site_memo){ .pc = pc, .top = hd.calls, .n = n };
    for (unsigned i = 0; i < n; i++)
        m->calls[i] = hd.calls[-1 - (int)i].pc;

    for (unsigned i = 0; i < n; i++)
        h = h * 31 + hd.calls[-1 - (int)i].pc;
    uint32_t at = (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 40) % PLACES;

    for (;; at = (at + 1) % PLACES) {
        if (row_at[at] == 0)
            return m->id = add(at, pc, n);
        if (HD_LIKELY(is_here(&rows[row_at[at]], pc, n)))
            return m->id = row_at[at];
    }
}

void hd_site_get(uint32_t id, struct hd_heap_site *out)
{
    out->pc = rows[id].pc;
    for (unsigned i = 0; i < HD_SITE_CALLS; i++)
        out->calls[i] = i < rows[id].n ? rows[id].calls[i] : 0;
}
