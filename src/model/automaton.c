/* SPDX-License-Identifier: BSD-2-Clause
 *
 * automaton.c - the automata of all families of objects.  Pure memory: no libc. */
#include "model/automaton.h"

uint32_t hd_event_queue(const struct hd_event *e)
{
    switch (e->kind) {
    case HD_EV_COND_WAIT:
    case HD_EV_FUTEX_WAIT:
        return e->obj2;
    case HD_EV_COND_WAKE:
        return e->obj2 - 1; /* it names the tokens, which follow their queue */
    case HD_EV_COND_TIMEOUT:
    case HD_EV_COND_SIGNAL:
    case HD_EV_COND_BROADCAST:
    case HD_EV_FUTEX_WAKEUP:
    case HD_EV_FUTEX_TIMEOUT:
    case HD_EV_FUTEX_WAKE:
        return e->obj;
    default:
        return 0;
    }
}

uint32_t hd_event_lock(const struct hd_event *e)
{
    uint32_t queue = hd_event_queue(e);

    return queue == e->obj ? 0 : e->obj;
}

void hd_automaton_reset(struct hd_automaton *a, uint32_t nthreads)
{
    a->value = 0;
    a->count = a->limit = a->seq = a->nwaiters = a->ntokens = 0;
    a->round = 1;
    a->owner = HD_NO_TID;
    a->done = a->known = false;
    a->nthreads = nthreads;
    for (uint32_t t = 0; t < nthreads; t++)
        a->mark[t] = 0;
}

/* All threads of a barrier's round: may the first of them to leave win? */
static void tell_round(struct hd_automaton *a, uint32_t round, bool first_wins)
{
    for (uint32_t t = 0; t < a->nthreads; t++)
        if (a->mark[t] == round)
            a->tokens[t] = first_wins;
}

static void arrive(struct hd_automaton *a, const struct hd_event *e)
{
    a->mark[e->tid] = a->round;
    a->known |= e->aux != 0;
    if (++a->count == a->limit) {
        tell_round(a, a->round, a->known);
        a->nwaiters += a->limit;
        a->count = 0;
        a->known = false;
        a->round++;
    }
}

/* Families of one lock: what an operation that did not fail does. */
static void succeed(struct hd_automaton *a, const struct hd_event *e)
{
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_MUTEX_TRYLOCK:
    case HD_EV_MUTEX_TIMEDLOCK:
    case HD_EV_SPIN_LOCK:
    case HD_EV_SPIN_TRYLOCK:
    case HD_EV_RWLOCK_TRYWRLOCK:
    case HD_EV_ONCE_BEGIN:
    case HD_EV_COND_WAKE:
        a->owner = e->tid;
        break;
    case HD_EV_MUTEX_UNLOCK:
    case HD_EV_MUTEX_ABANDON:
    case HD_EV_SPIN_UNLOCK:
    case HD_EV_RWLOCK_WRUNLOCK:
    case HD_EV_COND_WAIT:
        a->owner = HD_NO_TID;
        break;
    case HD_EV_RWLOCK_RDLOCK:
    case HD_EV_RWLOCK_TRYRDLOCK:
    case HD_EV_RWLOCK_TIMEDRD:
        a->count++;
        a->mark[e->tid]++;
        break;
    case HD_EV_RWLOCK_RDUNLOCK:
        a->count--;
        a->mark[e->tid]--;
        break;
    case HD_EV_SEM_POST:
        a->count++;
        break;
    case HD_EV_SEM_WAIT:
    case HD_EV_SEM_TRYWAIT:
    case HD_EV_SEM_TIMEDWAIT:
        a->count--;
        break;
    case HD_EV_SEM_INIT:
        a->count = (uint32_t)e->value;
        a->done = false;
        break;
    case HD_EV_SEM_DESTROY:
        a->done = true;
        break;
    case HD_EV_THREAD_CREATE:
        a->count = e->aux;
        break;
    case HD_EV_THREAD_DETACH:
        a->count = 1;
        break;
    case HD_EV_BARRIER_INIT:
        a->limit = (uint32_t)e->value;
        a->count = a->nwaiters = 0;
        a->known = false;
        a->round++;
        break;
    case HD_EV_THREAD_END:
    case HD_EV_EXIT_BEGIN:
        a->done = true;
        break;
    default:
        break;
    }
}

