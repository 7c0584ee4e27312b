/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton.c - applies the rules of model/sync.h to events.  Makes no libc calls. */
#include "model/automaton.h"

uint32_t hd_event_queue(const struct hd_event *e)
{
    switch ((enum hd_queue_change)hd_kind_info[e->kind].queue) {
    case HD_QUEUE_NONE:
        return 0;
    case HD_QUEUE_ENTER:
        return e->obj2;
    case HD_QUEUE_RELOCK:
        return e->obj2 - 1; /* obj2 is the token object, whose number follows that of the queue */
    default:
        return e->obj;
    }
}

uint32_t hd_event_lock(const struct hd_event *e)
{
    uint32_t queue = hd_event_queue(e);

    return queue == e->obj ? 0 : e->obj;
}

void hd_automaton_reset(struct hd_automaton *a, uint32_t nthreads)
{
    a->sync = (struct hd_sync_state){ .owner = HD_NO_TID, .round = 1 };
    a->value = 0;
    a->nthreads = nthreads;
    for (uint32_t t = 0; t < nthreads; t++)
        a->mark[t] = 0;
}

/* ---- events -------------------------------------------------------------------------- */

/* Sets, for all threads of a barrier's round, whether the first one to leave may be the serial thread. */
static void set_winners(struct hd_automaton *a, uint32_t round, bool first_wins)
{
    for (uint32_t t = 0; t < a->nthreads; t++)
        if (a->mark[t] == round)
            a->tokens[t] = first_wins;
}

static void arrive(struct hd_automaton *a, const struct hd_event *e)
{
    if (!hd_sync_arrive(&a->sync, &a->mark[e->tid], e->aux != 0))
        return;
    set_winners(a, a->sync.round, a->sync.known);
    hd_sync_next_round(&a->sync, a->sync.round + 1);
}

void hd_automaton_lock_event(struct hd_automaton *a, const struct hd_event *e)
{
    enum hd_change change = (enum hd_change)hd_kind_info[e->kind].change;
    bool failed = e->flags & HD_EVF_FAILED;
    bool by_aux = change == HD_CHANGE_CREATE || change == HD_CHANGE_OWN_QUEUED;

    hd_sync_happen(&a->sync, change, e->tid, failed, by_aux ? e->aux : e->value);
    switch (change) {
    case HD_CHANGE_ARRIVE: /* "failed" matters only for the access class of an arrival */
        arrive(a, e);
        break;
    case HD_CHANGE_LEAVE:
        if (!failed)
            set_winners(a, a->mark[e->tid], false);
        break;
    case HD_CHANGE_READ_IN:
        a->mark[e->tid] += !failed;
        break;
    case HD_CHANGE_READ_OUT:
        a->mark[e->tid] -= !failed;
        break;
    case HD_CHANGE_VALUE:
        a->value = e->value;
        a->sync.known = true;
        break;
    case HD_CHANGE_FORGET: /* the event is recorded before the write happens, so the value is unknown */
        a->sync.known = false;
        break;
    default:
        break;
    }
}

static void leave_queue(struct hd_automaton *a, hd_tid tid, bool with_token)
{
    if (with_token)
        hd_sync_take_token(&a->sync, a->tokens, a->mark[tid]);
    hd_sync_leave(&a->sync, a->tokens);
    a->mark[tid] = 0;
}

void hd_automaton_queue_event(struct hd_automaton *a, const struct hd_event *e)
{
    bool failed = e->flags & HD_EVF_FAILED;

    switch ((enum hd_queue_change)hd_kind_info[e->kind].queue) {
    case HD_QUEUE_ENTER:
        if (!failed)
            hd_sync_enter(&a->sync, &a->mark[e->tid]);
        break;
    case HD_QUEUE_SIGNAL:
        hd_sync_signal(&a->sync, a->tokens, 1);
        break;
    case HD_QUEUE_BROADCAST:
        hd_sync_signal(&a->sync, a->tokens, HD_MAX_THREADS);
        break;
    case HD_QUEUE_WAKE:
        hd_sync_signal(&a->sync, a->tokens, e->value);
        break;
    case HD_QUEUE_TAKE:
    case HD_QUEUE_RELOCK:
        leave_queue(a, e->tid, !failed && e->value != HD_WAKE_CANCELLED);
        break;
    case HD_QUEUE_LEAVE:
        leave_queue(a, e->tid, false);
        break;
    case HD_QUEUE_NONE:
        break;
    }
}

/* ---- questions ------------------------------------------------------------------------ */

/* The second half of a condition wait: a thread that has a token must also lock the mutex again. */
static enum hd_run wake(const struct hd_automaton *lock, const struct hd_automaton *queue,
                        const struct hd_event *e)
{
    bool futex = hd_kind_info[e->kind].obj == HD_OBJ_FUTEX;

    if (!hd_sync_has_token(&queue->sync, queue->tokens, queue->mark[e->tid]))
        return e->aux == HD_AUX_TIMED ? HD_RUN_FAILS : HD_RUN_BLOCKED;
    return futex ? HD_RUN_OK : hd_run_if(lock->sync.owner == HD_NO_TID);
}

enum hd_run hd_automaton_run(const struct hd_automaton *lock, const struct hd_automaton *queue,
                             const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    enum hd_run run;

    switch ((enum hd_when)k->when) {
    case HD_WHEN_ALWAYS:
        return e->flags & HD_EVF_FAILED ? HD_RUN_FAILS : HD_RUN_OK;
    case HD_WHEN_TOKEN:
        return wake(lock, queue, e);
    case HD_WHEN_EQUAL:
        return HD_RUN_UNKNOWN;
    case HD_WHEN_TIMER:
    case HD_WHEN_IO:
    case HD_WHEN_UNMODELLED:
        return HD_RUN_OK; /* treated as a success, because that conflicts with more operations */
    default:
        run = hd_sync_run(&lock->sync, (enum hd_when)k->when, e->tid, lock->mark[e->tid]);
    }
    if (run == HD_RUN_OK && k->when == HD_WHEN_ROUND_OVER && !lock->tokens[e->tid])
        return HD_RUN_FAILS;
    return run == HD_RUN_BLOCKED && !(k->traits & HD_TRAIT_BLOCKS) ? HD_RUN_FAILS : run;
}

bool hd_event_acquires(const struct hd_event *e)
{
    const struct hd_kind_info *k = &hd_kind_info[e->kind];
    bool takes = k->change == HD_CHANGE_OWN || k->change == HD_CHANGE_OWN_QUEUED ||
                 k->change == HD_CHANGE_READ_IN || k->change == HD_CHANGE_DOWN || k->queue == HD_QUEUE_TAKE;

    return takes && !(e->flags & HD_EVF_FAILED);
}
