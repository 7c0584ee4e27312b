/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest_races.c - suggestions about data races: memory orders and locks. */
#include <stdio.h>
#include <string.h>

#include "model/lock.h"
#include "report/evidence/describe.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"
#include "report/evidence/suggest_rules.h"

/* ---- release and acquire ---------------------------------------------------------------------- */

static bool is_atomic_write(const struct hd_event *e)
{
    return e->kind == HD_EV_ATOMIC_STORE || e->kind == HD_EV_ATOMIC_RMW ||
           (e->kind == HD_EV_ATOMIC_CAS && !(e->flags & HD_EVF_FAILED));
}

static bool is_atomic_read(const struct hd_event *e)
{
    return e->kind == HD_EV_ATOMIC_LOAD || e->kind == HD_EV_ATOMIC_RMW || e->kind == HD_EV_ATOMIC_CAS;
}

static bool releases(const struct hd_event *e)
{
    return e->aux == __ATOMIC_RELEASE || e->aux == __ATOMIC_ACQ_REL || e->aux == __ATOMIC_SEQ_CST;
}

static bool acquires(const struct hd_event *e)
{
    return e->aux == __ATOMIC_ACQUIRE || e->aux == __ATOMIC_ACQ_REL || e->aux == __ATOMIC_SEQ_CST;
}

/* Returns the last write to the object before the event; NULL if there is none. */
static const struct hd_event *write_before(const struct hd_report *r, const struct hd_event *e)
{
    for (const struct hd_event *i = e; i-- > r->events;)
        if (i->obj == e->obj && is_atomic_write(i))
            return i;
    return NULL;
}

/* The thread of the second access has read an atomic object that the other thread wrote after the
 * first access.  With suitable memory orders, this would have ordered the two accesses. */
bool hd_suggest_release_acquire(const struct hd_report *r, struct hd_suggestion *out)
{
    if (r->race == NULL || r->witness == NULL)
        return false;
    struct hd_race_access first = hd_race_first(r);
    const struct hd_race_access *second = &r->race->race.second;
    char flag[256], what[256];

    for (uint32_t i = second->position < r->nevents ? second->position : r->nevents; i-- > first.position;) {
        const struct hd_event *load = &r->events[i], *store;

        if (load->tid != second->tid || !is_atomic_read(load) || (store = write_before(r, load)) == NULL ||
            store->tid != first.tid || store - r->events < first.position || (releases(store) && acquires(load)))
            continue;
        hd_describe_object(r, load->obj, flag, sizeof flag);
        hd_race_variable(r, what, sizeof what);
        out->idea = "release-acquire";
        snprintf(out->text, sizeof out->text,
                 "order the accesses by %s: write it with memory_order_release at %s, and read it with "
                 "memory_order_acquire at %s; then %s needs no more", flag, hd_describe_site(r, store),
                 hd_describe_site(r, load), what);
        return true;
    }
    return false;
}

/* ---- locks -------------------------------------------------------------------------------------- */

/* Returns the number of locks that the thread holds at the access, and sets *obj to the last of them. */
static unsigned locks_at(const struct hd_report *r, const struct hd_race_access *a, uint32_t *obj)
{
    uint32_t held[16];
    unsigned n = 0;

    for (uint32_t i = 0; i < r->nevents && i < a->position; i++) {
        const struct hd_event *e = &r->events[i];
        enum hd_lock_effect effect = e->tid == a->tid ? hd_lock_effect(e) : HD_LOCK_NONE;

        if (effect == HD_LOCK_TAKES && n < sizeof held / sizeof *held)
            held[n++] = e->obj;
        for (unsigned k = n; effect == HD_LOCK_GIVES && k-- > 0;)
            if (held[k] == e->obj) {
                held[k] = held[--n];
                break;
            }
    }
    *obj = n > 0 ? held[n - 1] : 0;
    return n;
}

/* A flag or a pointer is often read without a lock on purpose: then it should be atomic. */
static bool is_data(const struct hd_report *r)
{
    struct hd_race_memory m;

    hd_race_memory(r, &m);
    return m.type[0] != '\0' && strchr(m.type, '*') == NULL && strncmp(m.type, "volatile", 8) != 0 &&
           !(r->witness->labels & HD_RACE_FLAG);
}

/* True if one of the threads uses atomic operations: they may be meant to protect the data, and
 * then the mistake is elsewhere. */
static bool uses_atomics(const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nevents; i++)
        if ((is_atomic_write(&r->events[i]) || is_atomic_read(&r->events[i])) &&
            (r->events[i].tid == r->race->race.first.tid || r->events[i].tid == r->race->race.second.tid))
            return true;
    return false;
}

bool hd_suggest_lock(const struct hd_report *r, struct hd_suggestion *out)
{
    if (r->race == NULL || r->witness == NULL || r->race->race.first.atomic || r->race->race.second.atomic ||
        r->race->race.first.frees || r->race->race.second.frees || !is_data(r) ||
        uses_atomics(r))
        return false;
    struct hd_race_access a = hd_race_first(r), b = r->race->race.second;
    uint32_t la, lb;
    unsigned na = locks_at(r, &a, &la), nb = locks_at(r, &b, &lb);
    const char *here = hd_symbols_site(r->symbols, hd_report_access_place(r, &a));
    const char *there = hd_symbols_site(r->symbols, hd_report_access_place(r, &b));
    char what[256], lock[256], other[256];

    hd_race_variable(r, what, sizeof what);
    hd_describe_object(r, na == 1 ? la : lb, lock, sizeof lock);
    hd_describe_object(r, lb, other, sizeof other);
    if (na == 1 && nb == 1)
        snprintf(out->text, sizeof out->text, "hold the same lock at both places: %s is protected by %s at %s and by "
                 "%s at %s", what, lock, here, other, there);
    else if (na + nb == 1)
        snprintf(out->text, sizeof out->text, "hold the lock of %s also at %s, as at %s (here %s)", what,
                 na == 0 ? here : there, na == 0 ? there : here, lock);
    else if (na + nb == 0 && r->witness->labels & HD_RACE_COUNTER)
        snprintf(out->text, sizeof out->text, "protect %s with one lock at %s%s%s, or make it atomic", what, here,
                 strcmp(here, there) != 0 ? " and " : "", strcmp(here, there) != 0 ? there : "");
    else
        return false;
    out->idea = "lock";
    return true;
}
