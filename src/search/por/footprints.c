/* SPDX-License-Identifier: BSD-2-Clause
 *
 * footprints.c - computes history hashes of steps and maps them to the accesses that followed.  Makes no libc
 * calls.
 *
 * The history of a step is a hash of everything that happens before it and of the step itself.  It is computed
 * from the history of the thread's previous step and from the histories of the steps that its accesses conflict
 * with.  The first step of a thread finds the step that created the thread by its THREAD_START event. */
#include "search/por/footprints.h"

#include <stdatomic.h>

#include "base/limits.h"
#include "model/object.h"

#define PROBES HD_LIMIT(8, 1)

/* Values in the table.  A value is an access class, or END (the step ends), or CONTRADICTION (no prediction),
 * or the object accessed next.  In the last case it also holds flags for what the access depends on, and the
 * access class if the class does not depend on the outcome. */
enum { END = 4, CONTRADICTION, OBJECT = 8, FINE = 16, BLIND = 32, CLASS_SHIFT = 6, OBJECT_SHIFT = 8 };

void hd_footprint_init(struct hd_footprints *f, const struct hd_trace *t, struct hd_arena *arena,
                     uint32_t entries)
{
    f->trace = t;
    f->entries = entries;
    if (f->history != NULL)
        return;
    f->entry = hd_arena_alloc(arena, entries * sizeof *f->entry);
    f->way = hd_arena_alloc(arena, HD_FOOTPRINT_WAY * sizeof *f->way);
    f->history = hd_arena_alloc(arena, HD_TRACE_STEPS * sizeof *f->history);
}

/* ---- the table -------------------------------------------------------------------------- */

