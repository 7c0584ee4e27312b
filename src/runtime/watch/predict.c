/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict.c - feeds the predictor, and records each pair of sites once. */
#include "runtime/watch/predict.h"

#include "base/check.h"
#include "detect/predict.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/sys/mem.h"
#include "wire/wire.h"

#define MEMORY_BYTES (UINT64_C(1) << 34) /* a sparse mapping */

static struct hd_predict predict;
static struct hd_arena memory;

/* If a worker dies in this function, it leaves a row with a key that is not marked ready.  The row is completed
 * when the execution is run again. */
static void found(void *ctx, const struct hd_race *race)
{
    struct hd_prediction *rows = hd.wire->common->predictions;
    uint64_t key = hd_race_pair(race) | 1;

    (void)ctx;
    if (hd.failed)
        return;
    for (uint32_t i = 0; i < HD_MAX_PREDICTIONS; i++) {
        uint64_t there = 0;

        if (!__atomic_compare_exchange_n(&rows[i].key, &there, key, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE) && there != key)
            continue;
        if (__atomic_load_n(&rows[i].ready, __ATOMIC_ACQUIRE))
            return;
        rows[i].race = *race;
        rows[i].name = hd_object_name((uintptr_t)race->addr);
        __atomic_store_n(&rows[i].ready, 1, __ATOMIC_RELEASE);
        return;
    }
}

void hd_predict_start(void)
{
    if (hd.cfg->races != HD_RACES_PREDICT || hd.cfg->replay)
        return;
    memory.size = MEMORY_BYTES;
    memory.base = hd_mem_map(0, memory.size, PROT_READ | PROT_WRITE);
    HD_INVARIANT(memory.base != NULL, "no memory for predicting races");
    hd_predict_init(&predict, &memory, HD_MAX_OBJECTS, found, NULL);
    predict.clocks.events = &hd.exec->nevents;
}

void hd_predict_execution(void)
{
    if (memory.base == NULL)
        return;
    hd_predict_begin(&predict);
    hd.access_mode |= HD_MODE_PREDICT;
}

void hd_predict_saw(const struct hd_event *e)
{
    hd_predict_event(&predict, e, hd.wire->common->objects[e->obj].addr);
}

void hd_predict_plain(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    hd_predict_access(&predict, hd.cur->tid, addr, size, write, pc);
}
