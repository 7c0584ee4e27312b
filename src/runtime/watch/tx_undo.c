/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_undo.c - locks, semaphores and the heap in transactions. */
#include "runtime/watch/tx_undo.h"

#include "runtime/core/callbacks.h"
#include "runtime/core/gate.h"
#include "runtime/core/state.h"
#include "runtime/progress/await.h"
#include "runtime/restore/heap.h"

enum { MOST = 64 };

struct kept {
    struct hd_obj *o;
    struct hd_sync_state sync;
    struct hd_set readers;
    uint64_t pc;
    uint8_t flags;
};

struct freed {
    void *p;
    uint64_t pc;
};

static struct {
    struct kept kept[MOST];
    uint32_t nkept;
    uint32_t nused; /* number of operations on objects in the transaction */
    void *allocated[MOST];
    uint32_t nallocated;
    struct freed freed[MOST];
    uint32_t nfreed;
    uint64_t locks, progress; /* values of the thread's fields at the begin */
    uint8_t robust_held;
} undo;

void hd_tx_undo_begin(const struct hd_thread *t)
{
    undo.nkept = undo.nused = undo.nallocated = undo.nfreed = 0;
    undo.locks = t->locks;
    undo.progress = t->progress;
    undo.robust_held = t->robust_held;
}

/* ---- objects -------------------------------------------------------------------------------------- */

bool hd_tx_joins(enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];
    bool lock = k->obj == HD_OBJ_MUTEX || k->obj == HD_OBJ_SPIN || k->obj == HD_OBJ_RWLOCK;

    if (k->queue != HD_QUEUE_NONE || k->traits & HD_TRAIT_TIMED || k->change == HD_CHANGE_QUEUE)
        return false;
    return (lock && k->lock != HD_LOCK_NONE && kind != HD_EV_MUTEX_ABANDON) ||
           (k->obj == HD_OBJ_SEM && (k->change == HD_CHANGE_UP || k->change == HD_CHANGE_DOWN || k->ok1 == HD_ACC_R));
}

bool hd_tx_undo_keep(struct hd_obj *o)
{
    undo.nused++;
    for (uint32_t i = 0; i < undo.nkept; i++)
        if (undo.kept[i].o == o)
            return true;
    if (undo.nkept == MOST)
        return false;
    undo.kept[undo.nkept++] = (struct kept){ o, o->sync, o->readers, o->pc, o->flags };
    return true;
}

static void give_back(const struct kept *k)
{
    struct hd_event changed = { .tid = hd.cur->tid, .kind = HD_EV_TOUCH, .obj = k->o->id };

    k->o->sync = k->sync;
    k->o->readers = k->readers;
    k->o->pc = k->pc;
    k->o->flags = k->flags;
    hd_gate_reevaluate_object(k->o);
    if (hd_await_nwaiting > 0)
        hd_await_changed(&changed);
}

/* ---- the heap ------------------------------------------------------------------------------------- */

bool hd_tx_undo_allocated(void *p)
{
    if (undo.nallocated == MOST)
        return false;
    undo.allocated[undo.nallocated++] = p;
    return true;
}

bool hd_tx_undo_freed(void *p, uint64_t pc)
{
    if (undo.nfreed == MOST)
        return false;
    undo.freed[undo.nfreed++] = (struct freed){ p, pc };
    return true;
}

/* Frees a block.  The heap's own accesses are not part of the transaction. */
static void free_block(void *p, uint64_t pc)
{
    hd.access_mode &= ~(uint32_t)HD_MODE_TX;
    hd_heap_free(p, pc);
}

void hd_tx_undo_commit(void)
{
    for (uint32_t i = 0; i < undo.nfreed; i++)
        free_block(undo.freed[i].p, undo.freed[i].pc);
}

static void free_allocated(uint32_t from)
{
    while (undo.nallocated > from)
        free_block(undo.allocated[--undo.nallocated], 0);
}

struct hd_tx_undo_place hd_tx_undo_here(void)
{
    return (struct hd_tx_undo_place){ undo.nallocated, undo.nfreed, undo.nused };
}

bool hd_tx_undo_to(struct hd_tx_undo_place place)
{
    if (undo.nused != place.nused)
        return false;
    uint32_t mode = hd.access_mode;

    free_allocated(place.nallocated);
    hd.access_mode = mode;
    undo.nfreed = place.nfreed;
    return true;
}

void hd_tx_undo_abort(struct hd_thread *t)
{
    free_allocated(0);
    for (uint32_t i = undo.nkept; i > 0; i--)
        give_back(&undo.kept[i - 1]);
    t->locks = undo.locks;
    t->robust_held = undo.robust_held;
    t->progress = undo.progress;
}

/* ---- events --------------------------------------------------------------------------------------- */

/* Returns the kind of an attempt for a kind of operation that waits. */
static enum hd_kind attempt_of(enum hd_kind kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    for (unsigned i = 1; i < HD_EV_COUNT && k->traits & HD_TRAIT_BLOCKS; i++) {
        const struct hd_kind_info *other = &hd_kind_info[i];

        if (other->obj == k->obj && other->when == k->when && other->lock == k->lock && other->traits == HD_TRAIT_POLLS)
            return (enum hd_kind)i;
    }
    return kind;
}

/* Makes the event a touch of its object: a failed touch is a write. */
static void make_touch(struct hd_event *e, bool same_class)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    bool writes = (e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1) != HD_ACC_R;

    e->kind = HD_EV_TOUCH;
    e->flags &= (uint8_t)~HD_EVF_FAILED;
    if (writes && same_class)
        e->flags |= HD_EVF_FAILED;
}

void hd_tx_undo_events(const struct hd_thread *t, uint32_t from, bool committed, bool same_class)
{
    for (uint32_t i = from; i < hd.exec->nevents; i++) {
        struct hd_event *e = &hd.exec->events[i];

        if (e->tid != t->tid || !hd_tx_joins((enum hd_kind)e->kind))
            continue;
        if (committed)
            e->kind = (uint8_t)attempt_of((enum hd_kind)e->kind);
        else
            make_touch(e, same_class);
    }
}

static const struct hd_obj *object_with(uint32_t id)
{
    for (uint32_t i = 0; i < undo.nkept; i++)
        if (undo.kept[i].o->id == id)
            return undo.kept[i].o;
    return NULL;
}

void hd_tx_undo_order(const struct hd_thread *t, uint32_t from, uint32_t end, bool gives)
{
    for (uint32_t i = from; i < end; i++) {
        const struct hd_event *e = &hd.exec->events[i];
        const struct hd_obj *o = e->tid == t->tid ? object_with(e->obj) : NULL;
        unsigned hb = hd_kind_hb[e->kind];
        bool takes = hb == HD_HB_TAKE || hb == HD_HB_WRITE_LOCK;

        if (o != NULL && hb != HD_HB_NONE && takes != gives)
            hd_callbacks.race_event(e, o->addr);
    }
}
