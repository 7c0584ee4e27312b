/* SPDX-License-Identifier: BSD-2-Clause
 *
 * idiom_predict.c - predicts idioms that another order of an execution's accesses could
 * show.
 *
 * Two filters drop candidates that cannot occur.  One drops orders that contradict synchronisation which no
 * schedule changes, such as thread creation (vector clocks).  The other drops an access that would have to come
 * in the middle of a critical section of a lock which its own thread holds, too.  Both consider one execution
 * only.  So they may drop an idiom that another execution could show, and keep one that no execution can show. */
#include "search/sample/idiom_trace.h"

#define BUCKET_MAX 512 /* maximum number of pairs per two objects that are examined */

/* True if, according to the clocks, some access of a can come before some access of b. */
static bool can_precede(const struct hd_idiom_trace *t, const struct hd_idiom_record *a,
                        const struct hd_idiom_record *b)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (!hd_idiom_before(t, b->clock[k], b->tid, a->clock[i]))
                return true;
    return false;
}

static bool conflict(const struct hd_idiom_record *a, const struct hd_idiom_record *b)
{
    return a->obj == b->obj && a->tid != b->tid && hd_access_conflict(a->access, b->access);
}

/* True if b may come directly after a.  If both hold the same lock, a must be the last use in its section and b
 * the first in its own. */
static bool locks_allow(const struct hd_idiom_record *a, const struct hd_idiom_record *b)
{
    for (uint32_t i = 0; i < a->nlocks; i++)
        for (uint32_t k = 0; k < b->nlocks; k++)
            if (a->locks[i].lock == b->locks[k].lock && !(a->locks[i].last && b->locks[k].first))
                return false;
    return true;
}

static void predict_1(struct hd_idiom_trace *t, const struct hd_idiom_object *o)
{
    for (uint32_t i = o->records; i != 0; i = t->record[i - 1].next)
        for (uint32_t k = o->records; k != 0; k = t->record[k - 1].next) {
            const struct hd_idiom_record *a = &t->record[i - 1], *b = &t->record[k - 1];

            if (conflict(a, b) && can_precede(t, a, b) && locks_allow(a, b))
                hd_idioms_add(t->idioms, 1, (uint16_t[]){ a->place, b->place }, false);
        }
}

/* True if r needs a lock that the thread of the pair p holds from its first to its second access. */
static bool kept_out(const struct hd_idiom_pair *p, const struct hd_idiom_record *r)
{
    for (uint32_t i = 0; i < p->nthrough; i++)
        for (uint32_t k = 0; k < r->nlocks; k++)
            if (p->through[i] == r->locks[k].lock)
                return true;
    return false;
}

static void predict_2(struct hd_idiom_trace *t, const struct hd_idiom_object *o,
                      const struct hd_idiom_pair *p)
{
    const struct hd_idiom_record *a = &t->record[p->from], *c = &t->record[p->to];

    for (uint32_t i = o->records; i != 0; i = t->record[i - 1].next) {
        const struct hd_idiom_record *b = &t->record[i - 1];

        if (conflict(a, b) && conflict(b, c) && can_precede(t, a, b) && can_precede(t, b, c) &&
            !kept_out(p, b))
            hd_idioms_add(t->idioms, 2, (uint16_t[]){ a->place, b->place, c->place }, false);
    }
}

/* Predicts idioms a | b c | d (shapes 3 and 4 of idioms.h) in which a, d are the pair p and b, c the pair q. */
static void predict_3_4(struct hd_idiom_trace *t, const struct hd_idiom_pair *p,
                        const struct hd_idiom_pair *q)
{
    const struct hd_idiom_record *a = &t->record[p->from], *d = &t->record[p->to];
    const struct hd_idiom_record *b = &t->record[q->from], *c = &t->record[q->to];

    if (conflict(a, b) && conflict(c, d) && can_precede(t, a, b) && can_precede(t, c, d) &&
        !kept_out(p, b) && !kept_out(p, c))
        hd_idioms_add(t->idioms, a->obj == c->obj ? 3 : 4,
                      (uint16_t[]){ a->place, b->place, c->place, d->place }, false);
}

static bool share_lock(const struct hd_idiom_pair *p, const struct hd_idiom_pair *q)
{
    for (uint32_t i = 0; i < p->nthrough; i++)
        for (uint32_t k = 0; k < q->nthrough; k++)
            if (p->through[i] == q->through[k])
                return true;
    return false;
}

/* Predicts idioms a, b | b', a' (shape 5) in which one thread makes the pair p and the other one q. */
static void predict_5(struct hd_idiom_trace *t, const struct hd_idiom_pair *p,
                      const struct hd_idiom_pair *q)
{
    const struct hd_idiom_record *a = &t->record[p->from], *a2 = &t->record[p->to];
    const struct hd_idiom_record *b = &t->record[q->from], *b2 = &t->record[q->to];

    if (a->obj != a2->obj && conflict(a, b2) && conflict(b, a2) && can_precede(t, a, b2) &&
        can_precede(t, b, a2) && !share_lock(p, q))
        hd_idioms_add(t->idioms, 5, (uint16_t[]){ a->place, b->place, b2->place, a2->place }, false);
}

static void predict_pairs(struct hd_idiom_trace *t, uint32_t first)
{
    uint32_t n = 0, m;

    for (uint32_t i = first; i != 0 && n < BUCKET_MAX; i = t->pair[i - 1].next, n++) {
        m = 0;
        for (uint32_t k = first; k != 0 && m < BUCKET_MAX; k = t->pair[k - 1].next, m++) {
            predict_3_4(t, &t->pair[i - 1], &t->pair[k - 1]);
            predict_5(t, &t->pair[i - 1], &t->pair[k - 1]);
        }
    }
}

/* Shorter idioms come first, because maple tries them in this order. */
void hd_idiom_predict(struct hd_idiom_trace *t)
{
    for (uint32_t i = 0; i < t->nobjects; i++)
        predict_1(t, &t->object[i]);
    for (uint32_t i = 0; i < t->npairs; i++) {
        const struct hd_idiom_record *from = &t->record[t->pair[i].from];

        if (from->obj == t->record[t->pair[i].to].obj)
            predict_2(t, &t->object[from->object], &t->pair[i]);
    }
    for (uint32_t i = 0; i < t->nbuckets; i++)
        predict_pairs(t, t->bucket[i]);
}
