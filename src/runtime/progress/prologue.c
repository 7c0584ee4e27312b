/* SPDX-License-Identifier: BSD-2-Clause
 *
 * prologue.c - see prologue.h. */
#include "runtime/progress/prologue.h"

#include "base/sys.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

#define KEPT_BYTES (UINT64_C(64) << 20)

static bool has_prologue;

/* A decision (O4).  The pending operations of all threads, with their signatures, follow it in memory. */
struct kept {
    struct hd_point point;
    uint32_t nevents, preemptions;
    hd_tid next;
};
static unsigned char *kept; /* [KEPT_BYTES] */
static size_t kept_used;
static bool all_kept;

void hd_prologue_init(void)
{
    static const char *const names[] = { "heddle_rt_start", NULL };

    has_prologue = hd_imports_any(names);
}

void hd_prologue_begin(void)
{
    hd.prologue = has_prologue;
    hd.exec->fixed = has_prologue ? UINT32_MAX : 0;
    kept_used = 0;
    all_kept = has_prologue && hd.wire->forked && !hd.cfg->replay;
    if (all_kept && kept == NULL)
        kept = hd_mem_map(0, KEPT_BYTES, PROT_READ | PROT_WRITE);
    all_kept &= kept != NULL;
}

/* ---- keeping the points (O4) ---------------------------------------------------------- */

static size_t events_size(uint32_t nthreads)
{
    return nthreads * sizeof(struct hd_event);
}

static size_t size_of(uint32_t nthreads)
{
    size_t n = sizeof(struct kept) + events_size(nthreads) + nthreads * sizeof(uint32_t);

    return (n + 63) & ~(size_t)63;
}

static void keep(const struct hd_point *p, hd_tid next)
{
    struct kept *k = (struct kept *)(void *)(kept + kept_used);

    if (kept_used + size_of(p->nthreads) > KEPT_BYTES) {
        all_kept = false;
        return;
    }
    *k = (struct kept){ *p, hd.exec->nevents, hd.exec->preemptions, next };
    hd_mem_copy(k + 1, p->pending, events_size(p->nthreads));
    hd_mem_copy((unsigned char *)(k + 1) + events_size(p->nthreads), p->sigs, p->nthreads * sizeof *p->sigs);
    kept_used += size_of(p->nthreads);
}

bool hd_prologue_is_kept(void)
{
    return all_kept;
}

bool hd_prologue_repeat(void)
{
    for (size_t at = 0; at < kept_used;) {
        struct kept *k = (struct kept *)(void *)(kept + at);
        struct hd_point p = k->point;

        p.pending = (const struct hd_event *)(const void *)(k + 1);
        p.sigs = (const uint32_t *)(const void *)((unsigned char *)(k + 1) + events_size(p.nthreads));
        hd.exec->nevents = k->nevents;
        hd.exec->preemptions = k->preemptions;
        if (hd_search_pick(&hd.search, &p) != k->next)
            return false;
        at += size_of(p.nthreads);
    }
    return true;
}

/* ---- the decisions ---------------------------------------------------------------------- */

/* Returns the next enabled thread after this one, in the order of creation. */
static hd_tid next_after(const struct hd_point *p, hd_tid last)
{
    for (uint32_t i = 1; i < p->nthreads; i++) {
        hd_tid t = (hd_tid)((last + i) % p->nthreads);

        if (hd_set_has(&p->enabled, t))
            return t;
    }
    return last;
}

hd_tid hd_prologue_pick(struct hd_point *p)
{
    struct hd_set all = p->enabled, one = { 0 };
    hd_tid next = p->last_enabled && !p->last_yielded ? p->last : next_after(p, p->last);

    hd_set_add(&one, next);
    p->enabled = one;
    next = hd_search_pick(&hd.search, p);
    if (all_kept)
        keep(p, next);
    p->enabled = all;
    return next;
}

bool hd_prologue_leave(void)
{
    if (!hd.prologue)
        return false;
    hd.prologue = false;
    hd.exec->fixed = hd.exec->nsteps;
    hd_mentioned("what comes before heddle_start() has run in one order only");
    if (!hd.wire->forked && !hd.cfg->replay) /* O5 */
        hd_mentioned("each execution has run what comes before heddle_start(): --isolation fork runs it once");
    return true;
}

void hd_prologue_end(void)
{
    if (hd.prologue)
        hd_uncontrolled("heddle_start() was not reached: an execution ended before it, in the one order that runs there");
}