void hd_automaton_lock_event(struct hd_automaton *a, const struct hd_event *e)
{
    bool failed = e->flags & HD_EVF_FAILED;

    switch (e->kind) {
    case HD_EV_BARRIER_ARRIVE: /* "failed" tells its access class only */
        arrive(a, e);
        break;
    case HD_EV_RWLOCK_QUEUE:
        a->nwaiters++;
        break;
    case HD_EV_RWLOCK_WRLOCK:
    case HD_EV_RWLOCK_TIMEDWR:
        a->nwaiters -= e->aux != 0 && a->nwaiters > 0; /* it has queued */
        if (!failed)
            a->owner = e->tid;
        break;
    case HD_EV_BARRIER_LEAVE:
        a->nwaiters -= a->nwaiters > 0;
        if (!failed)
            tell_round(a, a->mark[e->tid], false);
        break;
    case HD_EV_ONCE_END: /* failed: the routine was left by an exception */
        a->owner = HD_NO_TID;
        a->done = !failed;
        break;
    case HD_EV_ATOMIC_LOAD:
    case HD_EV_ATOMIC_STORE:
    case HD_EV_ATOMIC_RMW:
    case HD_EV_ATOMIC_CAS:
        a->value = e->value;
        a->known = true;
        break;
    case HD_EV_PLAIN_WRITE: /* announced before it happens: of what, nobody knows */
        a->known = false;
        break;
    default:
        if (!failed)
            succeed(a, e);
    }
}

static uint32_t oldest_token(const struct hd_automaton *a, hd_tid tid)
{
    uint32_t i = 0;

    while (i < a->ntokens && a->tokens[i] <= a->mark[tid])
        i++;
    return i;
}

static void give_tokens(struct hd_automaton *a, uint64_t n)
{
    for (; n > 0 && a->ntokens < a->nwaiters; n--)
        a->tokens[a->ntokens++] = ++a->seq;
}

static void leave_queue(struct hd_automaton *a, hd_tid tid, bool with_token)
{
    uint32_t i = oldest_token(a, tid);

    if (with_token && i < a->ntokens) {
        a->ntokens--;
        for (; i < a->ntokens; i++)
            a->tokens[i] = a->tokens[i + 1];
    }
    /* An order that cannot be may be asked about too: a waiter leaves before it came. */
    a->nwaiters -= a->nwaiters > 0;
    a->mark[tid] = 0;
}

void hd_automaton_queue_event(struct hd_automaton *a, const struct hd_event *e)
{
    bool failed = e->flags & HD_EVF_FAILED;

    switch (e->kind) {
    case HD_EV_COND_WAIT:
    case HD_EV_FUTEX_WAIT:
        if (!failed) {
            a->mark[e->tid] = ++a->seq;
            a->nwaiters++;
        }
        break;
    case HD_EV_COND_SIGNAL:
        give_tokens(a, 1);
        break;
    case HD_EV_COND_BROADCAST:
        give_tokens(a, a->nwaiters);
        break;
    case HD_EV_FUTEX_WAKE:
        give_tokens(a, e->value);
        break;
    case HD_EV_COND_WAKE:
    case HD_EV_FUTEX_WAKEUP:
        leave_queue(a, e->tid, !failed);
        break;
    case HD_EV_COND_TIMEOUT:
    case HD_EV_FUTEX_TIMEOUT:
        leave_queue(a, e->tid, false);
        break;
    default:
        break;
    }
}

static enum hd_run attempt(bool possible)
{
    return possible ? HD_RUN_OK : HD_RUN_FAILS;
}

static enum hd_run wait_for(bool possible)
{
    return possible ? HD_RUN_OK : HD_RUN_BLOCKED;
}

/* The second part of a wait: with a token it must relock as well. */
static enum hd_run wake(const struct hd_automaton *lock, const struct hd_automaton *queue,
                        const struct hd_event *e)
{
    bool token = oldest_token(queue, e->tid) < queue->ntokens;

    if (token && e->kind != HD_EV_FUTEX_WAKEUP && e->kind != HD_EV_FUTEX_TIMEOUT)
        return wait_for(lock->owner == HD_NO_TID);
    if (token)
        return HD_RUN_OK;
    return e->aux == HD_AUX_TIMED ? HD_RUN_FAILS : HD_RUN_BLOCKED;
}

