/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loop.c - loops that were not followed to their end.  See loop.h. */
#include "runtime/loop.h"

/* More than can be kept are only counted. */
HD_COLD void hd_loop_cut(uint64_t pc)
{
    struct hd_wire *w = hd.wire;

    hd.exec->loop_cuts++;
    for (uint32_t i = 0; i < w->nloops; i++)
        if (w->loops[i] == pc)
            return;
    if (w->nloops == HD_MAX_LOOPS)
        return;
    w->loops[w->nloops] = pc;
    __atomic_store_n(&w->nloops, w->nloops + 1, __ATOMIC_RELEASE);
}
