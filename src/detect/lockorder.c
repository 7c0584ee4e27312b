/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lockorder.c - finds lock-order cycles in the events of one execution.
 *
 * One pass over the events collects the requests; in a request, a thread asks for a lock while it holds others.
 * Requests that cannot be part of a cycle are dropped; usually these are all.  Among the others, cycles (L1,
 * L2) of up to SHORT threads are searched first, then longer ones: there can be exponentially many paths, and
 * the short cycles must not be missed because of them.  Each cycle is then checked (L3), by computing the
 * backward closure of the events that must have happened. (Does not call memset and the like, because it runs
 * inside the target.) */
#include "detect/lockorder.h"

/* SHORT: number of threads of a short cycle.  BUDGET: maximum number of cycles checked and requests compared in
 * one search, which programs that mostly nest locks would exceed. */
enum { SHORT = 4, BUDGET = 1 << 18, JUDGING = 1 << 12, ALIKE = 3 };

/* ---- requests ------------------------------------------------------------------------ */

static bool same_lock(const struct hd_lock_held *a, const struct hd_lock_held *b)
{
    return a->obj == b->obj && a->pc == b->pc && a->shared == b->shared;
}

static bool alike(const struct hd_lock_request *a, const struct hd_lock_request *b)
{
    if (a->tid != b->tid || a->nheld != b->nheld || !same_lock(&a->wanted, &b->wanted))
        return false;
    for (unsigned i = 0; i < a->nheld; i++)
        if (!same_lock(&a->held[i], &b->held[i]))
            return false;
    return true;
}

/* Adds a request, unless there are enough similar ones: a loop makes the same request repeatedly, differing
 * only in time. */
static void add_request(struct hd_lock_order *w, hd_tid tid, const struct hd_lock_held *wanted)
{
    struct hd_lock_request *r = &w->request[w->nrequests];
    unsigned seen = 0;

    if (w->nrequests == HD_LOCK_REQUESTS)
        return;
    r->wanted = *wanted;
    r->tid = tid;
    r->nheld = w->nheld[tid];
    for (unsigned i = 0; i < r->nheld; i++)
        r->held[i] = w->held[tid][i];
    for (uint32_t i = 0; i < w->nrequests; i++)
        seen += alike(&w->request[i], r);
    w->nrequests += seen < ALIKE;
}

static void take(struct hd_lock_order *w, const struct hd_event *e, uint32_t at, bool shared)
{
    struct hd_lock_held now = { e->obj, at, e->pc, shared };
    uint16_t *n = &w->nheld[e->tid];
    bool again = false;

    for (unsigned i = 0; i < *n; i++)
        again |= w->held[e->tid][i].obj == e->obj;
    if (*n > 0 && !again && hd_lock_waits(e))
        add_request(w, e->tid, &now);
    if (*n < HD_LOCK_HELD)
        w->held[e->tid][(*n)++] = now;
}

static void give(struct hd_lock_order *w, const struct hd_event *e)
{
    struct hd_lock_held *held = w->held[e->tid];
    uint16_t *n = &w->nheld[e->tid];

    for (unsigned i = *n; i-- > 0;)
        if (held[i].obj == e->obj) {
            for (--*n; i < *n; i++)
                held[i] = held[i + 1];
            return;
        }
}

static void gather(struct hd_lock_order *w)
{
    uint32_t highest = 0;

    w->nrequests = 0;
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        w->nheld[t] = 0;
    for (uint32_t i = 0; i < w->nevents; i++) {
        const struct hd_event *e = &w->events[i];
        enum hd_lock_effect effect = hd_lock_effect(e);

        highest = e->obj > highest ? e->obj : highest;
        if (effect == HD_LOCK_GIVES)
            give(w, e);
        else if (effect != HD_LOCK_NONE)
            take(w, e, i, effect == HD_LOCK_SHARES);
    }
    /* 2 and not 1, because the tokens of a condition variable have the number after its own */
    w->nobjects = highest + 2 < HD_LOCK_OBJECTS ? (highest + 2) / 64 + 1 : HD_LOCK_OBJECTS / 64;
}

/* ---- rule L3: events that must have happened ---- */

