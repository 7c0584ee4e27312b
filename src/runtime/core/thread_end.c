/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_end.c - the end of a logical thread.
 *
 * E1  A thread's last operation and its end are two events: another thread may see the first and
 *     find that the thread still runs.  A joining thread cannot tell them apart, because it waits
 *     for the end.  So the end is a step of its own (THREAD_LAST) only in programs that can observe
 *     it in another way.  The imports of the program's objects show that before main.
 * E2  A thread that has ended gives up its robust mutexes, and a thread that tries to lock one sees
 *     that.  Each is a step (MUTEX_ABANDON).  The mutex that was locked last comes first, as in the
 *     kernel.  The end itself comes after them.
 * E3  If main leaves by pthread_exit, the last thread ends the process and runs the exit handlers.
 *     Which one that is depends on the order of the ends.  So once that has occurred, a reduced search
 *     starts again, and every end is an access to the same object (main's thread). */
#include "base/check.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/event_words.h"
#include "runtime/core/gate.h"
#include "runtime/core/held.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

static bool is_seen;    /* E1: the program can observe the end of a thread */
static bool is_ordered; /* E3: applies to this execution */

void hd_thread_ends_init(void)
{
    static const char *const names[] = {
        "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np", "pthread_kill",
        "pthread_sigqueue", "tgkill", "pthread_getname_np", "pthread_setname_np",
        "pthread_getaffinity_np", "pthread_setaffinity_np", "pthread_getschedparam",
        "pthread_setschedparam", "pthread_setschedprio", "pthread_getcpuclockid", NULL
    };

    is_seen = hd_imports_may(names);
}

void hd_thread_end_seen(void)
{
    if (!is_seen) /* the caller is a library whose loading was not noticed */
        hd_uncontrolled("a library that was loaded unseen checks whether a thread has ended: that end is no "
                        "scheduling point");
}

bool hd_thread_is_alone(void)
{
    const struct hd_thread *t = hd.cur;

    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (i != t->tid && hd.exec->threads[i].state == HD_TH_LIVE)
            return false;
    return true;
}

/* ---- robust mutexes (E2) -------------------------------------------------------------------- */

struct held {
    const struct hd_thread *by;
    struct hd_obj *last;
};

static void look_for_last(struct hd_obj *o, void *arg)
{
    struct held *h = arg;

    if (o->type == HD_OBJ_MUTEX && o->robust && o->sync.owner == h->by->tid &&
        (h->last == NULL || o->sync.seq > h->last->sync.seq))
        h->last = o;
}

static void abandon(struct hd_thread *t, struct hd_obj *o)
{
    hd_op(HD_EV_MUTEX_ABANDON, o, NULL, 0);
    hd_take_effect(o, HD_EV_MUTEX_ABANDON, 0);
    o->sync.count = 0;
    o->flags |= HD_OF_INCONSISTENT;
    hd_lock_given(t, o);
    t->robust_held--;
    hd_done(0, 0);
}

static void abandon_robust(struct hd_thread *t)
{
    while (t->robust_held > 0) {
        struct held h = { t, NULL };

        hd_object_each(look_for_last, &h);
        if (h.last == NULL) /* the mutex was initialised again, or its memory is gone */
            break;
        abandon(t, h.last);
    }
}

/* ---- the end -------------------------------------------------------------------------------- */

void hd_thread_ends_begin(void)
{
    uint32_t since = hd.wire->common->ends_since;

    is_ordered = since != 0 && since <= hd_restart_pass();
}

/* E3: makes the end an access to main's object. */
static void order_end(void)
{
    if (HD_UNLIKELY(is_ordered))
        hd_touch(hd_thread_object(hd.thread[0].slot)->id, 0);
}

/* Call when the running thread is the last one and ends the process; in another schedule another thread may be the
 * last.  The fact is for a search that ends before it can restart. */
static HD_COLD void note_last(void)
{
    if (is_ordered)
        return;
    hd_restart_want();
    hd.wire->common->ends_since = hd_restart_pass() + 1;
    hd_fact(HD_FACT_LAST_THREAD);
}

/* Ends the process if the running thread is its last one. */
static void end_process_if_alone(void)
{
    order_end();
    if (!hd_thread_is_alone() || hd.exit_begun || hd.failed || hd.exec->assumed != 0)
        return;
    if (hd.exec->nthreads > 1)
        note_last();
    hd_callbacks.last_thread_ended(0, 0);
}

static _Noreturn void finish(struct hd_thread *t)
{
    struct hd_obj *o = hd_thread_object(t->slot);
    struct hd_event e;

    if (HD_UNLIKELY(t->locks != 0) && !hd.cfg->study)
        hd_callbacks.thread_left_locks(t);
    order_end();
    hd_event_set(&e, hd_event_head(t->tid, HD_EV_THREAD_END, HD_NO_TID), o->id, 0);
    hd_gate_record(&e, o);
    hd.progress++;
    t->state = HD_TH_FINISHED;
    hd.exec->threads[t->tid].state = HD_TH_FINISHED;
    hd_gate_reevaluate_object(o);
    if (hd.special)
        hd_callbacks.special_event(t, &e, o, false);
    hd_gate_leave_for_good();
}

void hd_thread_end(void)
{
    struct hd_thread *t = hd.cur;

    hd_callbacks.thread_leaves();
    if (!is_seen)
        end_process_if_alone();
    if (HD_UNLIKELY(hd.invariants))
        hd_callbacks.check_invariants();
    if (t->in_section)
        hd_callbacks.section_leave(t, 0);
    abandon_robust(t);
    if (is_seen) {
        hd_op(HD_EV_THREAD_LAST, hd_thread_object(t->slot), NULL, 0);
        hd_done(0, 0);
        end_process_if_alone(); /* check it only now, because other threads may have ended while this one waited */
    }
    finish(t);
}
