/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hbr.c - computes the happens-before hash event by event.  The hash of an event covers its
 * identity, the hash of its thread's previous event and the hashes of the events that it
 * conflicts with.  The hash of the relation is the sum over all events.  A write to an
 * object subsumes all earlier accesses to it.  Makes no libc calls. */
#include "search/core/hbr.h"

#include <stdatomic.h>

#include "model/object.h"
#include "search/core/step.h"

void hd_hbr_init(struct hd_hbr *h, struct hd_arena *arena, const struct hd_execution *exec,
                 bool lazy, struct hd_learnt *learnt)
{
    h->exec = exec;
    h->lazy = lazy;
    h->learnt = learnt;
    if (h->object != NULL)
        return;
    if (lazy)
        h->ordinary = hd_arena_alloc(arena, HD_HBR_OBJECTS * sizeof *h->ordinary);
    h->id = hd_arena_alloc(arena, UINT64_C(2) * HD_MAX_STEPS * sizeof *h->id);
    h->object = hd_arena_alloc(arena, HD_HBR_OBJECTS * sizeof *h->object);
}

void hd_hbr_begin(struct hd_hbr *h, uint64_t first, uint32_t keep)
{
    h->stamp++;
    h->nevents = 0;
    h->sum = (struct hd_hash128){ 0, 0 };
    h->first = first;
    h->keep = keep;
    h->busy = h->cancels = h->discovered = false;
    for (unsigned i = 0; i < HD_MAX_THREADS; i++)
        h->thread[i] = (struct hd_hash128){ 0, 0 };
}

static struct hd_hbr_object *find(struct hd_hbr *h, uint32_t obj)
{
    struct hd_hbr_object *o = &h->object[obj];

    HD_INVARIANT(obj < HD_HBR_OBJECTS, "an object's id is too large");
    if (o->stamp != h->stamp)
        *o = (struct hd_hbr_object){ .stamp = h->stamp, .owner = HD_NO_TID };
    return o;
}

/* ---- mutexes of the lazy relation -------------------------------------------------- */

/* True if the lazy relation may ignore the order of this mutex operation.  If a thread has abandoned the mutex,
 * the next lock finds it still held, and is_plain_use returns false. */
static bool on_mutex(const struct hd_event *e)
{
    return hd_kind_info[e->kind].obj == HD_OBJ_MUTEX && e->kind != HD_EV_MUTEX_ABANDON && e->obj != 0;
}

/* Updates the owner of the mutex.  Returns false if its owner cannot be derived from lock and unlock operations
 * alone. */
static bool is_plain_use(struct hd_hbr_object *o, const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    bool failed = e->flags & HD_EVF_FAILED;
    hd_tid before = o->owner;

    if (k->lock == HD_LOCK_GIVES) {
        o->owner = HD_NO_TID;
        return before == e->tid && !failed;
    }
    if (k->lock == HD_LOCK_TAKES && k->traits & HD_TRAIT_BLOCKS) {
        o->owner = e->tid;
        return before == HD_NO_TID && !failed;
    }
    return e->kind == HD_EV_MUTEX_INIT && before == HD_NO_TID;
}

/* True if the search knows that the order of the mutex's operations matters. */
static bool is_ordinary(const struct hd_hbr *h, uint32_t obj)
{
    if (h->learnt != NULL)
        return hd_learnt_is_ordinary(h->learnt, obj);
    return h->ordinary[obj] != 0 && h->ordinary[obj] <= h->first;
}

/* True if the lazy relation ignores the event's access to its first object.  If a mutex turns out to need its
 * order, that takes effect only when the search starts again.  Until then all executions, including repeated
 * ones (S4), use what was known at the last start. */
static bool left_out(struct hd_hbr *h, const struct hd_event *e)
{
    if (!h->lazy || !on_mutex(e))
        return false;
    bool plain = is_plain_use(find(h, e->obj), e);

    if (is_ordinary(h, e->obj))
        return false;
    if (!plain && h->learnt != NULL)
        hd_learnt_ordinary(h->learnt, e->obj);
    else if (!plain && h->ordinary[e->obj] == 0)
        h->ordinary[e->obj] = h->exec->index + 1;
    h->discovered |= !plain;
    return true;
}

