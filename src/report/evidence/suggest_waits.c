/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest_waits.c - suggestions about conditions.  The memory that a thread has read between locking the mutex and
 * waiting is taken to be the predicate for which it waits. */
#include <stdio.h>
#include <string.h>

#include "model/lock.h"
#include "report/evidence/accesses.h"
#include "report/evidence/describe.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/suggest_rules.h"
#include "report/evidence/value.h"

enum { MOST_READS = 8 };

/* A read of the predicate, by a plain access or by an atomic load. */
struct read {
    uint64_t addr, value, pc;
    hd_cname name;
    unsigned size;
    uint32_t obj; /* object of an atomic load; otherwise 0 */
    uint32_t at;  /* number of events before it */
};

struct predicate {
    struct read read[MOST_READS];
    unsigned n;
};

/* Returns the number of events up to the last one that took the mutex of the wait. */
static uint32_t section_before(const struct hd_report *r, uint32_t wait)
{
    const struct hd_event *e = &r->events[wait];
    uint32_t i = wait;

    while (i > 0 && !(r->events[i - 1].tid == e->tid && r->events[i - 1].obj == e->obj &&
                      hd_lock_effect(&r->events[i - 1]) == HD_LOCK_TAKES))
        i--;
    return i;
}

/* Adds a read.  Returns false if there are too many. */
static bool add_read(struct predicate *p, const struct read *read)
{
    unsigned k = 0;

    while (k < p->n && p->read[k].addr != read->addr)
        k++;
    if (k == MOST_READS)
        return false;
    p->read[k] = *read;
    p->n += k == p->n;
    return true;
}

static void forget(struct predicate *p, uint64_t addr)
{
    for (unsigned k = p->n; k-- > 0;)
        if (p->read[k].addr == addr)
            p->read[k] = p->read[--p->n];
}

static bool add_plain(const struct hd_report *r, hd_tid tid, uint32_t from, uint32_t to, struct predicate *p)
{
    for (uint32_t i = hd_accesses_from(r, from); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);
        struct read read = { .addr = a->addr, .value = a->value, .pc = hd_accesses_place(r, a), .name = a->name,
                             .size = a->size, .at = a->position };

        if (a->position > to)
            break;
        if (a->tid != tid || hd_cname_region(a->name) == HD_REG_STACK)
            continue;
        if (a->write)
            forget(p, a->addr); /* the thread itself has changed it */
        else if (a->valued && !add_read(p, &read))
            return false;
    }
    return true;
}

static bool add_atomic(const struct hd_report *r, hd_tid tid, uint32_t from, uint32_t to, struct predicate *p)
{
    for (uint32_t i = from; i < to; i++) {
        const struct hd_event *e = &r->events[i];
        const struct hd_object_info *o = &r->wire->common->objects[e->obj];
        struct read read = { .addr = o->addr, .value = e->value, .pc = hd_report_place(r, e), .name = o->name,
                             .size = 1u << (e->flags >> HD_EVF_SIZE_SHIFT), .obj = e->obj, .at = i };

        if (e->tid == tid && e->kind == HD_EV_ATOMIC_LOAD && !add_read(p, &read))
            return false;
    }
    return true;
}

/* Finds the reads of the thread between locking the mutex and waiting.  Returns false if there are none, or too
 * many. */
static bool predicate_of(const struct hd_report *r, uint32_t wait, struct predicate *p)
{
    hd_tid tid = r->events[wait].tid;
    uint32_t from = section_before(r, wait);

    p->n = 0;
    return from > 0 && add_plain(r, tid, from, wait, p) && add_atomic(r, tid, from, wait, p) && p->n > 0;
}

/* ---- broadcast instead of signal ------------------------------------------------------------ */

static int64_t last_wait(const struct hd_report *r, hd_tid tid, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;)
        if (r->events[i].tid == tid && r->events[i].kind == HD_EV_COND_WAIT)
            return i;
    return -1;
}

static int64_t last_signal(const struct hd_report *r, uint32_t queue)
{
    for (uint32_t i = r->nevents; i-- > 0;)
        if (r->events[i].obj == queue &&
            (r->events[i].kind == HD_EV_COND_SIGNAL || r->events[i].kind == HD_EV_COND_BROADCAST))
            return i;
    return -1;
}

