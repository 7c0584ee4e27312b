/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_sites.c - records which transactions were aborted in any execution. */
#include "runtime/watch/tx_sites.h"

#include <stddef.h>

#include "runtime/core/state.h"
#include "wire/wire.h"

enum { MEMO = 64 };

/* Returns the wire's row for this place, or NULL if there is no room. */
static struct hd_tx_site *site_at(uint64_t pc)
{
    struct hd_wire *w = hd.wire;

    for (uint32_t i = 0; i < w->ntx_sites; i++)
        if (w->tx_sites[i].pc == pc)
            return &w->tx_sites[i];
    if (w->ntx_sites == HD_MAX_TX_SITES)
        return NULL;
    w->tx_sites[w->ntx_sites] = (struct hd_tx_site){ .pc = pc };
    __atomic_store_n(&w->ntx_sites, w->ntx_sites + 1, __ATOMIC_RELEASE);
    return &w->tx_sites[w->ntx_sites - 1];
}

void hd_tx_site(uint64_t pc, bool aborted)
{
    static uint64_t known[2][MEMO]; /* places that are in the wire */
    uint64_t *memo = &known[aborted][pc % MEMO];

    if (*memo == pc || hd.wire == NULL)
        return;
    struct hd_tx_site *s = site_at(pc);

    if (s != NULL)
        s->aborted |= aborted;
    *memo = pc;
}
