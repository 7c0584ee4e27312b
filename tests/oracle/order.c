/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.c - the canonical hash: a sum over events of (who, what comes before it in
 * the relation's conflicts), so it does not depend on the order of the rest. */
#include "oracle/order.h"

#include <string.h>

#include "base/check.h"
#include "base/hash.h"

void order_start(struct order *o, const struct program *p)
{
    o->n = 0;
    o->lazy_mutexes = p != NULL ? (1u << PROG_SYNCS) - 1 : 0;
    memset(o->count, 0, sizeof o->count);
    for (unsigned t = 0; p != NULL && t < PROG_THREADS; t++)
        for (unsigned i = 0; i < PROG_OPS && p->op[t][i].kind != OP_END; i++)
            if (p->op[t][i].kind == OP_TRYLOCK)
                o->lazy_mutexes &= ~(1u << p->op[t][i].arg);
}

static bool is_lazy_mutex(const struct order *o, const struct hd_event *e)
{
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_MUTEX_UNLOCK:
    case HD_EV_COND_WAIT:
    case HD_EV_COND_WAKE:
        return (o->lazy_mutexes >> (e->obj - PROG_OBJ_LOCK) & 1) != 0;
    default:
        return false;
    }
}

static void describe(const struct order *o, struct order_event *d, const struct hd_event *e,
                     unsigned script)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    d->script = (uint8_t)script;
    d->id = hd_hash_spread((uint64_t)script << 32 | (uint64_t)o->count[script] << 16 |
                           (uint64_t)e->kind << 8 | e->flags);
    if (e->flags & HD_EVF_CHOICE)
        d->id = hd_hash_mix(d->id, e->value);
    d->mark = hd_hash_mix(d->id, 1);
    d->access[0] = e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1;
    d->access[1] = k->acc2;
    d->obj[0] = d->access[0] != HD_ACC_N ? e->obj : 0;
    d->obj[1] = d->access[1] != HD_ACC_N ? e->obj2 : 0;
    d->mutex_only = is_lazy_mutex(o, e);
}

static bool conflict_on(const struct order_event *a, unsigned i, const struct order_event *b,
                        unsigned k)
{
    return a->obj[i] != 0 && a->obj[i] == b->obj[k] &&
           (a->access[i] == HD_ACC_W || a->access[i] != b->access[k]);
}

/* A mutex is the first object of all that touch it, and nothing else has its id. */
static void find_conflict(const struct order_event *a, const struct order_event *b, bool *in)
{
    bool first = conflict_on(a, 0, b, 0);

    in[ORDER_LAZY] = (first && !b->mutex_only) || conflict_on(a, 0, b, 1) ||
                     conflict_on(a, 1, b, 0) || conflict_on(a, 1, b, 1);
    in[ORDER_HAPPENS_BEFORE] = first || in[ORDER_LAZY];
}

void order_push(struct order *o, const struct hd_event *e, unsigned script)
{
    HD_INVARIANT(o->n < ORDER_EVENTS && script < PROG_THREADS, "room for the event");
    struct order_event *d = &o->event[o->n];
    uint64_t before[2] = { 0, 0 };

    describe(o, d, e, script);
    for (uint32_t k = 0; k < o->n; k++) {
        const struct order_event *other = &o->event[k];
        bool in[2];

        if (other->script == script ||
            (other->obj[0] != d->obj[0] && (other->obj[1] | d->obj[1]) == 0))
            continue;
        find_conflict(other, d, in);
        for (unsigned r = 0; r < 2; r++)
            before[r] += in[r] ? other->mark : 0;
    }
    for (unsigned r = 0; r < 2; r++)
        d->sum[r] = order_hash(o, (enum order_relation)r) + hd_hash_mix(d->id, before[r]);
    o->count[script]++;
    o->n++;
}

void order_pop(struct order *o, uint32_t n)
{
    while (o->n > n)
        o->count[o->event[--o->n].script]--;
}

uint64_t order_hash(const struct order *o, enum order_relation r)
{
    return o->n > 0 ? o->event[o->n - 1].sum[r] : 0;
}
