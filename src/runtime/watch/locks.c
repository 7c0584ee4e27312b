/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locks.c - lock-order warnings from whole executions, and locks that outlive their holders. */
#include "runtime/watch/locks.h"

#include "base/check.h"
#include "base/hash.h"
#include "detect/lockorder.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/detectors.h"
#include "wire/wire.h"

/* ---- requests while holding ------------------------------------------------------------ */

/* Keys of requests that this process has seen before; 0: free.  If the table is full, all further requests count
 * as seen, so warnings may be missed. */
enum { KNOWN = 1 << 13 };
static uint64_t known[KNOWN];
static uint32_t nknown;
static bool has_new;   /* this execution made a request that no earlier one made */
static bool has_any;
/* Set if some cycles were excluded only by the order of this execution.  Then later executions are analysed as
 * well, at growing intervals: `unsettled` counts executions up to `next_look`. */
static uint64_t unsettled, next_look;

static HD_COLD void note_new(uint64_t key, uint32_t at)
{
    if (nknown >= KNOWN / 2)
        return;
    known[at] = key;
    nknown++;
    has_new = true;
}

void hd_locks_request(const struct hd_obj *wanted, uint64_t pc)
{
    const struct hd_thread *t = hd.cur;
    uint64_t key = hd_hash_mix(hd_hash_mix(t->locks, wanted->sig), pc ^ (uint64_t)t->slot << 48) | 1;

    has_any = true;
    for (uint32_t at = (uint32_t)key % KNOWN;; at = (at + 1) % KNOWN) {
        if (known[at] == key)
            return;
        if (known[at] == 0) {
            note_new(key, at);
            return;
        }
    }
}

/* Returns the name of a lock, or 0 for locks on heap and stack, because many of these are alike. */
static uint64_t own_name(uint32_t obj)
{
    hd_cname name = hd.wire->common->objects[obj].name;

    return hd_cname_region(name) == HD_REG_MODULE ? name : 0;
}

/* Returns the signature of a cycle as users see it: the sites where locks are taken and requested, whichever
 * threads do it. */
static uint64_t cycle_signature(const struct hd_lock_step *s, unsigned n)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += hd_hash_mix(hd_hash_mix(s[i].held_pc, s[i].wanted_pc), own_name(s[i].wanted));
    return hd_hash_mix(sum, HD_WARN_LOCK_ORDER);
}

static void tell(void *ctx, const struct hd_lock_step *steps, unsigned n)
{
    struct hd_finding f = { .warning = HD_WARN_LOCK_ORDER, .tid = HD_NO_TID,
                            .pc = steps[0].wanted_pc, .signature = cycle_signature(steps, n) };

    (void)ctx;
    hd_finding_warn(&f, steps, n);
}

static bool is_worth_a_look(void)
{
    if (has_new)
        return true;
    if (!has_any || unsettled == 0 || ++unsettled < next_look)
        return false;
    next_look *= 2;
    return true;
}

static HD_COLD void look_at_order(void)
{
    static struct hd_lock_order room;

    if (hd_lock_order_look(&room, hd.exec->events, hd.exec->nevents, tell, NULL) == 0) {
        unsettled = has_new ? 0 : unsettled;
    } else if (has_new || unsettled == 0) {
        unsettled = 1;
        next_look = 2;
    }
}

/* ---- locks left behind ------------------------------------------------------------------ */

/* Reports, for example, "T1 unlocks mutex m, which T2 holds". */
static void tell_holder(const char *does, const struct hd_obj *o, uint64_t pc)
{
    unsigned reader = hd_set_next(&o->readers, 0);
    unsigned holder = o->sync.owner != HD_NO_TID ? o->sync.owner : reader;

    if (holder >= HD_MAX_THREADS)
        hd_misuse(pc, "T%u %s " HD_NAMED ", which nobody holds", hd.cur->tid, does, o->id);
    else if (holder == hd.cur->tid)
        hd_misuse(pc, "T%u %s " HD_NAMED ", which it holds itself", hd.cur->tid, does, o->id);
    else
        hd_misuse(pc, "T%u %s " HD_NAMED ", which T%u holds", hd.cur->tid, does, o->id, holder);
}

void hd_lock_not_own(const struct hd_obj *o, uint64_t pc)
{
    tell_holder("unlocks", o, pc);
}

void hd_lock_destroyed_held(const struct hd_obj *o, uint64_t pc)
{
    tell_holder("destroys", o, pc);
}

static void tell_held(struct hd_obj *o, void *arg)
{
    const struct hd_thread *t = arg;
    bool lock = o->type == HD_OBJ_MUTEX || o->type == HD_OBJ_RWLOCK || o->type == HD_OBJ_SPIN;

    if (lock && !o->robust && (o->sync.owner == t->tid || hd_set_has(&o->readers, t->tid)))
        hd_misuse(o->pc, "T%u has ended and still holds " HD_NAMED ", which nobody can unlock now",
                  t->tid, o->id);
}

void hd_locks_left_behind(struct hd_thread *t)
{
    hd_object_each(tell_held, t);
}

static HD_COLD void tell_not_joined(const struct hd_thread *t)
{
    uint64_t pc = hd.exec->threads[t->tid].create_pc;
    struct hd_finding f = { .warning = HD_WARN_NOT_JOINED, .tid = t->tid, .pc = pc,
                            .signature = hd_hash_mix(pc, HD_WARN_NOT_JOINED) };

    hd_finding_warn(&f, NULL, 0);
}

static void look_at_threads(void)
{
    static uint64_t told; /* the last site that was reported */

    for (unsigned i = 1; i < hd.exec->nthreads; i++) {
        const struct hd_thread *t = &hd.thread[i];

        if (HD_LIKELY(t->joined || t->detached) || t->state != HD_TH_FINISHED ||
            hd.exec->threads[i].create_pc == told)
            continue;
        told = hd.exec->threads[i].create_pc;
        tell_not_joined(t);
    }
}

/* Makes a later execution analyse the requests that were new in this one, which has failed. */
static void put_off(void)
{
    if (!has_new)
        return;
    unsettled = 1;
    next_look = 2;
}

static void look(void)
{
    if (hd.exec->ending != HD_END_CLEAN || (hd.exec->facts & HD_FACT_CANCEL)) {
        put_off();
    } else if (!hd.cfg->replay && !hd.cfg->study) {
        if (HD_UNLIKELY(is_worth_a_look()))
            look_at_order();
        look_at_threads();
    }
    has_new = has_any = false;
}

const struct hd_detector hd_detector_locks = { .end = look };
