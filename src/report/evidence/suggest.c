/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest.c - suggestions about locks, critical sections, atomic operations and memory.  The rules
 * are tried in order, and the first that applies is the suggestion. */
#include "report/evidence/suggest.h"

#include <stdio.h>
#include <string.h>

#include "model/heap.h"
#include "model/lock.h"
#include "report/evidence/accesses.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/describe.h"
#include "report/evidence/library_lock.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/suggest_rules.h"

uint32_t hd_suggest_next(const struct hd_report *r, hd_tid tid, uint32_t from)
{
    while (from < r->nevents && r->events[from].tid != tid)
        from++;
    return from;
}

static bool is_write(const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    return (e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1) == HD_ACC_W;
}

/* ---- the order of locks ---------------------------------------------------------------------- */

/* A thread of the wait-for cycle: it holds the lock that the thread before it wants. */
struct member {
    hd_tid tid;
    uint32_t held, wanted;
    const struct hd_event *waits;
};

/* Returns the number of threads in the cycle; 0 if they do not all wait for a mutex. */
static unsigned circle_of(const struct hd_report *r, struct member *m, unsigned max)
{
    unsigned n = 0;

    while (n < r->nstands && r->stands[n].how == HD_BLOCKED_STATE_IN_CYCLE) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)r->stands[n].tid);

        if (n == max || e == NULL || e->kind != HD_EV_MUTEX_LOCK)
            return 0;
        m[n] = (struct member){ .tid = (hd_tid)r->stands[n].tid, .wanted = e->obj, .waits = e };
        n++;
    }
    for (unsigned i = 0; i < n; i++)
        m[i].held = m[(i + n - 1) % n].wanted;
    return n;
}

static bool is_ascending(const struct hd_report *r, const struct member *m)
{
    const struct hd_object_info *o = r->wire->common->objects;

    return o[m->held].addr < o[m->wanted].addr;
}

static const char *taken_at(const struct hd_report *r, const struct member *m)
{
    for (uint32_t i = 0; i < r->nholds; i++)
        if (r->holds[i].tid == m->tid && r->holds[i].obj == m->held)
            return hd_symbols_site(r->symbols, hd_report_hold_place(r, &r->holds[i]));
    return "";
}

/* True if the thread did not hold the lock that it wants when it took the one that it holds.
 * Otherwise the order of these two locks is not the mistake. */
static bool can_swap(const struct hd_report *r, const struct member *m)
{
    bool has_wanted = false, had_wanted = true;

    for (uint32_t i = 0; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];
        enum hd_lock_effect effect = e->tid == m->tid ? hd_lock_effect(e) : HD_LOCK_NONE;

        if (e->obj == m->held && effect == HD_LOCK_TAKES)
            had_wanted = has_wanted;
        if (e->obj == m->wanted && effect != HD_LOCK_NONE)
            has_wanted = effect != HD_LOCK_GIVES;
    }
    return !had_wanted && taken_at(r, m)[0] != '\0';
}

/* Returns the thread that can break the cycle by taking its two locks in the other order.  If there are more than two
 * threads, that is the one whose locks are in another order of addresses than those of all others; if there are two,
 * the one that can swap its locks. */
static struct member *odd_one(const struct hd_report *r, struct member *m, unsigned n)
{
    unsigned up = 0;

    for (unsigned i = 0; i < n; i++)
        up += is_ascending(r, &m[i]);
    for (unsigned i = 0; i < n; i++)
        if (is_ascending(r, &m[i]) == (2 * up < n) && can_swap(r, &m[i]))
            return &m[i];
    for (unsigned i = 0; i < n && n == 2; i++)
        if (can_swap(r, &m[i]))
            return &m[i];
    return NULL;
}

/* Returns where the thread waits; "" if it does not wait in a cycle of two threads for a lock.  Sets *other to the
 * other thread and *held to where this thread took its lock. */
static const char *waits_in_pair(const struct hd_report *r, hd_tid tid, hd_tid *other, const char **held)
{
    struct hd_wait own, back;
    const struct hd_event *e = hd_report_pending(r, tid);

    /* if the program itself uses a futex, it is not certain that the futex implements a lock */
    if (e == NULL || (e->kind == HD_EV_FUTEX_WAKEUP && hd_library_lock(r, e) == HD_LIBRARY_LOCK_NONE) ||
        !hd_deadlock_wait(r, tid, &own) || own.on == HD_NO_TID || own.on == tid || own.held_pc == 0 ||
        !hd_deadlock_wait(r, own.on, &back) || back.on != tid || back.held_pc == 0)
        return "";
    *other = own.on;
    *held = hd_symbols_site(r->symbols, back.held_pc);
    return hd_describe_site(r, e);
}

