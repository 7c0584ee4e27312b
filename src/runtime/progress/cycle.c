/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cycle.c - recognises equal states of an execution.  See cycle.h.
 *
 * A state is kept as one hash.  To compute it, the runtime reads all memory that the program has changed.  So it
 * does that only when a thread's own state has recurred, which hardly ever happens by chance. */

#include "runtime/progress/cycle.h"

#include "base/check.h"
#include "base/hash.h"
#include "runtime/core/entry.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/progress/await.h"
#include "runtime/progress/lock_poll.h"
#include "runtime/progress/policy.h"
#include "runtime/progress/poll.h"
#include "runtime/report/finding.h"
#include "runtime/restore/heap_query.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "search/core/step.h"

/* The site at which a thread is checked for recurrence. */
struct ring {
    struct hd_visit at; /* pc 0: none yet */
    struct hd_visit here; /* its present site, while at_visit */
    uint64_t stack;     /* hash of the live stack at that visit; 0: not known */
    uint64_t progress;  /* progress of the thread at that visit */
    uint64_t stores;
    uint64_t opaque;
    uint32_t pause;     /* visits to skip next time */
    uint32_t others;    /* visits of other sites since that visit */
    uint32_t misses;    /* number of times that the thread returned to the site in another state */
    uint32_t passed;    /* number of misses since that visit */
    uint32_t limit;     /* value of `passed` at which another visit is kept instead (C5) */
    uint32_t epoch;     /* execution to which all this belongs */
    bool at_locks;      /* the thread is checked when it locks */
};

struct moment {
    uint64_t hash;
    uint32_t event; /* number of events before it */
};

unsigned char hd_cycle_locks;

static struct ring *rings;     /* by tid */
static struct moment *moments; /* [HD_CYCLE_STATES] */
static uint32_t nmoments;      /* number of states in this execution, including overwritten ones */
static struct hd_set last;     /* C4: threads that are scheduled last */
static struct hd_set hindered; /* C6: `last` applies until one of these has progressed */
static uint64_t hindered_progress;
static uint32_t nat_locks;     /* threads that are checked when they lock */

void hd_cycle_begin(void)
{
    size_t bytes = HD_MAX_THREADS * sizeof *rings + HD_CYCLE_STATES * sizeof *moments;

    if (rings == NULL) {
        rings = hd_mem_map(0, HD_PAGE_CEIL(bytes), PROT_READ | PROT_WRITE);
        HD_INVARIANT(rings != NULL, "no memory for the recognition of cycles");
        moments = (struct moment *)(void *)(rings + HD_MAX_THREADS);
    }
    nmoments = 0;
    hd_cycle_locks = 0;
    nat_locks = 0;
    hd.unfair = false;
    hd_set_clear(&hindered);
}

static struct ring *ring_of(const struct hd_thread *t)
{
    struct ring *r = &rings[t->tid];

    if (r->epoch != hd.epoch)
        *r = (struct ring){ .epoch = hd.epoch, .pause = 1 };
    return r;
}

/* ---- states ------------------------------------------------------------------------ */

static uint64_t stack_hash(const struct hd_thread *t, uintptr_t sp)
{
    return hd_hash_words(0, (const void *)sp, (t->stack_hi - sp) / 8);
}

static uint64_t stores_of(const struct hd_thread *t)
{
    return t == hd.cur ? hd.stores : t->stores;
}

/* Registers are known only for a thread that is at its ring's site.  For any other thread, the
 * runtime's own frames on its stack are part of the hash: states then are equal only if the thread
 * has not run in between. */
static uint64_t thread_hash(const struct hd_thread *t)
{
    const struct ring *r = &rings[t->tid];
    const struct hd_event *e = &hd.exec->pending[t->tid];
    uint64_t h = hd_hash_mix(hd_hash_mix(0, t->tid), hd.exec->threads[t->tid].state);

    if (hd.exec->threads[t->tid].state != HD_TH_LIVE)
        return h;
    h = hd_hash_mix(h, t->loop.opaque);
    h = hd_hash_mix(h, t->cancel.pending | (uint64_t)t->detached << 8 | (uint64_t)t->loop.visited << 16);
    h = hd_hash_mix(hd_hash_mix(h, t->signals.mask), t->signals.pending);
    if (t->loop.visited)
        return hd_hash_mix(hd_hash_mix(hd_hash_mix(h, r->here.pc), r->here.regs),
                           stack_hash(t, r->here.sp));
    h = hd_hash_mix(hd_hash_mix(hd_hash_mix(h, e->kind), e->obj), e->obj2);
    return hd_hash_mix(h, stack_hash(t, t->sp));
}

