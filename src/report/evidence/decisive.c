/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decisive.c - guessing the decisive events of a finding that nobody has compared.
 *
 * Of a failed check the best guess is the last access of another thread that came between
 * two of one thread, such that no serial order of the two would have given the same values
 * (read-write-read, write-write-read, read-write-write, write-read-write); of memory where
 * accesses were seen, else of critical sections.  Where there is none, the order of two
 * conflicting accesses is what can have mattered. */
#include "report/evidence/decisive.h"

#include "model/lock.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/kinds.h"
#include "report/evidence/livelock.h"

enum { LOOKED_AT = 4000 }; /* events before the end: the search is quadratic */

bool hd_decisive_has(const struct hd_decisive *d, uint32_t event)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->event[i] == event)
            return true;
    return false;
}

static void add(struct hd_decisive *d, uint32_t event)
{
    if (d->n < HD_WITNESS_EVENTS && !hd_decisive_has(d, event))
        d->event[d->n++] = event;
}

/* ---- accesses ------------------------------------------------------------------------ */

/* What an event does to its object: HD_ACC_R, HD_ACC_W, or HD_ACC_N when it is none of those
 * that are looked for. */
typedef enum hd_access (*access_of)(const struct hd_event *e);

static enum hd_access memory_access(const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    if (k->obj != HD_OBJ_MEMORY)
        return HD_ACC_N;
    return (enum hd_access)(e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1);
}

/* What a section does inside is not known: it may write. */
static enum hd_access section_access(const struct hd_event *e)
{
    enum hd_lock_effect effect = hd_lock_effect(e);

    return effect == HD_LOCK_TAKES ? HD_ACC_W : effect == HD_LOCK_SHARES ? HD_ACC_R : HD_ACC_N;
}

static bool same_place(const struct hd_event *a, const struct hd_event *b)
{
    return a->obj != 0 && a->obj == b->obj;
}

/* Between two events of its own a thread that creates or joins others orders them itself. */
static bool orders_others(const struct hd_event *e)
{
    return e->kind == HD_EV_THREAD_CREATE || e->kind == HD_EV_THREAD_JOIN ||
           e->kind == HD_EV_BARRIER_LEAVE;
}

/* The access of the same thread to the same object before event number `last`; -1: none, or
 * others were created or joined in between. */
static int64_t access_before(const struct hd_report *r, uint32_t first, uint32_t last,
                             access_of access)
{
    const struct hd_event *e = &r->events[last];

    for (uint32_t i = last; i-- > first;) {
        const struct hd_event *b = &r->events[i];

        if (b->tid != e->tid)
            continue;
        if (orders_others(b))
            return -1;
        if (same_place(b, e) && access(b) != HD_ACC_N)
            return i;
    }
    return -1;
}

static bool is_unserialisable(enum hd_access first, enum hd_access between, enum hd_access last)
{
    return between == HD_ACC_W ? !(first == HD_ACC_W && last == HD_ACC_W)
                               : first == HD_ACC_W && last == HD_ACC_W;
}

/* Another thread's access between two of one thread, the last of these. */
static int64_t access_between(const struct hd_report *r, uint32_t first, uint32_t last,
                              access_of access)
{
    const struct hd_event *e = &r->events[last];
    bool sections = access == section_access;

    for (uint32_t i = last; --i > first;) {
        const struct hd_event *b = &r->events[i];

        if (b->tid != e->tid && same_place(b, e) && access(b) != HD_ACC_N &&
            (sections ? access(b) == HD_ACC_W || access(e) == HD_ACC_W
                      : is_unserialisable(access(&r->events[first]), access(b), access(e))))
            return i;
    }
    return -1;
}

static bool find_between(const struct hd_report *r, uint32_t first, access_of access,
                         struct hd_decisive *d)
{
    for (uint32_t last = r->nevents; last-- > first;) {
        int64_t before, between;

        if (access(&r->events[last]) == HD_ACC_N ||
            (before = access_before(r, first, last, access)) < 0 ||
            (between = access_between(r, (uint32_t)before, last, access)) < 0)
            continue;
        add(d, (uint32_t)before);
        add(d, (uint32_t)between);
        add(d, last);
        return true;
    }
    return false;
}

/* Going back from an event of `tid`: whoever it has joined, and whoever has created it, did
 * everything before that before it. */
static void note_order(const struct hd_event *e, hd_tid tid, struct hd_set *before)
{
    if (e->kind == HD_EV_THREAD_JOIN && e->tid == tid && e->peer < HD_MAX_THREADS)
        hd_set_add(before, e->peer);
    if (e->kind == HD_EV_THREAD_CREATE && e->peer == tid && e->tid < HD_MAX_THREADS)
        hd_set_add(before, e->tid);
}

/* The last conflicting access of another thread that nothing has ordered; -1: none. */
static int64_t conflict_before(const struct hd_report *r, uint32_t first, uint32_t last,
                               access_of access)
{
    const struct hd_event *e = &r->events[last];
    struct hd_set before = { { 0 } };

    for (uint32_t i = last; i-- > first;) {
        const struct hd_event *b = &r->events[i];

        note_order(b, e->tid, &before);
        if (b->tid != e->tid && same_place(b, e) && access(b) != HD_ACC_N &&
            (access(b) == HD_ACC_W || access(e) == HD_ACC_W) && b->tid < HD_MAX_THREADS &&
            !hd_set_has(&before, b->tid))
            return i;
    }
    return -1;
}

/* Two accesses of different threads, the last ones. */
static bool find_pair(const struct hd_report *r, uint32_t first, access_of access,
                      struct hd_decisive *d)
{
    for (uint32_t last = r->nevents; last-- > first;) {
        int64_t before = access(&r->events[last]) != HD_ACC_N
                             ? conflict_before(r, first, last, access) : -1;

        if (before >= 0) {
            add(d, (uint32_t)before);
            add(d, last);
            return true;
        }
    }
    return false;
}