static bool is_key(struct hd_hash128 a, struct hd_hash128 b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static struct hd_footprint_entry *find(const struct hd_footprints *f, struct hd_hash128 key)
{
    for (uint32_t i = 0; i < PROBES && f->entries > 0; i++) {
        struct hd_footprint_entry *e = &f->entry[(key.lo + i) % f->entries];

        if (is_key(e->key, key))
            return e;
    }
    return NULL;
}

static uint64_t get(const struct hd_footprints *f, struct hd_hash128 key)
{
    const struct hd_footprint_entry *e = find(f, key);

    return e != NULL ? e->value : CONTRADICTION;
}

/* Returns a free entry or, if there is none within PROBES entries, one to overwrite (F2). */
static struct hd_footprint_entry *place_for(struct hd_footprints *f, struct hd_hash128 key)
{
    for (uint32_t i = 0; i < PROBES; i++) {
        struct hd_footprint_entry *e = &f->entry[(key.lo + i) % f->entries];

        if (is_key(e->key, (struct hd_hash128){ 0, 0 }))
            return e;
    }
    return &f->entry[(key.lo + key.hi % PROBES) % f->entries];
}

/* Stores a value.  If the table already has another value for the same history, then something that events do
 * not show determines the accesses, so there is no prediction. */
static void put(struct hd_footprints *f, bool remember, struct hd_hash128 key, uint64_t value)
{
    if (!remember || f->entries == 0)
        return;
    struct hd_footprint_entry *e = find(f, key);

    if (e != NULL) {
        if (e->value != value)
            e->value = CONTRADICTION;
        return;
    }
    e = place_for(f, key);
    e->key = (struct hd_hash128){ 0, 0 };
    atomic_signal_fence(memory_order_release);
    e->value = value;
    atomic_signal_fence(memory_order_release);
    e->key.lo = key.lo;
    e->key.hi = key.hi;
}

/* ---- the contents that a step finds in an object ---- */

/* Returns a hash of the contents that an access of class `as` finds in an object.  It covers the steps before
 * step `below` that conflict with the access, from access i - 1 back to the latest write. `sum` is the hash of
 * later steps. */
static struct hd_hash128 found_in_trace(const struct hd_footprints *f, uint32_t i, uint32_t below,
                                        unsigned as, struct hd_hash128 sum)
{
    struct hd_hash128 write = { 0, 0 };

    while (i != 0) {
        const struct hd_trace_access *a = &f->trace->access[i - 1];

        i = a->previous;
        if (a->step >= below || !hd_access_conflict(a->access, as))
            continue;
        if (a->access == HD_ACC_W) {
            write = f->history[a->step];
            break;
        }
        sum = hd_hash128_sum(sum, f->history[a->step]);
    }
    return hd_hash128_join(sum, write);
}

static struct hd_hash128 found_on_way(const struct hd_footprints *f, uint32_t obj, unsigned as)
{
    struct hd_hash128 sum = { 0, 0 };

    for (uint32_t i = f->nway; i > 0; i--) {
        const struct hd_footprint_access *a = &f->way[i - 1];

        if (a->on.obj != obj || !hd_access_conflict(a->on.access, as))
            continue;
        if (a->on.access == HD_ACC_W)
            return hd_hash128_join(sum, a->by);
        sum = hd_hash128_sum(sum, a->by);
    }
    return found_in_trace(f, hd_trace_last_access(f->trace, obj), f->at, as, sum);
}

/* Returns a hash of the contents that step s finds in the object before its own accesses. */
static struct hd_hash128 found_by_step(const struct hd_footprints *f, uint32_t s, uint32_t obj,
                                       unsigned as)
{
    const struct hd_trace_step *step = &f->trace->step[s];
    uint32_t i = step->access;

    while (i < step->access + step->naccesses && f->trace->access[i].obj != obj)
        i++;
    if (i == step->access + step->naccesses)
        return (struct hd_hash128){ 0, 0 };
    return found_in_trace(f, f->trace->access[i].previous, s, as, (struct hd_hash128){ 0, 0 });
}

static bool was_touched(const struct hd_footprints *f, uint32_t obj)
{
    for (uint32_t i = 0; i < f->non; i++)
        if (f->on[i].obj == obj)
            return true;
    return false;
}

static struct hd_hash128 begin(struct hd_hash128 before, uint16_t slot)
{
    return hd_hash128_word(before, slot + UINT64_C(1));
}

/* Adds an access to the history of a step that stores all its accesses. */
static struct hd_hash128 with(struct hd_hash128 sum, struct hd_access_of on,
                              struct hd_hash128 found)
{
    struct hd_hash128 one = hd_hash128_word((struct hd_hash128){ 1, 1 }, hd_access_word(on));

    return hd_hash128_sum(sum, hd_hash128_join(one, found));
}

/* ---- recording ---- */

/* Returns how much an operation can tell its thread, also indirectly about memory whose accesses are not
 * events.  BLIND: a store tells nothing. 0: an access to memory, or an atomic section, tells about the last
 * writer.  FINE: an operation on another object also tells about the object's other users. */
static unsigned depends_on(unsigned kind)
{
    const struct hd_kind_info *k = &hd_kind_info[kind];

    if (k->obj != HD_OBJ_MEMORY && !hd_kind_begins_section(kind) && !hd_kind_ends_section(kind))
        return FINE;
    return k->dep == HD_DEP_CLASS || k->dep & HD_DEP_TAKES1 ? 0 : BLIND;
}

/* Returns the class of access k if it does not depend on the outcome of the operation; otherwise 0. */
static unsigned class_of(unsigned kind, unsigned access, unsigned k)
{
    const struct hd_kind_info *info = &hd_kind_info[kind];

    return k > 0 || info->ok1 == info->fail1 ? access : 0;
}

/* True if the accesses of step s may be stored.  Not if one of its operations may block, because the step
 * continues differently depending on whether it does. */
static bool can_be_remembered(const struct hd_trace *t, uint32_t s)
{
    const struct hd_trace_step *step = &t->step[s];

    if (!step->is_long || 2 * step->nevents > HD_FOOTPRINT_STEP)
        return false;
    for (uint32_t i = 0; i < step->nevents; i++) {
        const struct hd_event *e = &t->exec->events[step->event + i];

        if (hd_kind_traits[e->kind] & (HD_TRAIT_BLOCKS | HD_TRAIT_TIMED) ||
            (e->kind == HD_EV_SECTION_END && e->value == HD_SECTION_LEFT))
            return false;
    }
    return true;
}

/* Goes through the accesses of step s and stores them if `remember` is set.  Returns the step's history. */
static struct hd_hash128 go_through(struct hd_footprints *f, uint32_t s, struct hd_hash128 h,
                                    bool remember)
{
    const struct hd_trace *t = f->trace;
    const struct hd_trace_step *step = &t->step[s];
    struct hd_access_of on[2];

    f->non = 0;
    for (uint32_t i = 0; i < step->nevents; i++) {
        const struct hd_event *e = &t->exec->events[step->event + i];
        unsigned n = hd_event_accesses(e, on), look = depends_on(e->kind);

        for (unsigned k = 0; k < n; k++) {
            uint32_t obj = on[k].obj;
            unsigned class = class_of(e->kind, on[k].access, k);
            uint64_t next = (uint64_t)obj << OBJECT_SHIFT | class << CLASS_SHIFT | look | OBJECT;

            put(f, remember, h, next);
            h = hd_hash128_word(h, next);
            if (!(look & BLIND) && !was_touched(f, obj))
                h = hd_hash128_join(h, found_by_step(f, s, obj, look & FINE ? HD_ACC_W : HD_ACC_R));
            if (class == 0) {
                put(f, remember, h, on[k].access);
                h = hd_hash128_word(h, on[k].access);
            }
            if (f->non < HD_FOOTPRINT_STEP)
                f->on[f->non++] = on[k];
        }
    }
    put(f, remember, h, END);
    return h;
}

static struct hd_hash128 history_at(struct hd_footprints *f, uint32_t s, bool remember)
{
    const struct hd_trace *t = f->trace;
    const struct hd_trace_step *step = &t->step[s];
    struct hd_hash128 before = { 0, 0 }, sum = { 0, 0 };
    bool many = step->step.flags & HD_STEP_MANY;

    remember = remember && can_be_remembered(t, s);
    if (step->before != HD_NO_STEP && t->step[step->before].tid == step->tid)
        before = f->history[step->before];
    before = begin(before, step->step.slot);
    if (many)
        return go_through(f, s, before, remember);
    if (remember)
        go_through(f, s, before, true);
    for (unsigned i = 0; i < step->step.naccesses; i++)
        sum = with(sum, step->step.on[i],
                   found_by_step(f, s, step->step.on[i].obj, step->step.on[i].access));
    return hd_hash128_join(before, sum);
}

/* The histories of steps that the trace has kept from the previous execution are valid if that execution was
 * recorded. */
void hd_footprint_learn(struct hd_footprints *f, bool remember)
{
    const struct hd_trace *t = f->trace;
    uint32_t s = f->valid > 0 && f->valid == t->exec->index ? t->kept : 0;

    f->valid = 0;
    atomic_signal_fence(memory_order_release);
    for (; s < t->nsteps; s++)
        f->history[s] = history_at(f, s, remember);
    atomic_signal_fence(memory_order_release);
    f->valid = t->exec->index + 1;
}

/* ---- predicting ---- */

/* Returns the history of the thread with that slot after the steps in f->way. */
static struct hd_hash128 history_of(const struct hd_footprints *f, uint16_t slot)
{
    const struct hd_trace *t = f->trace;
    hd_tid tid = 0;

    for (uint32_t i = f->nway; i > 0; i--)
        if (f->way[i - 1].slot == slot)
            return f->way[i - 1].by;
    while (tid < t->nthreads && t->exec->threads[tid].slot != slot)
        tid++;
    uint32_t s = tid < t->nthreads ? t->last_of[tid] : HD_NO_STEP;

    while (s != HD_NO_STEP && s >= f->at && t->step[s].tid == tid)
        s = t->step[s].before;
    return s != HD_NO_STEP && t->step[s].tid == tid ? f->history[s] : (struct hd_hash128){ 0, 0 };
}

/* Looks up the accesses of a step that begins with history *h, and updates *h. */
static bool recall(struct hd_footprints *f, struct hd_hash128 *h)
{
    for (f->non = 0; f->non < HD_FOOTPRINT_STEP; f->non++) {
        uint64_t next = get(f, *h);

        if (next == END)
            return true;
        if (!(next & OBJECT))
            return false;
        uint32_t obj = (uint32_t)(next >> OBJECT_SHIFT);
        uint64_t access = next >> CLASS_SHIFT & 3;

        *h = hd_hash128_word(*h, next);
        if (!(next & BLIND) && !was_touched(f, obj))
            *h = hd_hash128_join(*h, found_on_way(f, obj, next & FINE ? HD_ACC_W : HD_ACC_R));
        if (access == 0) {
            access = get(f, *h);
            if (access >= END)
                return false;
            *h = hd_hash128_word(*h, access);
        }
        f->on[f->non] = hd_access_of(obj, (unsigned)access);
    }
    return false;
}

/* Adds the step to f->way. *done is the step with its predicted accesses. */
static bool follow(struct hd_footprints *f, const struct hd_step *step, struct hd_step *done)
{
    bool told = !(step->flags & (HD_STEP_MANY | HD_STEP_ALL));
    struct hd_hash128 before = begin(history_of(f, step->slot), step->slot);
    struct hd_hash128 h = before, sum = { 0, 0 };

    *done = *step;
    if (!told && !recall(f, &h))
        return false;
    if (!told)
        hd_step_set_accesses(done, step->slot, f->on, f->non);
    if (!(done->flags & HD_STEP_MANY)) {
        f->non = done->naccesses;
        for (unsigned i = 0; i < f->non; i++) {
            f->on[i] = done->on[i];
            sum = with(sum, f->on[i], found_on_way(f, f->on[i].obj, f->on[i].access));
        }
        h = hd_hash128_join(before, sum);
    }
    if (f->nway + f->non + 1 > HD_FOOTPRINT_WAY)
        return false;
    /* One entry without an object marks the thread's latest step, which may have no accesses. */
    f->way[f->nway++] = (struct hd_footprint_access){ .slot = step->slot, .by = h };
    for (uint32_t i = 0; i < f->non; i++)
        f->way[f->nway++] = (struct hd_footprint_access){ f->on[i], step->slot, h };
    return true;
}

bool hd_footprint_last(struct hd_footprints *f, uint32_t at, const struct hd_step *const *v,
                     uint32_t nv, struct hd_step *last)
{
    f->at = at;
    f->nway = 0;
    for (uint32_t i = 0; i < nv; i++)
        if (!follow(f, v[i], last))
            return false;
    return true;
}