static void add_object(struct hd_obj *o, void *arg)
{
    uint64_t h = hd_hash_mix(hd_hash_mix(0, o->id), o->sync.owner);

    h = hd_hash_mix(h, (uint64_t)o->sync.count << 32 | (unsigned)o->sync.done << 8 | o->flags);
    h = hd_hash_mix(h, (uint64_t)o->sync.round << 32 | o->sync.limit);
    h = hd_hash_mix(h, (uint64_t)o->sync.nwaiters << 32 | o->sync.ntokens);
    h = hd_hash_bytes(h, &o->readers, sizeof o->readers);
    *(uint64_t *)arg += h; /* a sum, because the order of the table depends on the past */
}

/* Computes the hash of the state (C2).  Returns false if the program uses something that the hash does not cover. */
static bool take_moment(uint64_t *out)
{
    uint64_t h = hd.exec->nthreads, objects = 0, heap = 0;

    if (hd_changes.maps || (hd.exec->facts & (HD_FACT_IO | HD_FACT_TIMER | HD_FACT_SIGNAL)) ||
        !hd_heap_hash(&heap))
        return false;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        h = hd_hash_mix(h, thread_hash(&hd.thread[i]));
    hd_object_each(add_object, &objects);
    h = hd_hash_mix(h, objects);
    *out = hd_hash_mix(hd_hash_mix(h, heap), hd_snapshot_hash());
    return true;
}

/* ---- cycles -------------------------------------------------------------------------- */

static struct hd_set runners_since(uint32_t event)
{
    struct hd_set s = { 0 };

    for (uint32_t i = event; i < hd.exec->nevents; i++)
        hd_set_add(&s, hd.exec->events[i].tid);
    return s;
}

static bool all_known(const struct hd_set *runners)
{
    HD_SET_EACH(tid, runners)
        if (!hd.thread[tid].loop.visited)
            return false;
    return true;
}

/* True if an event, from number `event` on, has affected what t waits for.  A thread in a queue first waits for
 * a token. */
static bool was_touched(const struct hd_thread *t, uint32_t event)
{
    uint32_t one = t->obj != NULL ? t->obj->id : 0, two = t->obj2 != NULL ? t->obj2->id : 0;

    if (t->waits != NULL && t->waits->sync.ntokens == 0)
        one = two = t->waits->id + 1;
    for (uint32_t i = event; i < hd.exec->nevents; i++)
        if ((one != 0 && hd_event_touches(&hd.exec->events[i], one)) ||
            (two != 0 && hd_event_touches(&hd.exec->events[i], two)))
            return true;
    return false;
}

/* C3: true if t, which took no step, could have taken one.  That includes threads stopped by a bound and threads
 * that wait with a timeout.  It excludes parked threads: no location that they read has been written, so they
 * would only have returned to the same state; reads of that location by other threads do not release them.  A
 * thread in the middle of a round of several operations may leave the loop in the next round (await.h, A7).  A
 * thread that waits for a value counts if the location had such a value in between. */
static bool was_passed_over(const struct hd_thread *t, uint32_t event)
{
    if (t->loop.parked)
        return hd_await_is_within_round(t) || hd_await_could_leave(t, event);
    return hd_set_has(&hd.point.enabled, t->tid) || t->loop.stopped || hd_set_has(&hd.idle, t->tid) ||
           was_touched(t, event);
}

static bool is_fair(const struct hd_set *runners, uint32_t event)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.exec->threads[i].state == HD_TH_LIVE && !hd_set_has(runners, i) &&
            was_passed_over(&hd.thread[i], event))
            return false;
    return true;
}

/* To count as running, a thread must run in both halves: if it ran only in one, it may have been kept waiting for
 * most of the time.  If a thread has ended, the others may have waited for it, so the part is not fair. */
bool hd_cycle_is_fair(uint32_t event)
{
    uint32_t middle = event + (hd.exec->nevents - event) / 2;
    struct hd_set runners = { 0 }, late = runners_since(middle);

    HD_SET_EACH(tid, &late)
        if (hd.exec->threads[tid].state != HD_TH_LIVE)
            return false;
    for (uint32_t i = event; i < middle; i++)
        if (hd_set_has(&late, hd.exec->events[i].tid))
            hd_set_add(&runners, hd.exec->events[i].tid);
    return is_fair(&runners, event);
}

