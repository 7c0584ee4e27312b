/* SPDX-License-Identifier: BSD-2-Clause
 *
 * predict.c - maintains locksets and compares accesses.  Makes no libc calls. */
#include "detect/predict.h"

#include "base/hash.h"
#include "model/lock.h"

void hd_predict_init(struct hd_predict *p, struct hd_arena *arena, uint32_t nobjects,
                     hd_race_report *report, void *ctx)
{
    hd_clocks_init(&p->clocks, arena, nobjects);
    p->cell = hd_arena_alloc(arena, HD_PREDICT_CELLS * sizeof *p->cell);
    p->record = hd_arena_alloc(arena, HD_PREDICT_RECORDS * sizeof *p->record);
    p->set = hd_arena_alloc(arena, HD_PREDICT_SETS * sizeof *p->set);
    p->report = report;
    p->ctx = ctx;
}

void hd_predict_begin(struct hd_predict *p)
{
    if (hd_clocks_begin(&p->clocks)) /* stamps restart as well */
        for (uint32_t i = 0; i < HD_PREDICT_CELLS; i++)
            p->cell[i].stamp = 0;
    p->ncells = p->nrecords = 0;
    p->nsets = 1;
    for (uint32_t i = 0; i < HD_MAX_THREADS; i++)
        p->held[i] = 0;
}

/* ---- sets of locks ------------------------------------------------------------------ */

static bool is_same_set(const struct hd_lockset *a, const struct hd_lockset *b)
{
    for (uint32_t i = 0; i < a->n && a->n == b->n; i++)
        if (a->lock[i] != b->lock[i])
            return false;
    return a->n == b->n;
}

/* Returns the number of the set.  If there is no room, returns that of the thread's previous set, because an
 * empty set would predict races that cannot occur. */
static uint32_t number_of(struct hd_predict *p, const struct hd_lockset *s, uint32_t otherwise)
{
    for (uint32_t i = 0; i < p->nsets; i++)
        if (is_same_set(&p->set[i], s))
            return i;
    if (p->nsets == HD_PREDICT_SETS)
        return otherwise;
    p->set[p->nsets] = *s;
    return p->nsets++;
}

static void take(struct hd_predict *p, hd_tid tid, uint32_t obj, bool exclusive)
{
    struct hd_lockset s = p->set[p->held[tid]];
    uint32_t lock = 2 * obj + exclusive, i = s.n;

    if (s.n == HD_PREDICT_LOCKS)
        return;
    for (; i > 0 && s.lock[i - 1] > lock; i--) /* sorted, so that equal sets have equal contents */
        s.lock[i] = s.lock[i - 1];
    s.lock[i] = lock;
    s.n++;
    p->held[tid] = number_of(p, &s, p->held[tid]);
}

/* Removes the lock once: a recursive lock is in the set as often as it is held. */
static void drop(struct hd_predict *p, hd_tid tid, uint32_t obj)
{
    struct hd_lockset s = p->set[p->held[tid]];
    uint32_t i = 0;

    while (i < s.n && s.lock[i] / 2 != obj)
        i++;
    if (i == s.n)
        return;
    for (s.n--; i < s.n; i++)
        s.lock[i] = s.lock[i + 1];
    p->held[tid] = number_of(p, &s, p->held[tid]);
}

static bool exclude_each_other(const struct hd_lockset *a, const struct hd_lockset *b)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (a->lock[i] / 2 == b->lock[k] / 2 && (a->lock[i] | b->lock[k]) & 1)
                return true;
    return false;
}

/* ---- accesses -------------------------------------------------------------------------- */

/* Returns the cell for these 8 bytes, or NULL if there is no room. */
static struct hd_predict_cell *cell_of(struct hd_predict *p, uint64_t number)
{
    uint32_t i = (uint32_t)hd_hash_mix(0, number) % HD_PREDICT_CELLS;

    while (p->cell[i].stamp == p->clocks.stamp && p->cell[i].number != number)
        i = (i + 1) % HD_PREDICT_CELLS;
    if (p->cell[i].stamp == p->clocks.stamp)
        return &p->cell[i];
    if (p->ncells == HD_PREDICT_CELLS / 2)
        return NULL;
    p->ncells++;
    p->cell[i] = (struct hd_predict_cell){ .number = number, .stamp = p->clocks.stamp };
    return &p->cell[i];
}