enum hd_run hd_automaton_run(const struct hd_automaton *lock, const struct hd_automaton *queue,
                             const struct hd_event *e)
{
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_SPIN_LOCK:
        return wait_for(lock->owner == HD_NO_TID);
    case HD_EV_RWLOCK_RDLOCK:
        return wait_for(lock->owner == HD_NO_TID && lock->nwaiters == 0);
    case HD_EV_RWLOCK_WRLOCK:
        return wait_for(lock->owner == HD_NO_TID && lock->count == 0);
    case HD_EV_MUTEX_TRYLOCK:
    case HD_EV_MUTEX_TIMEDLOCK:
    case HD_EV_SPIN_TRYLOCK:
        return attempt(lock->owner == HD_NO_TID);
    case HD_EV_RWLOCK_TRYRDLOCK:
    case HD_EV_RWLOCK_TIMEDRD:
        return attempt(lock->owner == HD_NO_TID && lock->nwaiters == 0);
    case HD_EV_RWLOCK_TRYWRLOCK:
    case HD_EV_RWLOCK_TIMEDWR:
        return attempt(lock->owner == HD_NO_TID && lock->count == 0);
    case HD_EV_SEM_WAIT:
        return lock->done && lock->count == 0 ? HD_RUN_FAILS : wait_for(lock->count > 0);
    case HD_EV_SEM_TRYWAIT:
    case HD_EV_SEM_TIMEDWAIT:
        return attempt(lock->count > 0);
    case HD_EV_BARRIER_LEAVE:
        return lock->mark[e->tid] == lock->round ? HD_RUN_BLOCKED : attempt(lock->tokens[e->tid]);
    case HD_EV_BARRIER_DESTROY:
        return wait_for(lock->nwaiters == 0);
    case HD_EV_ONCE_BEGIN:
        return lock->done ? HD_RUN_FAILS : wait_for(lock->owner == HD_NO_TID);
    case HD_EV_THREAD_TRYJOIN:
        return attempt(lock->done && lock->count == 0);
    case HD_EV_THREAD_JOIN:
        return lock->count > 0 ? HD_RUN_FAILS : wait_for(lock->done);
    case HD_EV_EXIT_BEGIN:
        return wait_for(!lock->done);
    case HD_EV_EXIT_END:
        return HD_RUN_BLOCKED; /* it is always last and races with nothing */
    case HD_EV_COND_WAKE:
    case HD_EV_COND_TIMEOUT:
    case HD_EV_FUTEX_WAKEUP:
    case HD_EV_FUTEX_TIMEOUT:
        return wake(lock, queue, e);
    case HD_EV_ATOMIC_CAS:
        return HD_RUN_UNKNOWN;
    case HD_EV_STATE_WRITE: /* a stream that another thread has locked; all else is free */
    case HD_EV_STATE_UPDATE:
        return attempt(lock->owner == HD_NO_TID || lock->owner == e->tid);
    case HD_EV_TIMER_EXPIRE:
    case HD_EV_IO:
    case HD_EV_IO_WAIT:
    case HD_EV_IO_TIMED:
        return HD_RUN_OK; /* not modelled: taken for the stronger access */
    default:
        return e->flags & HD_EVF_FAILED ? HD_RUN_FAILS : HD_RUN_OK;
    }
}

bool hd_event_acquires(const struct hd_event *e)
{
    if (e->flags & HD_EVF_FAILED)
        return false;
    switch (e->kind) {
    case HD_EV_MUTEX_LOCK:
    case HD_EV_MUTEX_TRYLOCK:
    case HD_EV_MUTEX_TIMEDLOCK:
    case HD_EV_SPIN_LOCK:
    case HD_EV_SPIN_TRYLOCK:
    case HD_EV_RWLOCK_RDLOCK:
    case HD_EV_RWLOCK_TRYRDLOCK:
    case HD_EV_RWLOCK_TIMEDRD:
    case HD_EV_RWLOCK_WRLOCK:
    case HD_EV_RWLOCK_TRYWRLOCK:
    case HD_EV_RWLOCK_TIMEDWR:
    case HD_EV_ONCE_BEGIN:
    case HD_EV_COND_WAKE:
    case HD_EV_FUTEX_WAKEUP:
    case HD_EV_SEM_WAIT:
    case HD_EV_SEM_TRYWAIT:
    case HD_EV_SEM_TIMEDWAIT:
        return true;
    default:
        return false;
    }
}