/* ---- one event ---------------------------------------------------------------------- */

/* True if the hash covers the event's value.  In equivalent executions atomics have equal values, unless a data
 * race decided them; hashing the value distinguishes such executions. */
static bool has_value(const struct hd_event *e)
{
    return e->flags & HD_EVF_CHOICE || e->kind == HD_EV_ATOMIC_LOAD ||
           e->kind == HD_EV_ATOMIC_STORE || e->kind == HD_EV_ATOMIC_RMW ||
           e->kind == HD_EV_ATOMIC_CAS;
}

static struct hd_hash128 identity(const struct hd_hbr *h, const struct hd_event *e)
{
    struct hd_hash128 id = hd_hash128_word(
        h->thread[e->tid], (uint64_t)h->exec->threads[e->tid].slot << 48 | (uint64_t)e->kind << 40 |
                               (uint64_t)(e->flags & HD_EVF_FAILED) << 32 | e->obj);

    id = hd_hash128_word(id, e->pc);
    return has_value(e) ? hd_hash128_word(id, e->value) : id;
}

static bool reads(unsigned access)
{
    return access == HD_ACC_R;
}

/* Joins the hashes of the earlier events with which this access conflicts.  A read conflicts with the updates
 * since the last write, an update with the reads since then, a write with both. */
static struct hd_hash128 after(struct hd_hash128 id, const struct hd_hbr_object *o, unsigned access)
{
    id = hd_hash128_join(id, o->write);
    if (access == HD_ACC_W)
        id = hd_hash128_join(id, o->since[1]);
    return hd_hash128_join(id, o->since[access == HD_ACC_W ? 0 : reads(access)]);
}

static void note(struct hd_hbr_object *o, unsigned access, struct hd_hash128 id)
{
    if (access == HD_ACC_W) {
        o->write = id;
        o->since[0] = o->since[1] = (struct hd_hash128){ 0, 0 };
    } else {
        struct hd_hash128 *s = &o->since[!reads(access)];

        *s = hd_hash128_sum(*s, id);
    }
}

static void add(struct hd_hbr *h, uint32_t i)
{
    const struct hd_event *e = &h->exec->events[i];
    struct hd_access_of on[2];
    unsigned n = hd_event_accesses(e, on);
    unsigned from = n > 0 && left_out(h, e);

    if (i >= h->keep) {
        struct hd_hash128 id = identity(h, e);

        for (unsigned k = from; k < n; k++)
            id = after(id, find(h, on[k].obj), on[k].access);
        h->id[i] = id;
    }
    for (unsigned k = from; k < n; k++)
        note(find(h, on[k].obj), on[k].access, h->id[i]);
    h->thread[e->tid] = h->id[i];
    h->sum = hd_hash128_sum(h->sum, h->id[i]);
    h->cancels |= e->kind == HD_EV_THREAD_CANCEL;
}

void hd_hbr_update(struct hd_hbr *h)
{
    while (h->nevents < h->exec->nevents) {
        h->busy = true;
        atomic_signal_fence(memory_order_release);
        add(h, h->nevents++);
        atomic_signal_fence(memory_order_release);
        h->busy = false;
    }
}

struct hd_hash128 hd_hbr_point(const struct hd_hbr *h, const struct hd_point *at)
{
    struct hd_hash128 threads = { 0, 0 };

    for (unsigned t = 0; t < at->nthreads; t++) {
        const struct hd_event *e = &at->pending[t];
        uint64_t slot = (uint64_t)h->exec->threads[t].slot << 1 | hd_set_has(&at->enabled, t);
        struct hd_hash128 one = hd_hash128_word((struct hd_hash128){ 1, 1 },
                                                slot << 40 | (uint64_t)e->kind << 32 | e->obj);

        if (e->kind != HD_EV_NONE)
            threads = hd_hash128_sum(threads, hd_hash128_word(one, e->pc));
    }
    return hd_hash128_join(h->sum, threads);
}