static void compare(struct hd_predict *p, const struct hd_predict_record *then,
                    const struct hd_predict_record *now, uint64_t number)
{
    unsigned common = then->mask & now->mask;

    if (then->tid == now->tid || common == 0 || !(then->write || now->write) ||
        (then->atomic && now->atomic) || hd_clocks_before(&p->clocks, then->segment, then->tid, now->tid) ||
        exclude_each_other(&p->set[then->set], &p->set[now->set]))
        return;
    unsigned gap = (unsigned)__builtin_ctz(common);
    struct hd_race race = {
        .addr = number * 8 + gap,
        .size = (unsigned)__builtin_ctz(~(common >> gap)),
        .first = { .pc = then->pc, .position = hd_clocks_position(&p->clocks, then->segment),
                   .tid = then->tid, .write = then->write, .atomic = then->atomic },
        .second = { .pc = now->pc, .position = hd_clocks_events(&p->clocks), .tid = now->tid,
                    .write = now->write, .atomic = now->atomic },
    };

    p->report(p->ctx, &race);
}

/* True if `now` is the same access as `then`, made again. */
static bool stands_for(const struct hd_predict_record *now, const struct hd_predict_record *then)
{
    return now->tid == then->tid && now->pc == then->pc && now->set == then->set &&
           now->write == then->write && now->atomic == then->atomic && now->mask == then->mask;
}

static void check(struct hd_predict *p, struct hd_predict_cell *cell,
                  const struct hd_predict_record *now)
{
    for (uint32_t at = cell->first; at != 0; at = p->record[at - 1].next) {
        struct hd_predict_record *then = &p->record[at - 1];

        if (stands_for(now, then)) {
            if (then->segment == now->segment)
                return; /* the earlier access has been compared already */
            then->segment = now->segment;
        }
        compare(p, then, now, cell->number);
    }
    for (uint32_t at = cell->first; at != 0; at = p->record[at - 1].next)
        if (stands_for(now, &p->record[at - 1]))
            return;
    if (p->nrecords == HD_PREDICT_RECORDS)
        return;
    p->record[p->nrecords] = *now;
    p->record[p->nrecords].next = cell->first;
    cell->first = ++p->nrecords;
}

static void access(struct hd_predict *p, struct hd_predict_record now, uintptr_t addr, size_t size)
{
    while (size > 0 && now.segment != 0 && !p->clocks.full) {
        unsigned offset = addr & 7;
        unsigned n = size < 8 - offset ? (unsigned)size : 8 - offset;
        struct hd_predict_cell *cell = cell_of(p, addr / 8);

        if (cell == NULL)
            return;
        now.mask = (uint8_t)(((1u << n) - 1) << offset);
        check(p, cell, &now);
        addr += n;
        size -= n;
    }
}

void hd_predict_access(struct hd_predict *p, hd_tid tid, uintptr_t addr, size_t size, bool write,
                       uint64_t pc)
{
    struct hd_predict_record now = { .pc = pc, .segment = hd_clocks_segment(&p->clocks, tid),
                                     .set = p->held[tid], .tid = tid, .write = write };

    access(p, now, addr, size);
}

/* ---- events --------------------------------------------------------------------------- */

static void lock_event(struct hd_predict *p, const struct hd_event *e, bool exclusive)
{
    if (e->kind == HD_EV_COND_WAKE) /* here the lock orders threads, because the thread has waited for it */
        hd_clocks_event(&p->clocks, e);
    hd_clocks_cut(&p->clocks, e->tid);
    take(p, e->tid, e->obj, exclusive);
}

static void unlock_event(struct hd_predict *p, const struct hd_event *e)
{
    hd_clocks_event(&p->clocks, e);
    drop(p, e->tid, e->obj);
}

/* The access belongs to the segment before the event, but is compared after the event has acquired, as in
 * race.c. */
static void atomic_event(struct hd_predict *p, const struct hd_event *e, uintptr_t addr)
{
    struct hd_predict_record now = { .pc = e->pc, .segment = hd_clocks_segment(&p->clocks, e->tid),
                                     .set = p->held[e->tid], .tid = e->tid,
                                     .write = hd_races_event_writes(e), .atomic = true };

    hd_clocks_event(&p->clocks, e);
    access(p, now, addr, (size_t)1 << (e->flags >> HD_EVF_SIZE_SHIFT));
}

void hd_predict_event(struct hd_predict *p, const struct hd_event *e, uintptr_t addr)
{
    enum hd_lock_effect lock = hd_lock_effect(e);

    if (lock == HD_LOCK_GIVES)
        unlock_event(p, e);
    else if (lock != HD_LOCK_NONE)
        lock_event(p, e, lock == HD_LOCK_TAKES);
    else if (hd_kind_hb[e->kind] == HD_HB_ATOMIC)
        atomic_event(p, e, addr);
    else
        hd_clocks_event(&p->clocks, e);
}
