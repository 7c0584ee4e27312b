/* SPDX-License-Identifier: BSD-2-Clause
 *
 * decisive.c - guesses the decisive events of a finding that was not compared with other
 * executions.
 *
 * For a failed check, the best guess is the last access of another thread between two accesses of
 * one thread that is not serialisable: no serial order of the two threads gives the same values
 * (read-write-read, write-write-read, read-write-write, write-read-write).  If no access comes
 * between two others, the order of two conflicting accesses may be the cause.  Both are searched for
 * among the accesses to memory first, then among critical sections, each of which counts as one
 * access. */
#include "report/evidence/decisive.h"

#include "model/lock.h"
#include "report/evidence/deadlock.h"
#include "report/evidence/fault.h"
#include "report/evidence/kinds.h"
#include "report/evidence/livelock.h"

enum { LOOKED_AT = 4000 }; /* number of last events that are examined: the search is quadratic */

bool hd_decisive_has(const struct hd_decisive *d, uint32_t event)
{
    for (unsigned i = 0; i < d->n; i++)
        if (d->event[i] == event)
            return true;
    return false;
}

static void add(struct hd_decisive *d, uint32_t event)
{
    if (d->n < HD_DECISIVE_EVENTS && !hd_decisive_has(d, event))
        d->event[d->n++] = event;
}

/* ---- accesses ------------------------------------------------------------------------ */

/* Returns how an event accesses its object: HD_ACC_R or HD_ACC_W.  Returns HD_ACC_N for events that
 * the search ignores. */
typedef enum hd_access (*access_of)(const struct hd_event *e);

static enum hd_access memory_access(const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];

    if (k->obj != HD_OBJ_MEMORY)
        return HD_ACC_N;
    return (enum hd_access)(e->flags & HD_EVF_FAILED ? k->fail1 : k->ok1);
}

/* The accesses inside a critical section are not recorded, so a section with an exclusive lock
 * counts as a write. */
static enum hd_access section_access(const struct hd_event *e)
{
    enum hd_lock_effect effect = hd_lock_effect(e);

    return effect == HD_LOCK_TAKES ? HD_ACC_W : effect == HD_LOCK_SHARES ? HD_ACC_R : HD_ACC_N;
}

static bool same_place(const struct hd_event *a, const struct hd_event *b)
{
    return a->obj != 0 && a->obj == b->obj;
}

/* True if the event creates or joins a thread, or leaves a barrier.  Then the thread itself allows other threads
 * to run between its accesses before and after this event. */
static bool orders_others(const struct hd_event *e)
{
    return e->kind == HD_EV_THREAD_CREATE || e->kind == HD_EV_THREAD_JOIN ||
           e->kind == HD_EV_BARRIER_LEAVE;
}

/* Returns the index of the previous access to the same object by the thread of event `last`.
 * Returns -1 if there is none after `first`, or if orders_others is true of an event in between. */
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

/* Returns the last access of another thread that comes between events `first` and `last`, both of
 * one thread, and that no serial order explains.  For critical sections a conflict is enough.
 * Returns -1 if there is none. */
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

/* Called for each event e of a walk backwards from an event of `tid`.  If `tid` joins a thread at e, or a thread
 * creates `tid` at e, all earlier events of that thread happen before the event of `tid`.  Then adds it to *before. */
static void note_order(const struct hd_event *e, hd_tid tid, struct hd_set *before)
{
    if (e->kind == HD_EV_THREAD_JOIN && e->tid == tid && e->peer < HD_MAX_THREADS)
        hd_set_add(before, e->peer);
    if (e->kind == HD_EV_THREAD_CREATE && e->peer == tid && e->tid < HD_MAX_THREADS)
        hd_set_add(before, e->tid);
}

/* Returns the last conflicting access of another thread before event `last` that creation and join
 * do not order before it.  Returns -1 if there is none. */
static int64_t conflict_before(const struct hd_report *r, uint32_t first, uint32_t last,
                               access_of access)
{
    const struct hd_event *e = &r->events[last];
    struct hd_set before = { 0 };

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

/* Adds the last two conflicting accesses of different threads.  Returns false if there are none. */
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

/* Returns the last memory access of the thread or, if `others`, the last write of any other thread.
 * Returns -1 if there is none. */
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

/* Adds the last access of the failing thread if another thread is about to make a conflicting
 * access.  Returns false otherwise. */
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

/* Adds the last accesses, for executions without conflicting ones. */
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

/* ---- events for each kind of finding ---------------------------------------------------- */

static void take_from(struct hd_decisive *d, unsigned (*events)(const struct hd_report *, uint32_t *),
                      const struct hd_report *r)
{
    uint32_t found[HD_DECISIVE_EVENTS];
    unsigned n = events(r, found);

    for (unsigned i = 0; i < n; i++)
        add(d, found[i]);
}

void hd_decisive_locks(const struct hd_report *r, struct hd_decisive *d)
{
    take_from(d, hd_deadlock_events, r);
}

/* If no lock and no signal is involved (e.g. at a barrier), a value that a thread has read may have
 * kept it from arriving.  So the guess is the last pair of conflicting accesses. */
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

/* Adds the last step of the failing thread before the block was freed, unless the same thread freed it: at that
 * step the thread had the pointer, but did not prevent others from freeing the block. */
static void find_interrupted(const struct hd_report *r, struct hd_decisive *d)
{
    const struct hd_block_info *b = hd_report_block(r);
    uint32_t step = hd_report_first_step(r);
    int64_t last = -1;
    hd_tid section = HD_NO_TID;

    if (b == NULL || b->freed.pc == 0 || b->freed.tid == r->finding->tid)
        return;
    for (uint32_t i = 0; i < r->nevents; i++) {
        const struct hd_event *e = &r->events[i];
        bool inner = hd_report_is_inner(e, &section);

        step += !inner;
        if (step > b->freed.step)
            break;
        if (!inner && e->tid == r->finding->tid && e->kind != HD_EV_THREAD_START && e->kind != HD_EV_THREAD_CREATE)
            last = i;
    }
    if (last >= 0)
        add(d, (uint32_t)last);
}

/* The release of the block needs no event here: it has a row of its own (rows.c). */
void hd_decisive_in_memory(const struct hd_report *r, struct hd_decisive *d)
{
    find_in_memory(r, d);
    find_interrupted(r, d);
}

void hd_decisive_misuse(const struct hd_report *r, struct hd_decisive *d)
{
    hd_decisive_last_use(r, d);
    find_in_memory(r, d);
}

/* A comparison yields only the events whose order matters.  The essential events are needed to
 * understand them. */
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
    uint32_t event;

    for (uint32_t i = 0; hd_fault_effect(r, i, &event); i++) /* without the faults nothing would
                                                              * have failed */
        add(d, event);
}

/* A replay does not help for nondeterminism, because it differs again.  Nor does it help for a thread that hangs
 * in a call (a livelock without an explanation), because it hangs again. */
bool hd_decisive_can_be_seen(const struct hd_report *r)
{
    return r->finding->kind != HD_FK_NONDETERMINISM && r->nevents < HD_EVENTS_KEPT &&
           (r->finding->kind != HD_FK_LIVELOCK || hd_livelock_is_explained(r));
}