static hd_tid woken_after(const struct hd_report *r, uint32_t signal, uint32_t tokens)
{
    for (uint32_t i = signal + 1; i < r->nevents; i++)
        if (r->events[i].kind == HD_EV_COND_WAKE && r->events[i].obj2 == tokens)
            return r->events[i].tid;
    return HD_NO_TID;
}

static bool is_read(const struct predicate *p, uint64_t addr, uint32_t obj)
{
    for (unsigned k = 0; k < p->n; k++)
        if (p->read[k].addr == addr || (obj != 0 && p->read[k].obj == obj))
            return true;
    return false;
}

/* True if a third thread changes the predicate of `waiter` after the signal.  Then that thread probably lacks a
 * signal. */
static bool is_changed_later(const struct hd_report *r, const struct predicate *p, uint32_t signal, hd_tid waiter,
                             hd_tid woken)
{
    for (uint32_t i = hd_accesses_from(r, signal + 1); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->write && a->tid != waiter && a->tid != woken && is_read(p, a->addr, 0))
            return true;
    }
    for (uint32_t i = signal + 1; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];

        if (e->tid != waiter && e->tid != woken && e->obj != 0 && e->kind != HD_EV_ATOMIC_LOAD &&
            hd_kind_info[e->kind].obj == HD_OBJ_MEMORY && is_read(p, 0, e->obj))
            return true;
    }
    return false;
}

/* True if the thread was waiting when the last signal came, and the signal woke another thread. */
static bool lacks_broadcast(const struct hd_report *r, hd_tid tid, struct hd_suggestion *out)
{
    struct predicate p;
    const struct hd_event *e = hd_report_pending(r, tid);
    int64_t wait = e != NULL && e->kind == HD_EV_COND_WAKE ? last_wait(r, tid, r->nevents) : -1;
    int64_t signal = wait >= 0 && e->obj2 > 0 ? last_signal(r, e->obj2 - 1) : -1;
    char who[64], other[64], cond[256];

    if (signal < wait || wait < 0 || r->events[signal].kind != HD_EV_COND_SIGNAL)
        return false;
    hd_tid woken = woken_after(r, (uint32_t)signal, e->obj2);

    if (woken == HD_NO_TID || woken == tid || !predicate_of(r, (uint32_t)wait, &p) ||
        is_changed_later(r, &p, (uint32_t)signal, tid, woken))
        return false;
    hd_describe_tid(tid, who, sizeof who);
    hd_describe_tid(woken, other, sizeof other);
    hd_describe_object(r, e->obj2, cond, sizeof cond);
    out->idea = "broadcast";
    snprintf(out->text, sizeof out->text,
             "wake all waiters: broadcast %s at %s instead of a signal, which woke %s while %s waited, too", cond,
             hd_describe_site(r, &r->events[signal]), other, who);
    return true;
}

bool hd_suggest_broadcast(const struct hd_report *r, struct hd_suggestion *out)
{
    if (r->finding->kind != HD_FK_DEADLOCK)
        return false;
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_BLOCKED && !r->stands[i].woken &&
            lacks_broadcast(r, (hd_tid)r->stands[i].tid, out))
            return true;
    return false;
}

/* ---- a loop around a wait -------------------------------------------------------------------- */

/* True if the location still has the value that was read after `position` events. */
static bool has_still(const struct hd_report *r, const struct read *read, uint32_t position)
{
    uint64_t value = read->value;

    for (uint32_t i = hd_accesses_from(r, read->at + 1); i < hd_accesses_count(r) && read->obj == 0; i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->position > position)
            break;
        if (a->write && a->addr == read->addr) {
            if (!a->valued || a->size != read->size)
                return false;
            value = a->value;
        }
    }
    for (uint32_t i = read->at + 1; i < position && read->obj != 0; i++) {
        const struct hd_event *e = &r->events[i];

        if (e->obj != read->obj || e->kind == HD_EV_ATOMIC_LOAD)
            continue;
        if (e->kind != HD_EV_ATOMIC_STORE)
            return false;
        value = e->value;
    }
    return value == read->value;
}

/* True if the thread reads the location in the same line again between two events. */
static bool looks_again(const struct hd_report *r, hd_tid tid, const struct read *read, uint32_t from, uint32_t to)
{
    const char *line = hd_symbols_site(r->symbols, read->pc);

    for (uint32_t i = hd_accesses_from(r, from); i < hd_accesses_count(r); i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->position > to)
            break;
        if (a->tid == tid && a->addr == read->addr && !a->write &&
            strcmp(line, hd_symbols_site(r->symbols, hd_accesses_place(r, a))) == 0)
            return true;
    }
    for (uint32_t i = from; i < to && read->obj != 0; i++)
        if (r->events[i].tid == tid && r->events[i].obj == read->obj &&
            strcmp(line, hd_describe_site(r, &r->events[i])) == 0)
            return true;
    return false;
}