/* The last access to memory of that thread, or of all others that writes; -1: none. */
static int64_t last_access(const struct hd_report *r, uint32_t first, hd_tid tid, bool others)
{
    for (uint32_t i = r->nevents; i-- > first;) {
        const struct hd_event *e = &r->events[i];

        if (others ? e->tid != tid && memory_access(e) == HD_ACC_W
                   : e->tid == tid && memory_access(e) != HD_ACC_N)
            return i;
    }
    return -1;
}

bool hd_decisive_is_late(const struct hd_report *r, const struct hd_decisive *d, hd_tid tid)
{
    const struct hd_event *p = hd_report_pending(r, tid);

    for (unsigned i = 0; p != NULL && tid != r->finding->tid && i < d->n; i++) {
        const struct hd_event *e = &r->events[d->event[i]];

        if (e->tid == r->finding->tid && same_place(p, e) && memory_access(p) != HD_ACC_N &&
            (memory_access(p) == HD_ACC_W || memory_access(e) == HD_ACC_W))
            return true;
    }
    return false;
}

/* What the failing thread has just looked at, when another one stands before writing it. */
static bool find_late(const struct hd_report *r, uint32_t first, struct hd_decisive *d)
{
    int64_t last = last_access(r, first, (hd_tid)r->finding->tid, false);

    if (last < 0)
        return false;
    unsigned before = d->n;

    add(d, (uint32_t)last);
    for (uint32_t t = 0; t < r->nthreads; t++)
        if (hd_decisive_is_late(r, d, (hd_tid)t))
            return true;
    d->n = before;
    return false;
}

static uint32_t first_looked_at(const struct hd_report *r)
{
    return r->nevents > LOOKED_AT ? r->nevents - LOOKED_AT : 0;
}

static bool find_in_memory(const struct hd_report *r, struct hd_decisive *d)
{
    uint32_t first = first_looked_at(r);

    return find_late(r, first, d) || find_between(r, first, memory_access, d);
}

/* Nothing conflicts: then the last things that were done must do. */
static void find_last(const struct hd_report *r, struct hd_decisive *d)
{
    uint32_t first = first_looked_at(r);
    int64_t theirs = last_access(r, first, (hd_tid)r->finding->tid, true);
    int64_t own = last_access(r, first, (hd_tid)r->finding->tid, false);

    if (theirs >= 0)
        add(d, (uint32_t)theirs);
    if (own >= 0)
        add(d, (uint32_t)own);
}

/* What was done last to the object that the failing thread was about to use. */
void hd_decisive_last_use(const struct hd_report *r, struct hd_decisive *d)
{
    uint32_t tid = r->finding->tid;
    const struct hd_event *p = tid < r->npending ? &r->pending[tid] : NULL;

    for (uint32_t i = r->nevents; p != NULL && i-- > 0;)
        if (same_place(&r->events[i], p) && !hd_report_is_local(&r->events[i])) {
            add(d, i);
            return;
        }
}

void hd_decisive_conflict(const struct hd_report *r, struct hd_decisive *d)
{
    uint32_t first = first_looked_at(r);

    if (!find_in_memory(r, d) && !find_pair(r, first, memory_access, d) &&
        !find_between(r, first, section_access, d) && !find_pair(r, first, section_access, d))
        find_last(r, d);
}

/* ---- by kind ------------------------------------------------------------------------- */

static void take_from(struct hd_decisive *d, unsigned (*events)(const struct hd_report *, uint32_t *),
                      const struct hd_report *r)
{
    uint32_t found[HD_WITNESS_EVENTS];
    unsigned n = events(r, found);

    for (unsigned i = 0; i < n; i++)
        add(d, found[i]);
}

void hd_decisive_locks(const struct hd_report *r, struct hd_decisive *d)
{
    take_from(d, hd_deadlock_events, r);
}

/* Without locks and signals, a thread that does not come has seen something. */
void hd_decisive_deadlock(const struct hd_report *r, struct hd_decisive *d)
{
    take_from(d, hd_deadlock_decisive, r);
    if (d->n == 0)
        find_pair(r, first_looked_at(r), memory_access, d);
}

void hd_decisive_livelock(const struct hd_report *r, struct hd_decisive *d)
{
    take_from(d, hd_livelock_events, r);
}

/* That the block was freed has a row of its own. */
void hd_decisive_in_memory(const struct hd_report *r, struct hd_decisive *d)
{
    find_in_memory(r, d);
}

void hd_decisive_misuse(const struct hd_report *r, struct hd_decisive *d)
{
    hd_decisive_last_use(r, d);
    find_in_memory(r, d);
}

/* A comparison names the order of two events; the essential ones are needed to understand it. */
void hd_decisive_find(const struct hd_report *r, struct hd_decisive *d)
{
    const struct hd_kind_report *kind = hd_kind_report(r);

    d->n = 0;
    for (unsigned i = 0; r->why != NULL && i < r->why->nevents && i < HD_MAX_DECISIVE; i++)
        if (r->why->event[i] < r->nevents)
            add(d, r->why->event[i]);
    if (d->n > 0 && kind->essential != NULL)
        kind->essential(r, d);
    else if (d->n == 0 && kind->decisive != NULL)
        kind->decisive(r, d);
}

/* What hangs in a call hangs again, and what differs from run to run differs again. */
bool hd_decisive_can_be_seen(const struct hd_report *r)
{
    return r->finding->kind != HD_FK_NONDETERMINISM && r->nevents < HD_EVENTS_KEPT &&
           (r->finding->kind != HD_FK_LIVELOCK || hd_livelock_is_explained(r));
}
