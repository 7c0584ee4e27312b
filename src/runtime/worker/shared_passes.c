/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shared_passes.c - the passes of search/core/passes.h with shared data on the wire. */
#include "runtime/worker/shared_passes.h"

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "search/core/passes.h"
#include "wire/wire.h"

void hd_shared_passes_wipe(void *p, size_t n)
{
    HD_INVARIANT(hd_sys(SYS_madvise, p, HD_PAGE_CEIL(n), MADV_REMOVE) == 0,
                 "the memory of the search cannot be given back");
}

static struct hd_known known(const void *common)
{
    const struct hd_common *c = common;

    return (struct hd_known){ .sites = hd_common_sites(c), .learnt = hd_learnt_count(&c->learnt) };
}

bool hd_shared_passes_ready(void)
{
    struct hd_common *c = hd.wire->common;

    if (hd.cfg->points == HD_POINTS_SYNC || hd_traits_samples(&hd.cfg->traits) || hd.cfg->nworkers <= 1)
        return true;
    return hd_passes_ready(&c->passes, &hd.search, known, c);
}

void hd_shared_passes_recover(void)
{
    hd_passes_recover(&hd.wire->common->passes, hd.cfg->worker);
}