/* Returns the next event of the thread from `from` on that takes or releases a lock. */
static uint32_t next_lock(const struct hd_report *r, hd_tid tid, uint32_t from)
{
    uint32_t i = hd_suggest_next(r, tid, from);

    while (i < r->nevents && hd_lock_effect(&r->events[i]) == HD_LOCK_NONE)
        i = hd_suggest_next(r, tid, i + 1);
    return i;
}

/* True if the event ends a wait successfully: a signal, or an injected wake-up without one. */
static bool ends_wait(const struct hd_report *r, uint32_t event)
{
    const struct hd_event *e = &r->events[event];
    struct hd_operation o;

    if (e->kind == HD_EV_COND_WAKE)
        return true;
    if (e->kind != HD_EV_COND_TIMEOUT)
        return false;
    hd_describe_parts(r, e, false, &o);
    return strcmp(o.value, " (fault)") == 0;
}

/* True if the wake-up was injected, no other thread ran between the wait and the lock that follows, and the thread
 * did not wait again.  Then the predicate cannot have changed.  (The compiler may have removed its reads.) */
static bool went_on_unchanged(const struct hd_report *r, uint32_t wait, uint32_t wake, uint32_t locked,
                              struct hd_suggestion *out)
{
    hd_tid tid = r->events[wake].tid;
    uint32_t then = hd_suggest_next(r, tid, locked + 1);
    char who[64];

    if (r->events[wake].kind != HD_EV_COND_TIMEOUT || then == r->nevents || r->events[then].kind == HD_EV_COND_WAIT ||
        hd_kind_is_fault(r->events[then].kind))
        return false;
    for (uint32_t i = wait; i <= locked; i++)
        if (r->events[i].tid != tid)
            return false;
    hd_describe_tid(tid, who, sizeof who);
    out->idea = "wait-loop";
    snprintf(out->text, sizeof out->text,
             "wait in a loop (`while` instead of `if`): the wait of %s at %s ended without a signal, as it may, while "
             "nothing had changed, and %s went on", who, hd_describe_site(r, &r->events[wait]), who);
    return true;
}

/* True if the thread continued although everything that it had read before the wait is
 * unchanged. */
static bool lacks_loop(const struct hd_report *r, uint32_t wake, struct hd_suggestion *out)
{
    struct predicate p;
    hd_tid tid = r->events[wake].tid;
    int64_t wait = last_wait(r, tid, wake);
    uint32_t locked = r->events[wake].kind == HD_EV_COND_WAKE ? wake : next_lock(r, tid, wake + 1);
    uint32_t end = next_lock(r, tid, locked + 1);
    struct hd_memory m;
    char who[64], value[128];

    if (wait < 0 || locked >= r->nevents || (end == r->nevents && tid != r->finding->tid))
        return false; /* otherwise the thread may not have continued yet */
    if (!predicate_of(r, (uint32_t)wait, &p))
        return went_on_unchanged(r, (uint32_t)wait, wake, locked, out);
    for (unsigned i = 0; i < p.n; i++)
        if (!has_still(r, &p.read[i], locked) || looks_again(r, tid, &p.read[i], locked + 1, end))
            return false;
    const struct read *last = &p.read[p.n - 1];

    if (!hd_memory_name(r, last->name, last->addr, &m))
        return false;
    hd_value_text(r, last->name, last->addr, last->value, last->size, value, sizeof value);
    hd_describe_tid(tid, who, sizeof who);
    out->idea = "wait-loop";
    snprintf(out->text, sizeof out->text,
             "wait in a loop (`while` instead of `if`): %s was woken at %s although %s was %s, still or again, "
             "and went on",
             who, hd_describe_site(r, &r->events[wait]), m.name, value[0] != '\0' ? value : "as before");
    return true;
}

bool hd_suggest_wait_loop(const struct hd_report *r, struct hd_suggestion *out)
{
    if (hd_report_is_stuck(r))
        return false;
    for (uint32_t i = r->nevents; i-- > 0;)
        if (ends_wait(r, i) && lacks_loop(r, i, out))
            return true;
    return false;
}
