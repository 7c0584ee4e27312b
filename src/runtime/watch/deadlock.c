/* SPDX-License-Identifier: BSD-2-Clause
 *
 * deadlock.c - finds wait-for cycles and reports them.
 *
 * A wait-for cycle, in which only the next thread can release what each one waits for (a lock, its
 * end), can never be broken.  So it does not matter when the search for cycles runs: equivalent
 * executions have the same cycles at their ends. */

#include "runtime/watch/deadlock.h"

#include <pthread.h>

#include "detect/deadlock.h"
#include "runtime/core/gate.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/report/finding.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "wire/wire.h"

static bool is_live(unsigned tid)
{
    return hd.exec->threads[tid].state == HD_TH_LIVE;
}

/* Adds the writers that queue for a writer-preferring lock. */
static void add_writers(const struct hd_obj *o, struct hd_set *out)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i) && hd.exec->pending[i].kind == HD_EV_RWLOCK_WRLOCK && hd.thread[i].obj == o)
            hd_set_add(out, i);
}

static void add_holders(const struct hd_obj *o, bool writer, struct hd_set *out)
{
    if (o->sync.owner != HD_NO_TID)
        hd_set_add(out, o->sync.owner);
    else if (writer && o->sync.count > 0)
        *out = o->readers;
}

/* Adds the threads for which t waits, if only they can release it. */
static void waits_for(const struct hd_thread *t, struct hd_set *out)
{
    const struct hd_event *e = &hd.exec->pending[t->tid];

    hd_set_clear(out);
    if (t->loop.parked)
        return;
    if (t->waits != NULL) { /* a thread that was woken still needs the mutex */
        if (t->obj2 != NULL && hd_gate_is_woken(t))
            add_holders(t->obj2, false, out);
        return;
    }
    switch (hd_kind_traits[e->kind] & HD_TRAIT_BLOCKS ? hd_kind_when((enum hd_kind)e->kind) : HD_WHEN_ALWAYS) {
    case HD_WHEN_FREE:
        if (t->obj->sync.done) /* locking it fails */
            break;
        /* fall through */
    case HD_WHEN_CLAIMABLE:
        add_holders(t->obj, false, out);
        break;
    case HD_WHEN_WRITABLE:
        add_holders(t->obj, true, out);
        break;
    case HD_WHEN_READABLE:
        add_holders(t->obj, false, out);
        if (hd_set_is_empty(out) && t->obj->sync.nwaiters > 0)
            add_writers(t->obj, out);
        break;
    case HD_WHEN_ENDED:
        if (!hd_thread_is_cancelled(t))
            hd_set_add(out, e->peer);
        break;
    default:
        break;
    }
}

static unsigned find_cycle(hd_tid *cycle)
{
    static struct hd_set edges[HD_MAX_THREADS];

    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i))
            waits_for(&hd.thread[i], &edges[i]);
        else
            hd_set_clear(&edges[i]);
    return hd_deadlock_cycle(edges, hd.exec->nthreads, cycle);
}

bool hd_deadlock_in_cycle(void)
{
    hd_tid cycle[HD_MAX_THREADS];

    return find_cycle(cycle) > 0;
}

/* ---- the report -------------------------------------------------------------------------- */

/* Writes a simple text.  The conductor makes a better one, because it knows the names of objects. */
static void describe_cycle(char *text, size_t cap, const hd_tid *cycle, unsigned n)
{
    size_t at = 0;

    for (unsigned i = 0; i < n && at + 64 < cap; i++)
        at += hd_format(text + at, cap - at, "%sT%u waits in %s for T%u", i == 0 ? "" : ", ", cycle[i],
                        hd_kind_info[hd.exec->pending[cycle[i]].kind].text, cycle[(i + 1) % n]);
}

static enum hd_standing standing(unsigned tid)
{
    if (hd.thread[tid].exiting)
        return HD_BLOCKED_STATE_EXITING;
    return hd_set_has(&hd.point.enabled, tid) ? HD_BLOCKED_STATE_FREE : HD_BLOCKED_STATE_BLOCKED;
}

static bool is_woken(const struct hd_thread *t)
{
    return t->waits != NULL && hd_gate_is_woken(t);
}

static uint32_t gather(struct hd_stand *out, const hd_tid *cycle, unsigned n)
{
    struct hd_set in_cycle;
    uint32_t at = 0;

    hd_set_clear(&in_cycle);
    for (unsigned i = 0; i < n; i++) {
        hd_set_add(&in_cycle, cycle[i]);
        out[at++] = (struct hd_stand){ cycle[i], HD_BLOCKED_STATE_IN_CYCLE, cycle[(i + 1) % n], true };
    }
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (is_live(i) && !hd_set_has(&in_cycle, i))
            out[at++] = (struct hd_stand){ i, standing(i), HD_NO_TID, is_woken(&hd.thread[i]) };
    return at;
}

static void report(const hd_tid *cycle, unsigned n)
{
    static struct hd_stand stands[HD_MAX_THREADS];
    char text[384] = "threads are blocked for ever, and nobody is left to wake them";

    if (n > 0)
        describe_cycle(text, sizeof text, cycle, n);
    struct hd_evidence e = { .blocked = stands, .nblocked = gather(stands, cycle, n) };

    hd_finding_report(HD_FK_DEADLOCK, 0, &e, "%s", text);
}

/* Reports that no thread can run. */
static void report_all(void)
{
    hd_tid cycle[HD_MAX_THREADS];

    report(cycle, find_cycle(cycle));
}

/* True if a thread outside of the cycle can run or end the process. */
static bool others_run(const hd_tid *cycle, unsigned n)
{
    struct hd_set others = hd.point.enabled;

    for (unsigned i = 0; i < n; i++)
        hd_set_remove(&others, cycle[i]);
    return !hd_set_is_empty(&others) || hd.exit_begun;
}

/* True if a thread of the cycle waits for a mutex that any thread may unlock. */
static bool may_be_broken(const hd_tid *cycle, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const struct hd_thread *t = &hd.thread[cycle[i]];
        const struct hd_obj *o = t->waits != NULL ? t->obj2 : t->obj;

        if (o->type == HD_OBJ_MUTEX && !o->robust && o->attr != PTHREAD_MUTEX_ERRORCHECK &&
            o->attr != PTHREAD_MUTEX_RECURSIVE)
            return true;
    }
    return false;
}

void hd_deadlock_partial(bool last)
{
    hd_tid cycle[HD_MAX_THREADS];
    unsigned n = hd.failed || hd.cfg->study ? 0 : find_cycle(cycle);

    if (n == 0 || !others_run(cycle, n) || (!last && may_be_broken(cycle, n)))
        return;
    report(cycle, n);
    hd.failed = 1;
}

const struct hd_detector hd_detector_deadlock = { .stuck = report_all };
