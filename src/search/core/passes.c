/* SPDX-License-Identifier: BSD-2-Clause
 *
 * passes.c - see passes.h.  Makes no libc calls. */
#include "search/core/passes.h"

#include "search/core/search.h"

static bool all_are_at(const struct hd_passes *p, uint32_t nworkers, uint64_t pass)
{
    for (uint32_t i = 0; i < nworkers; i++)
        if (__atomic_load_n(&p->at[i], __ATOMIC_ACQUIRE) < pass)
            return false;
    return true;
}

/* Clears the shared data and announces the next pass.  All workers have left the previous pass, so no new facts
 * appear meanwhile. */
static void make_ready(struct hd_passes *p, const struct hd_search *s, uint64_t pass, struct hd_known known)
{
    uint64_t nobody = 0;

    if (!__atomic_compare_exchange_n(&p->lock, &nobody, s->worker + UINT64_C(1), false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return;
    if (__atomic_load_n(&p->number, __ATOMIC_ACQUIRE) < pass) {
        s->cfg.wipe(s->cfg.shared->base, s->cfg.shared->size);
        if (s->cfg.learnt != NULL && p->known.learnt != known.learnt)
            hd_learnt_use(s->cfg.learnt);
        p->known = known;
        __atomic_store_n(&p->number, pass, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
}

static bool same(struct hd_known a, struct hd_known b)
{
    return a.sites == b.sites && a.learnt == b.learnt;
}

bool hd_passes_ready(struct hd_passes *p, struct hd_search *s, struct hd_known (*now)(const void *), const void *ctx)
{
    uint64_t mine = hd_campaign_totals(s->campaign)->restarts;

    if (__atomic_load_n(&p->number, __ATOMIC_ACQUIRE) == mine) {
        hd_search_enter_pass(s, mine, p->known.sites);
        if (same(now(ctx), p->known))
            return true;
        hd_search_enter_pass(s, ++mine, p->known.sites);
    }
    __atomic_store_n(&p->at[s->worker], mine, __ATOMIC_RELEASE);
    if (all_are_at(p, s->nworkers, mine))
        make_ready(p, s, mine, now(ctx)); /* `now` is called here, after all workers have left the pass */
    return false;
}

void hd_passes_recover(struct hd_passes *p, uint32_t worker)
{
    uint64_t me = worker + UINT64_C(1);

    __atomic_compare_exchange_n(&p->lock, &me, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}
