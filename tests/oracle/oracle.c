/* SPDX-License-Identifier: BSD-2-Clause
 *
 * oracle.c - the recursion and the canonical hash. */
#include "oracle/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define ORACLE_EVENTS 512

struct path {
    struct hd_event event[ORACLE_EVENTS];
    uint32_t n;
};

struct access {
    uint32_t obj;
    unsigned how; /* enum hd_access */
};

static unsigned accesses_of(const struct hd_event *e, struct access out[2])
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    out[0] = (struct access){ e->obj, e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1 };
    out[1] = (struct access){ e->obj2, k->acc2 };
    return 2;
}

static bool is_mutex(uint32_t obj)
{
    return obj >= PROG_OBJ_LOCK && obj < PROG_OBJ_LOCK + PROG_CELLS;
}

static bool conflict(const struct hd_event *a, const struct hd_event *b, bool lazy)
{
    struct access x[2], y[2];

    accesses_of(a, x);
    accesses_of(b, y);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (x[i].obj != 0 && x[i].obj == y[k].obj && !(lazy && is_mutex(x[i].obj)) && x[i].how != HD_ACC_N &&
                y[k].how != HD_ACC_N && (x[i].how == HD_ACC_W || x[i].how != y[k].how))
                return true;
    return false;
}

static uint64_t hash_order(const struct hd_event *events, uint32_t n, const uint8_t *slot,
                           bool lazy)
{
    uint64_t id[ORACLE_EVENTS];
    uint32_t count[PROG_THREADS] = { 0 };
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct hd_event *e = &events[i];
        uint64_t before = 0;

        id[i] = hd_hash_mix((uint64_t)slot[e->tid] << 32 | count[e->tid]++,
                            (uint64_t)e->kind << 8 | e->flags);
        if (e->flags & HD_EVF_CHOICE)
            id[i] = hd_hash_mix(id[i], e->value);
        for (uint32_t k = 0; k < i; k++)
            if (events[k].tid != e->tid && conflict(&events[k], e, lazy))
                before += hd_hash_mix(id[k], 1);
        sum += hd_hash_mix(id[i], before);
    }
    return sum;
}

uint64_t oracle_hash(const struct hd_event *events, uint32_t n, const uint8_t *slot)
{
    return hash_order(events, n, slot, false);
}

uint64_t oracle_lazy_hash(const struct hd_event *events, uint32_t n, const uint8_t *slot)
{
    return hash_order(events, n, slot, true);
}

uint64_t oracle_state(const struct prog_state *s)
{
    uint64_t h = hd_hash_bytes(0, s->cell, sizeof s->cell);

    /* Stamps and tokens are left out: their numbers depend on lost signals. */
    h = hd_hash_bytes(h, s->sync.sem, sizeof s->sync.sem);
    h = hd_hash_bytes(h, s->sync.readers, sizeof s->sync.readers);
    h = hd_hash_bytes(h, s->sync.once, sizeof s->sync.once);
    uint64_t threads = 0;

    for (unsigned t = 0; t < s->created; t++)
        threads += hd_hash_mix(s->script[t], (uint64_t)s->pc[t] << 16 | (uint64_t)s->phase[t] << 8 |
                                                 (uint8_t)s->reg[t]);
    return hd_hash_mix(h, threads);
}

static int by_hash(const void *a, const void *b)
{
    uint64_t x = ((const struct oracle_class *)a)->hash, y = ((const struct oracle_class *)b)->hash;

    return x < y ? -1 : x > y;
}

const struct oracle_class *oracle_find(const struct oracle *o, uint64_t hash)
{
    struct oracle_class key = { .hash = hash };

    return bsearch(&key, o->class, o->n, sizeof key, by_hash);
}

static void record(struct oracle *o, const struct prog_state *s, const struct path *path)
{
    struct oracle_class c = { .hash = oracle_hash(path->event, path->n, s->script),
                              .state = oracle_state(s), .deadlock = prog_buggy(s) };
    unsigned low = 0, high = o->n;

    o->schedules++;
    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (o->class[mid].hash < c.hash)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < o->n && o->class[low].hash == c.hash)
        return;
    if (o->n == o->capacity) {
        o->full = true;
        return;
    }
    c.lazy = oracle_lazy_hash(path->event, path->n, s->script);
    memmove(&o->class[low + 1], &o->class[low], (o->n - low) * sizeof c);
    o->class[low] = c;
    o->n++;
}

static void explore(struct oracle *o, const struct prog_state *s, struct path *path);

static void explore_choice(struct oracle *o, const struct prog_state *s, struct path *path,
                           unsigned tid, uint32_t n)
{
    uint32_t before = path->n;

    for (uint32_t a = 0; a < n; a++) {
        struct prog_state after = *s;

        path->n += prog_choose_log(&after, tid, a, &path->event[path->n]);
        explore(o, &after, path);
        path->n = before;
    }
}

static void explore(struct oracle *o, const struct prog_state *s, struct path *path)
{
    uint32_t n = 0, before = path->n;
    int chooser = prog_chooser(s, &n);

    if (o->full || (o->limit != 0 && o->schedules >= o->limit)) {
        o->full = true;
        return;
    }
    if (chooser >= 0) {
        explore_choice(o, s, path, (unsigned)chooser, n);
        return;
    }
    if (prog_over(s)) {
        record(o, s, path);
        return;
    }
    for (unsigned t = 0; t < s->created; t++) {
        struct prog_state after = *s;

        if (!prog_enabled(s, t))
            continue;
        path->n += prog_step_log(&after, t, &path->event[path->n]);
        explore(o, &after, path);
        path->n = before;
    }
}

void oracle_enumerate(struct oracle *o, const struct program *p)
{
    struct prog_state s;
    static struct path path;

    prog_start(&s, p);
    o->n = 0;
    o->schedules = 0;
    o->full = false;
    path.n = prog_start_log(&s, path.event);
    explore(o, &s, &path);
}