static void name_threads(const struct hd_set *s, char *text, size_t cap)
{
    unsigned n = hd_set_count(s), i = 0;
    size_t at = 0;

    HD_SET_EACH(tid, s) {
        const char *before = i == 0 ? "" : i + 1 == n ? " and " : ", ";

        if (at + 64 < cap)
            at += hd_format(text + at, cap - at, "%sT%u", before, tid);
        i++;
    }
}

static _Noreturn void report(const struct hd_set *runners, uint32_t event)
{
    char who[256];
    unsigned n = hd_set_count(runners);
    uint32_t skipped = hd_finding_events_skipped();
    struct hd_cycle_info info = { event > skipped ? event - skipped : 0, hd.exec->nevents - skipped };

    name_threads(runners, who, sizeof who);
    hd_finding_report(HD_FK_LIVELOCK, 0, &(struct hd_evidence){ .cycle = &info },
                      "%s can go on like this for ever: after %u steps everything is as it was, "
                      "and every thread that could run has run%s", who, hd.exec->nevents - event,
                      n > 1 ? "; they undo each other's work" : "");
    hd_execution_over(HD_END_LIVELOCK);
}

/* True if, since event number `event`, t has read an object without success that a thread of `by` has changed. */
static bool is_hindered(hd_tid t, const struct hd_set *by, uint32_t event)
{
    const struct hd_event *e = hd.exec->events;

    for (uint32_t i = event; i < hd.exec->nevents; i++) {
        if (e[i].tid != t || e[i].obj == 0 || !hd_event_polls(&e[i], hd_kind_traits[e[i].kind]))
            continue;
        for (uint32_t k = event; k < hd.exec->nevents; k++)
            if (e[k].tid != t && hd_set_has(by, e[k].tid) && hd_event_changes(&e[k], e[i].obj))
                return true;
    }
    return false;
}

/* C6: true if the cycle repeats by chance only.  *waiting: threads that only wait in it.  Long cycles are not
 * examined, since the time grows with the square of the length. */
static bool is_chance(const struct hd_set *runners, uint32_t event, struct hd_set *waiting)
{
    bool chance = false;

    hd_set_clear(waiting);
    if (hd.exec->nevents - event > HD_CYCLE_CHANCE)
        return false;
    HD_SET_EACH(tid, runners)
        if (!is_hindered((hd_tid)tid, runners, event))
            hd_set_add(waiting, tid);
    HD_SET_EACH(tid, runners)
        chance |= !hd_set_has(waiting, tid) && is_hindered((hd_tid)tid, waiting, event);
    return chance;
}

static uint64_t progress_of_hindered(void)
{
    uint64_t sum = 0;

    HD_SET_EACH(tid, &hindered)
        sum += hd.thread[tid].progress;
    return sum;
}

static void found(uint32_t event)
{
    struct hd_set runners = runners_since(event), waiting;

    if (!all_known(&runners) ||
        (hd.cfg->lock_polls && hd_set_count(&runners) == 1 && hd_lock_poll_expects(hd_set_next(&runners, 0), event)))
        return;
    hd_fact(HD_FACT_CYCLE);
    bool chance = is_chance(&runners, event, &waiting);

    if (!chance && is_fair(&runners, event))
        report(&runners, event);
    struct hd_set others = hd_set_minus(&hd.point.enabled, &runners);

    if (hd_set_is_empty(&others) && !chance)
        hd_await_give_up();
    last = chance ? waiting : runners;
    hd_set_clear(&hindered);
    if (chance)
        hindered = hd_set_minus(&runners, &waiting);
    hindered_progress = progress_of_hindered();
    hd.unfair = true;
    hd_poll_release_bound();
}

/* The longer no state recurs, the more rarely states are computed. */
static void compare(struct hd_thread *t)
{
    uint32_t kept = nmoments < HD_CYCLE_STATES ? nmoments : HD_CYCLE_STATES;
    uint64_t hash;

    if (hd.exit_begun || hd.failed || !take_moment(&hash))
        return;
    for (uint32_t i = 0; i < kept; i++) /* the latest match is the shortest cycle */
        if (moments[(nmoments - 1 - i) % HD_CYCLE_STATES].hash == hash) {
            found(moments[(nmoments - 1 - i) % HD_CYCLE_STATES].event);
            return;
        }
    moments[nmoments++ % HD_CYCLE_STATES] = (struct moment){ hash, hd.exec->nevents };
    if (nmoments > HD_CYCLE_STATES)
        t->loop.cycle_wait = nmoments / (HD_CYCLE_STATES / 8);
}

