/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reached.c - counts the classes and final states that executions reach (--count).  It runs when an execution is
 * over, and only with that option.  An execution whose process died, or that was cut, is not counted, because it
 * has no final state. */
#include "runtime/watch/detectors.h"

#include <sys/mman.h>

#include "model/reached.h"
#include "runtime/core/state.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "search/core/hbr.h"
#include "wire/wire.h"

/* Memory for the hashes of events and objects.  Only the pages that are used take memory. */
#define HBR_BYTES (UINT64_C(2) * HD_MAX_STEPS * sizeof(struct hd_hash128) + \
                   HD_HBR_OBJECTS * (sizeof(struct hd_hbr_object) + sizeof(uint64_t)) + 4096)

static struct hd_hbr hbr[2]; /* the happens-before relation, and the lazy one */
static struct hd_arena arena;

static bool wanted(enum hd_reached_kind kind)
{
    return hd.cfg->count >> kind & 1;
}

static void start(void)
{
    if (hd.cfg->count == 0)
        return;
    arena.size = 2 * HBR_BYTES;
    arena.base = hd_mem_map(0, arena.size, PROT_READ | PROT_WRITE);
    HD_INVARIANT(arena.base != NULL, "no memory for --count");
    hd_hbr_init(&hbr[0], &arena, hd.exec, false, NULL);
    hd_hbr_init(&hbr[1], &arena, hd.exec, true, NULL);
}

static void add(enum hd_reached_kind kind, uint64_t hash)
{
    hd_reached_add(hd.wire->common->reached, kind, hd.wire->common->pass, hash);
}

/* Counts the class of the execution.  If operations other than lock and unlock use a mutex, its order matters, but
 * the hashes of earlier executions do not contain that order.  Then the number is marked as unsure. */
static void count_class(enum hd_reached_kind kind, struct hd_hbr *h)
{
    hd_hbr_begin(h, 0, 0);
    hd_hbr_update(h);
    if (h->discovered)
        __atomic_fetch_or(&hd.wire->common->reached->unsure, 1u << kind, __ATOMIC_RELAXED);
    add(kind, h->sum.lo ^ hd_hash_mix(0, h->sum.hi));
}

/* Counts the final state: hashes the variables of instrumented code.  The heap is not included, because pointers
 * in these variables show which blocks exist. */
static void count_state(void)
{
    const struct hd_wire *w = hd.wire;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < w->nmodules && i < HD_MAX_MODULES; i++)
        if (w->modules[i].instrumented)
            sum += hd_snapshot_hash_within(w->modules[i].lo, w->modules[i].hi);
    add(HD_REACHED_STATES, sum);
}

static void end(void)
{
    if (HD_LIKELY(hd.cfg->count == 0) || hd.exec->ending == HD_END_CUT || hd.exec->assumed > 0 ||
        hd_execution_was_interrupted(hd.exec))
        return;
    if (wanted(HD_REACHED_CLASSES))
        count_class(HD_REACHED_CLASSES, &hbr[0]);
    if (wanted(HD_REACHED_LAZY))
        count_class(HD_REACHED_LAZY, &hbr[1]);
    if (wanted(HD_REACHED_STATES))
        count_state();
}

const struct hd_detector hd_detector_reached = { .start = start, .end = end };