/* Returns the objects through which the event depends on others, and others on it (enum hd_dependence). */
static unsigned dependence(const struct hd_event *e)
{
    static const uint8_t by_class[] = { [HD_ACC_N] = 0,
                                        [HD_ACC_R] = HD_DEP_TAKES1,
                                        [HD_ACC_W] = HD_DEP_GIVES1 | HD_DEP_TAKES1,
                                        [HD_ACC_A] = HD_DEP_GIVES1 };
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    return k->dep != HD_DEP_CLASS ? k->dep : by_class[e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1];
}

static bool has_learnt(const struct hd_lock_order *w, uint32_t obj)
{
    return obj / 64 < w->nobjects && (w->taken[obj / 64] >> obj % 64 & 1);
}

static void learn(struct hd_lock_order *w, uint32_t obj)
{
    if (obj / 64 < w->nobjects)
        w->taken[obj / 64] |= UINT64_C(1) << obj % 64;
}

/* True if event number `at` has entered a critical section in which a thread of the cycle is. */
static bool is_entry(struct hd_lock_request *const *cycle, unsigned n, uint32_t at)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < cycle[i]->nheld; k++)
            if (cycle[i]->held[k].at == at)
                return true;
    return false;
}

static uint32_t latest_need(const struct hd_lock_order *w)
{
    uint32_t most = 0;

    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        most = w->need[t] > most ? w->need[t] : most;
    return most;
}

/* Computes the backward closure: if an event must have happened, so must every event that it depends on, and
 * all earlier events of that thread. */
static void close_backwards(struct hd_lock_order *w, struct hd_lock_request *const *cycle,
                            unsigned n)
{
    for (uint32_t i = 0; i < w->nobjects; i++)
        w->taken[i] = 0;
    for (uint32_t p = latest_need(w); p-- > 0;) {
        const struct hd_event *e = &w->events[p];
        unsigned d = dependence(e);

        if (p >= w->need[e->tid] && (((d & HD_DEP_GIVES1) && has_learnt(w, e->obj)) ||
                                     ((d & HD_DEP_GIVES2) && has_learnt(w, e->obj2))))
            w->need[e->tid] = p + 1;
        if (p >= w->need[e->tid])
            continue;
        if ((d & HD_DEP_TAKES1) && e->obj != 0 && !is_entry(cycle, n, p))
            learn(w, e->obj);
        if ((d & HD_DEP_TAKES2) && e->obj2 != 0)
            learn(w, e->obj2);
    }
}

/* Returns the number of the event that ends the critical section entered at event p. */
static uint32_t end_of_section(const struct hd_lock_order *w, uint32_t p)
{
    const struct hd_event *taken = &w->events[p];

    for (uint32_t q = p + 1; q < w->nevents; q++)
        if (w->events[q].tid == taken->tid && w->events[q].obj == taken->obj &&
            hd_lock_effect(&w->events[q]) == HD_LOCK_GIVES)
            return q;
    return w->nevents;
}

/* Requires that the other threads that held the lock before have released it.  Returns true if that adds
 * events. */
static bool let_go(struct hd_lock_order *w, hd_tid tid, const struct hd_lock_held *h)
{
    bool more = false;

    for (uint32_t p = 0; p < h->at; p++) {
        const struct hd_event *e = &w->events[p];
        enum hd_lock_effect effect = e->obj == h->obj ? hd_lock_effect(e) : HD_LOCK_NONE;

        if (e->tid == tid || p >= w->need[e->tid] ||
            (effect != HD_LOCK_TAKES && (effect != HD_LOCK_SHARES || h->shared)))
            continue;
        uint32_t end = end_of_section(w, p);

        if (end >= w->need[e->tid]) {
            w->need[e->tid] = end + 1;
            more = true;
        }
    }
    return more;
}

static bool all_let_go(struct hd_lock_order *w, struct hd_lock_request *const *cycle, unsigned n)
{
    bool more = false;

    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < cycle[i]->nheld; k++)
            more |= let_go(w, cycle[i]->tid, &cycle[i]->held[k]);
    return !more;
}

static bool is_possible(struct hd_lock_order *w, struct hd_lock_request *const *cycle, unsigned n)
{
    for (unsigned t = 0; t < HD_MAX_THREADS; t++)
        w->need[t] = 0;
    for (unsigned i = 0; i < n; i++)
        w->need[cycle[i]->tid] = cycle[i]->wanted.at;
    for (;;) {
        close_backwards(w, cycle, n);
        bool stable = all_let_go(w, cycle, n);

        for (unsigned i = 0; i < n; i++)
            if (w->need[cycle[i]->tid] > cycle[i]->wanted.at)
                return false;
        if (stable)
            return true;
    }
}