/* Handles two threads that run the same two lines with the locks exchanged.  Neither has the wrong order: the
 * locks need an order that does not depend on the arguments. */
static bool suggest_order_of_objects(const struct hd_report *r, struct hd_suggestion *out)
{
    if (r->finding->kind != HD_FK_DEADLOCK)
        return false;
    for (uint32_t t = 0; t < r->nthreads; t++) {
        hd_tid other = HD_NO_TID, back = HD_NO_TID;
        const char *held = "", *other_held = "", *here = waits_in_pair(r, (hd_tid)t, &other, &held);
        char who[64], whom[64];

        if (here[0] == '\0' || strcmp(here, waits_in_pair(r, other, &back, &other_held)) != 0 ||
            held[0] == '\0' || strcmp(held, other_held) != 0)
            continue;
        hd_describe_tid((hd_tid)t, who, sizeof who);
        hd_describe_tid(other, whom, sizeof whom);
        out->idea = "lock-order";
        snprintf(out->text, sizeof out->text,
                 "take the locks in one order: %s and %s both lock at %s and then at %s, but different objects; lock "
                 "first the one that is first in an order of all objects, e.g. of their addresses", who, whom, held, here);
        return true;
    }
    return false;
}

static bool suggest_lock_order(const struct hd_report *r, struct hd_suggestion *out)
{
    enum { MOST = 16 };
    struct member m[MOST];
    unsigned n = r->finding->kind == HD_FK_DEADLOCK ? circle_of(r, m, MOST) : 0;
    const struct member *odd = n >= 2 ? odd_one(r, m, n) : NULL;
    char who[64], first[256], second[256], other[64];

    if (odd == NULL)
        return false;
    hd_describe_tid(odd->tid, who, sizeof who);
    hd_describe_object(r, odd->wanted, first, sizeof first);
    hd_describe_object(r, odd->held, second, sizeof second);
    hd_describe_tid(m[odd == m].tid, other, sizeof other);
    bool both = n == 2 && can_swap(r, &m[odd == m]);

    out->idea = "lock-order";
    snprintf(out->text, sizeof out->text,
             "take the locks in one order everywhere: let %s take %s (now at %s) before %s (now at %s)%s%s%s", who,
             first, hd_describe_site(r, odd->waits), second, taken_at(r, odd), both ? ", as " : "", both ? other : "",
             both ? " does" : "");
    return true;
}

/* ---- one critical section, one atomic operation ----------------------------------------------- */

/* Sets e to the three events of a comparison; the second event is that of another thread. */
static bool came_between(const struct hd_report *r, const struct hd_event *e[3])
{
    if (r->why == NULL || r->why->nevents != 3 || r->why->event[2] >= r->nevents)
        return false;
    for (unsigned i = 0; i < 3; i++)
        e[i] = &r->events[r->why->event[i]];
    return e[0] < e[1] && e[1] < e[2] && e[0]->tid == e[2]->tid && e[0]->tid != e[1]->tid &&
           e[0]->obj == e[2]->obj && e[0]->obj == e[1]->obj;
}

/* True if another thread writes the location after more than `from` and at most `to` events. */
static bool is_changed(const struct hd_report *r, const struct hd_plain_access *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = hd_accesses_from(r, from + 1); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->position > to)
            return false;
        if (a->write && a->addr == x->addr && a->tid != x->tid)
            return true;
    }
    return false;
}

/* True if the thread accesses the location between the event and its next one. */
static bool is_used_after(const struct hd_report *r, const struct hd_plain_access *x, uint32_t event)
{
    uint32_t end = hd_suggest_next(r, x->tid, event + 1);

    for (uint32_t i = hd_accesses_from(r, event + 1); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->position > end)
            return false;
        if (a->tid == x->tid && a->addr == x->addr)
            return true;
    }
    return false;
}

/* Finds a value that the thread reads in its first critical section and uses in its second, and that another
 * thread changes in between. */
static const struct hd_plain_access *stale(const struct hd_report *r, uint32_t first, uint32_t second)
{
    hd_tid tid = r->events[first].tid;
    uint32_t end = hd_suggest_next(r, tid, first + 1);

    for (uint32_t i = hd_accesses_from(r, first + 1); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->position > end)
            break;
        if (a->tid == tid && !a->write && is_changed(r, a, end, second) && is_used_after(r, a, second))
            return a;
    }
    return NULL;
}

