/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_passes.c - the rendezvous of the workers between two passes.  No worker sleeps here: one
 * that is not ready calls again, and checks in between whether the search is over. */
#include "runtime/worker/shared_passes.h"

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

void hd_shared_passes_wipe(void *p, size_t n)
{
    HD_INVARIANT(hd_sys(SYS_madvise, p, HD_PAGE_CEIL(n), MADV_REMOVE) == 0,
                 "the memory of the search cannot be given back");
}

static bool all_are_at(const struct hd_common *c, uint64_t pass)
{
    for (uint32_t i = 0; i < c->nworkers; i++)
        if (__atomic_load_n(&c->passes.at[i], __ATOMIC_ACQUIRE) < pass)
            return false;
    return true;
}

/* Clears the shared data and announces the pass.  All workers have left the pass before, so none
 * adds sites. */
static void make_ready(struct hd_common *c, uint64_t pass)
{
    struct hd_passes *p = &c->passes;
    uint64_t nobody = 0;

    if (!__atomic_compare_exchange_n(&p->lock, &nobody, hd.cfg->worker + UINT64_C(1), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    if (__atomic_load_n(&p->number, __ATOMIC_ACQUIRE) < pass) {
        hd_shared_passes_wipe(c->arena.base, c->arena.size);
        p->sites = hd_common_sites(c);
        __atomic_store_n(&p->number, pass, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
}

bool hd_shared_passes_ready(void)
{
    struct hd_common *c = hd.wire->common;
    struct hd_passes *p = &c->passes;
    uint64_t mine = hd_campaign_totals(&hd.wire->campaign)->restarts;

    if (hd.cfg->points == HD_POINTS_SYNC || hd_traits_samples(&hd.cfg->traits) || hd.cfg->nworkers <= 1)
        return true;
    if (__atomic_load_n(&p->number, __ATOMIC_ACQUIRE) == mine) {
        hd_search_enter_pass(&hd.search, mine, p->sites);
        if (hd_common_sites(c) == p->sites)
            return true;
        hd_search_enter_pass(&hd.search, ++mine, p->sites);
    }
    __atomic_store_n(&p->at[hd.cfg->worker], mine, __ATOMIC_RELEASE);
    if (all_are_at(c, mine))
        make_ready(c, mine);
    return false;
}

void hd_shared_passes_recover(void)
{
    uint64_t me = hd.cfg->worker + UINT64_C(1);

    __atomic_compare_exchange_n(&hd.wire->common->passes.lock, &me, 0, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
}