/* ---- rules L1 and L2: cycles ---- */

/* Returns the lock that `holder` holds and that blocks the wanted one, or NULL. */
static const struct hd_lock_held *in_the_way(const struct hd_lock_request *holder,
                                             const struct hd_lock_held *wanted)
{
    for (unsigned i = 0; i < holder->nheld; i++)
        if (holder->held[i].obj == wanted->obj && !(holder->held[i].shared && wanted->shared))
            return &holder->held[i];
    return NULL;
}

static bool excludes(const struct hd_lock_request *a, const struct hd_lock_request *b)
{
    if (a->tid == b->tid)
        return true;
    for (unsigned i = 0; i < a->nheld; i++)
        if (in_the_way(b, &a->held[i]) != NULL)
            return true;
    return false;
}

/* Drops the requests for which no other request waits, and those that wait for no other request.  Repeated
 * until each remaining request has both: only these can be in a cycle. */
static bool drop_some(struct hd_lock_order *w)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < w->nrequests; i++) {
        const struct hd_lock_request *r = &w->request[i];
        bool waits = false, awaited = false;

        for (uint32_t k = 0; k < w->nrequests && !(waits && awaited); k++) {
            const struct hd_lock_request *other = &w->request[k];

            waits |= other->tid != r->tid && in_the_way(other, &r->wanted) != NULL;
            awaited |= other->tid != r->tid && in_the_way(r, &other->wanted) != NULL;
        }
        w->kept[i] = waits && awaited;
    }
    for (uint32_t i = 0; i < w->nrequests; i++)
        if (w->kept[i])
            w->request[kept++] = w->request[i];
    bool some = kept < w->nrequests;

    w->nrequests = kept;
    return some;
}

static void tell_cycle(struct hd_lock_order *w, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct hd_lock_request *r = w->cycle[i];
        const struct hd_lock_held *h = in_the_way(r, &w->cycle[(i + n - 1) % n]->wanted);

        w->step[i] = (struct hd_lock_step){ h->obj, r->wanted.obj, h->at, r->wanted.at, h->pc,
                                            r->wanted.pc, r->tid, { 0 } };
    }
    w->tell(w->ctx, w->step, n);
}

static bool spend(struct hd_lock_order *w, uint32_t cost)
{
    bool enough = w->budget >= cost;

    w->budget = enough ? w->budget - cost : 0;
    return enough;
}

static void judge(struct hd_lock_order *w, unsigned n)
{
    if (!spend(w, JUDGING))
        return;
    if (is_possible(w, w->cycle, n))
        tell_cycle(w, n);
    else
        w->ruled_out++;
}

/* Extends the path of n requests to cycles of `least` to `most` requests.  Tries only requests after the first
 * one of the path, so that each cycle is found once. */
static void extend(struct hd_lock_order *w, unsigned n, unsigned least, unsigned most)
{
    const struct hd_lock_request *last = w->cycle[n - 1];

    for (struct hd_lock_request *r = w->cycle[0] + 1;
         r < w->request + w->nrequests && spend(w, 1); r++) {
        bool fits = in_the_way(r, &last->wanted) != NULL;

        for (unsigned i = 0; i < n && fits; i++)
            fits = !excludes(w->cycle[i], r);
        if (!fits)
            continue;
        w->cycle[n] = r;
        if (in_the_way(w->cycle[0], &r->wanted) == NULL) {
            if (n + 1 < most)
                extend(w, n + 1, least, most);
        } else if (n + 1 >= least) {
            judge(w, n + 1);
        }
    }
}

static void search(struct hd_lock_order *w, unsigned least, unsigned most)
{
    w->budget = BUDGET;
    for (uint32_t i = 0; i + 1 < w->nrequests; i++) {
        w->cycle[0] = &w->request[i];
        extend(w, 1, least, most);
    }
}

unsigned hd_lock_order_look(struct hd_lock_order *w, const struct hd_event *events,
                            uint32_t nevents, hd_lock_cycle_fn *tell, void *ctx)
{
    w->events = events;
    w->nevents = nevents;
    w->tell = tell;
    w->ctx = ctx;
    w->ruled_out = 0;
    gather(w);
    while (drop_some(w))
        ;
    search(w, 2, SHORT);
    search(w, SHORT + 1, HD_MAX_THREADS);
    return w->ruled_out;
}
