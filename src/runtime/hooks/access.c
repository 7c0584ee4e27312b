/* SPDX-License-Identifier: BSD-2-Clause
 *
 * access.c - atomic operations of instrumented code as visible operations. */
#include "runtime/hooks/access.h"

#include "base/check.h"
#include "base/hash.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/entry.h"
#include "runtime/core/memory_map.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/points.h"
#include "runtime/watch/race.h"
#include "runtime/watch/transaction.h"
#include "wire/wire.h"

/* Returns log2 of the size, at most HD_EVF_SIZE_MAX.  For an odd size, that of its largest aligned part. */
static inline unsigned log2_of(unsigned size)
{
    return (unsigned)__builtin_ctz(size | 1u << HD_EVF_SIZE_MAX);
}

/* Sites of atomics weaker than sequentially consistent, which the verdict names.  This small table
 * is a cache of the one in the wire. */
static uint64_t weak_seen[256];

static HD_COLD void note_weak(uint64_t pc)
{
    struct hd_wire *w = hd.wire;

    weak_seen[pc % 256] = pc;
    for (uint32_t i = 0; i < w->nweak; i++)
        if (w->weak[i] == pc)
            return;
    if (w->nweak == HD_MAX_WEAK)
        return;
    w->weak[w->nweak] = pc;
    __atomic_store_n(&w->nweak, w->nweak + 1, __ATOMIC_RELEASE);
}

void hd_atomic_look(int order, uint64_t pc)
{
    if (order != __ATOMIC_SEQ_CST && HD_UNLIKELY(weak_seen[pc % 256] != pc) && hd.cur != NULL)
        note_weak(pc);
}

bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc)
{
    if (hd.cur == NULL) {
        if (HD_UNLIKELY(hd_early_thread_waiting != 0) && kind == HD_EV_ATOMIC_LOAD)
            hd_early_thread_loaded();
        if (HD_UNLIKELY(hd.access_mode & HD_MODE_INVARIANT))
            hd_invariants_read((uintptr_t)addr, size);
        return false;
    }
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_TX)) {
        hd.fuel--;
        hd_tx_access((uintptr_t)addr, size, kind != HD_EV_ATOMIC_LOAD, pc);
        hd_memcheck((uintptr_t)addr, size, kind != HD_EV_ATOMIC_LOAD, pc, hd.stack_lo, hd.stack_len);
        return false;
    }
    struct hd_obj *o = hd_object(addr, HD_OBJ_MEMORY);

    if (HD_UNLIKELY(o->extent < size || o->overlaps))
        hd_object_overlap(o, size);
    hd_atomic_look(order, pc);
    hd_entry.size = (uint8_t)size;
    hd_op(kind, o, NULL, pc);
    hd_memcheck((uintptr_t)addr, size, kind != HD_EV_ATOMIC_LOAD, pc, hd.stack_lo, hd.stack_len);
    uint64_t *head = (uint64_t *)(void *)hd_pending(); /* one word store: see hd_event_set */

    *head |= (uint64_t)(uint16_t)order << 48 | (uint64_t)log2_of(size) << (24 + HD_EVF_SIZE_SHIFT);
    return true;
}

/* A wide load may read bytes stored by narrower atomics (mixed sizes are undefined in C11, but work
 * on this processor): it synchronises with all of them. */
static void read_piece(struct hd_obj *piece, void *arg)
{
    if (piece->epoch == hd.epoch)
        hd_clocks_read(&hd_races.clocks, hd.cur->tid, piece->id, ((const struct hd_event *)arg)->aux);
}

/* A plain access to a part of the word has an object of its own: see points.h. */
static inline void done(uint64_t value, unsigned flags)
{
    if (HD_UNLIKELY(hd.cur->obj->overlaps) && hd.races && hd_pending()->kind != HD_EV_ATOMIC_STORE)
        hd_object_each_overlap(hd.cur->obj, read_piece, hd_pending());
    if (HD_LIKELY(!(hd.access_mode & (HD_MODE_POINTS | HD_MODE_UNITS)))) {
        hd_done(value, flags);
        return;
    }
    struct hd_event e = *hd_pending();
    uintptr_t addr = hd.cur->obj->addr;

    e.flags |= (uint8_t)flags;
    hd_done(value, flags);
    hd_points_atomic(&e, addr);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_UNITS) && hd.races)
        hd_race_tx_atomic(&e, addr);
}

void hd_atomic_leave(uint64_t value, unsigned flags)
{
    done(value, flags);
}

void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags)
{
    uint64_t *objects = (uint64_t *)(void *)&hd_pending()->obj;

    *objects |= (uint64_t)hd_event_value_hash(before) << 32;
    done(value, flags);
}

void hd_atomic_leave_failed(uint64_t wanted, uint64_t found, int order)
{
    uint64_t *head = (uint64_t *)(void *)hd_pending();

    *head = (*head & ~(UINT64_C(0xffff) << 48)) | (uint64_t)(uint16_t)order << 48;
    hd.cur->loop.expected = hd_hash_mix(hd.cur->loop.expected ^ hd_pending()->pc, found);
    hd_atomic_leave_from(wanted, found, HD_EVF_FAILED);
}