static bool suggest_one_section(const struct hd_report *r, struct hd_suggestion *out)
{
    const struct hd_event *e[3];
    struct hd_memory m;
    char lock[256];

    if (!came_between(r, e))
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (hd_lock_effect(e[i]) != HD_LOCK_TAKES)
            return false;
    const struct hd_plain_access *x = stale(r, r->why->event[0], r->why->event[2]);

    if (x == NULL || !hd_memory_name(r, x->name, x->addr, &m))
        return false;
    hd_describe_object(r, e[0]->obj, lock, sizeof lock);
    out->idea = "one-section";
    snprintf(out->text, sizeof out->text,
             "check and act in one critical section: do what is at %s and at %s under one lock of %s, so that %s cannot "
             "change in between", hd_describe_site(r, e[0]), hd_describe_site(r, e[2]), lock, m.name);
    return true;
}

static bool suggest_atomic_update(const struct hd_report *r, struct hd_suggestion *out)
{
    const struct hd_event *e[3];
    char object[256];

    if (!came_between(r, e) || e[0]->kind != HD_EV_ATOMIC_LOAD || !is_write(e[1]) ||
        hd_kind_info[e[1]->kind].obj != HD_OBJ_MEMORY ||
        (e[2]->kind != HD_EV_ATOMIC_STORE && e[2]->kind != HD_EV_ATOMIC_RMW))
        return false;
    for (const struct hd_event *i = e[0] + 1; i < e[2]; i++)
        if (i->tid == e[0]->tid && i->obj == e[0]->obj)
            return false; /* the thread has read the value again */
    hd_describe_object(r, e[0]->obj, object, sizeof object);
    out->idea = "atomic-update";
    snprintf(out->text, sizeof out->text,
             "make the load of %s at %s and the %s at %s one atomic operation", object, hd_describe_site(r, e[0]),
             e[2]->kind == HD_EV_ATOMIC_STORE ? "store" : "update", hd_describe_site(r, e[2]));
    return true;
}

/* ---- memory that is freed too early ------------------------------------------------------------ */

/* True if the thread frees the block without any synchronisation since it created the thread `user`. */
static bool only_created(const struct hd_report *r, hd_tid tid, hd_tid user, uint32_t steps)
{
    uint32_t at = hd_report_first_step(r);
    hd_tid section = HD_NO_TID;
    bool created = false;

    for (uint32_t i = 0; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        at += !hd_report_is_inner(e, &section);
        if (at > steps)
            break;
        if (e->tid != tid)
            continue;
        if (e->kind == HD_EV_THREAD_JOIN && e->peer == user)
            return false;
        if (e->kind == HD_EV_THREAD_CREATE)
            created |= e->peer == user;
        else if (created && e->kind != HD_EV_THREAD_JOIN && !hd_report_is_local(e))
            return false;
    }
    return created;
}

static bool suggest_join(const struct hd_report *r, struct hd_suggestion *out)
{
    const struct hd_block_info *b = hd_report_block(r);
    hd_tid user = (hd_tid)r->finding->tid;
    char who[64], freer[64];

    if (r->finding->kind != HD_FK_USE_AFTER_FREE || b == NULL || b->freed.pc == 0 || b->freed.tid == user ||
        b->allocated.tid != b->freed.tid || !only_created(r, b->freed.tid, user, b->freed.step))
        return false;
    hd_describe_tid(user, who, sizeof who);
    hd_describe_tid(b->freed.tid, freer, sizeof freer);
    out->idea = "join";
    snprintf(out->text, sizeof out->text, "free the block (%s) only after %s has joined %s, which still uses it",
             hd_symbols_site(r->symbols, b->freed.pc), freer, who);
    return true;
}

/* ---- all rules --------------------------------------------------------------------------------- */

bool hd_suggestion_find(const struct hd_report *r, struct hd_suggestion *out)
{
    static bool (*const rules[])(const struct hd_report *, struct hd_suggestion *) = {
        suggest_order_of_objects, suggest_lock_order, hd_suggest_broadcast, hd_suggest_wait_loop, hd_suggest_release_acquire,
        hd_suggest_lock, suggest_one_section, suggest_atomic_update, suggest_join,
    };

    *out = (struct hd_suggestion){ .idea = NULL };
    if (r->nevents >= HD_EVENTS_KEPT || (r->race != NULL && r->race->nskipped != 0))
        return false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i](r, out))
            return true;
    return false;
}

void hd_suggestion_text(const struct hd_text *t, const struct hd_report *r)
{
    struct hd_suggestion s;

    if (!hd_suggestion_find(r, &s))
        return;
    hd_text_ink(t, HD_INK_HEAD, "Suggestion: ");
    hd_text_wrap(t, 12, 2, s.text);
}