/* ---- visits ---------------------------------------------------------------------------- */

static void give_up(struct hd_thread *t, struct ring *r)
{
    r->at.pc = 0;
    t->loop.cycle_wait = r->pause;
    t->loop.lock_check = t->progress + r->pause;
    nat_locks -= r->at_locks;
    r->at_locks = false;
    hd_cycle_locks = nat_locks > 0; /* saving registers is expensive; the next check turns it on again */
    r->pause = 4 * r->pause < HD_CYCLE_PAUSE ? 4 * r->pause : HD_CYCLE_PAUSE;
}

static void stand_at(struct hd_thread *t, struct ring *r, const struct hd_visit *v, uint64_t stack)
{
    if (r->at.pc != v->pc) {
        r->misses = 0;
        r->limit = 1;
    }
    r->at = *v;
    r->stack = stack;
    r->others = r->passed = 0;
    r->progress = t->progress;
    r->stores = stores_of(t);
    r->opaque = t->loop.opaque;
}

/* poll.c handles rounds in which the thread has changed nothing. */
void hd_cycle_visit(struct hd_thread *t, const struct hd_visit *v)
{
    struct ring *r = ring_of(t);

    r->here = *v;
    t->loop.visited = v->regs != 0;
    if (r->at.pc != 0 && r->at.pc != v->pc) {
        if (++r->others > HD_CYCLE_FORGET)
            give_up(t, r);
        return;
    }
    /* Most loops count in a register: comparing registers first avoids hashing the stack. */
    bool regs = r->at.pc != 0 && v->regs != 0 && r->at.regs == v->regs && r->at.sp == v->sp;
    uint64_t stack = regs ? stack_hash(t, v->sp) | 1 : 0;
    bool same = regs && r->stack == stack;
    bool moved = r->progress != t->progress || r->stores != stores_of(t);
    /* A call into uninstrumented code ends the recurrence (C2), so the state need not be hashed. */
    bool opaque = r->opaque != t->loop.opaque;
    bool missed = r->at.pc != 0 && (!regs || opaque || (r->stack != 0 && !same));

    if (missed && ++r->misses >= HD_CYCLE_MISSES) {
        r->misses = 0;
        r->limit = 1;
        give_up(t, r);
        return;
    }
    if (missed && ++r->passed < r->limit)
        return;
    if (missed) /* C5: keep another visit */
        r->limit *= 2;
    stand_at(t, r, v, stack);
    if (same && moved && !opaque) {
        r->misses = 0;
        r->pause = 1;
        compare(t);
    }
}

/* At the first check of t, its registers were not saved, or were saved only because another thread is checked as
 * well. */
bool hd_cycle_lock(struct hd_thread *t, const struct hd_obj *o, uint64_t pc)
{
    struct hd_visit v = { .pc = pc };
    struct ring *r = ring_of(t);

    t->loop.lock_check = 0; /* check every visit from now on, until give_up */
    if (!r->at_locks) {
        r->at_locks = true;
        nat_locks++;
        hd_cycle_locks = 1;
    } else if (!hd_poll_entry(t, &v)) { /* state unknown: no reason to check again soon */
        t->loop.lock_check = t->progress + HD_CYCLE_PAUSE;
    }
    hd_entry.rsp = 0;
    if (hd.cfg->lock_polls && v.regs != 0 && t->locks == 0 && hd_lock_poll_visit(t, o, &v))
        return true;
    hd_cycle_visit(t, &v);
    return false;
}

hd_tid hd_cycle_pick(struct hd_point *p)
{
    struct hd_set all = p->enabled, others = hd_set_minus(&all, &last);

    if (!hd_set_is_empty(&others)) {
        p->enabled = others;
        p->last_enabled = hd_set_has(&others, p->last);
    }
    hd_tid next = hd_search_pick(&hd.search, p);

    p->enabled = all;
    hd.unfair = next == HD_NO_TID || hd_set_has(&last, next) ||
                (!hd_set_is_empty(&hindered) && progress_of_hindered() == hindered_progress);
    return next;
}
