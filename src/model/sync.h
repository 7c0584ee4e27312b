/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sync.h - the state of a synchronisation object, when an operation on it can take effect, and what the
 * operation changes.  This defines the columns when, change and queue of event_kinds.def.
 *
 * The gate and the interceptors apply these rules to the objects of the running program.  The search applies
 * them to orders of events that did not run (model/automaton.h).  Makes no libc calls. */
#ifndef HD_MODEL_SYNC_H
#define HD_MODEL_SYNC_H

#include "model/event.h"

/* Each type of object uses only some of the fields. */
struct hd_sync_state {
    hd_tid owner;      /* thread that holds the lock, writes, or runs the routine; HD_NO_TID: none */
    bool done;         /* once: the routine has run; thread: ended; process: exiting; semaphore: destroyed;
                        * mutex: not recoverable */
    bool known;        /* barrier: a thread of the open round checks whether it is the serial one; memory: its
                        * value is known */
    uint32_t count;    /* recursion depth; value of a semaphore; number of readers; arrivals in the open round;
                        * thread: 1 if detached */
    uint32_t limit;    /* barrier: number of arrivals that complete a round */
    uint32_t round;    /* barrier: the open round */
    uint32_t seq;      /* counter for the stamps of waiters and tokens */
    uint32_t nwaiters; /* queue: threads in it; barrier: threads that are free to leave; rwlock: writers that
                        * wait */
    uint32_t ntokens;  /* queue: number of tokens that no thread has taken; see below */
};

enum hd_run {
    HD_RUN_BLOCKED, /* not enabled; an attempt fails */
    HD_RUN_OK,
    HD_RUN_FAILS,   /* enabled; it fails, or a wait times out */
    HD_RUN_UNKNOWN, /* enabled; whether it fails is unknown */
};

/* Return the columns of a kind.  The result is a compile-time constant if the kind is one. */
static inline enum hd_when hd_kind_when(enum hd_kind kind)
{
    switch (kind) {
#define X(id, text, obj, ok1, fail1, acc2, traits, lock, hb, hb_fail, dep, when, ...) \
    case HD_EV_##id: return HD_WHEN_##when;
#include "model/event_kinds.def"
#undef X
    default: return HD_WHEN_ALWAYS;
    }
}

static inline enum hd_change hd_kind_change(enum hd_kind kind)
{
    switch (kind) {
#define X(id, text, obj, ok1, fail1, acc2, traits, lock, hb, hb_fail, dep, when, change, ...) \
    case HD_EV_##id: return HD_CHANGE_##change;
#include "model/event_kinds.def"
#undef X
    default: return HD_CHANGE_NONE;
    }
}

static inline enum hd_run hd_run_if(bool possible)
{
    return possible ? HD_RUN_OK : HD_RUN_BLOCKED;
}

/* Returns whether an operation of thread tid can take effect on the object. `round` is the barrier's round in
 * which the thread has arrived. */
static inline __attribute__((always_inline)) enum hd_run hd_sync_run(const struct hd_sync_state *s,
                                                                     enum hd_when when, hd_tid tid, uint32_t round)
{
    bool free = s->owner == HD_NO_TID;

    switch (when) {
    case HD_WHEN_FREE:
        return hd_run_if(free || s->done);
    case HD_WHEN_READABLE:
        return hd_run_if(free && s->nwaiters == 0);
    case HD_WHEN_WRITABLE:
        return hd_run_if(free && s->count == 0);
    case HD_WHEN_POSITIVE:
        return s->count == 0 && s->done ? HD_RUN_FAILS : hd_run_if(s->count > 0);
    case HD_WHEN_ZERO:
        return hd_run_if(s->count == 0);
    case HD_WHEN_ROUND_OVER:
        return hd_run_if(s->round != round);
    case HD_WHEN_LEFT:
        return hd_run_if(s->nwaiters == 0);
    case HD_WHEN_CLAIMABLE:
        return s->done ? HD_RUN_FAILS : hd_run_if(free);
    case HD_WHEN_ENDED:
        return s->count > 0 ? HD_RUN_FAILS : hd_run_if(s->done);
    case HD_WHEN_NOT_DONE:
        return hd_run_if(!s->done);
    case HD_WHEN_UNLOCKED:
        return hd_run_if(free || s->owner == tid);
    case HD_WHEN_NEVER:
        return HD_RUN_BLOCKED;
    default:
        return HD_RUN_OK;
    }
}

/* Changes the state after an operation of thread tid has taken effect. `number` is the initial value, or
 * whether a thread was created detached, or whether a writer has queued.  The effects of BARRIER_ARRIVE are
 * below, those of atomic operations in automaton.c. */
static inline __attribute__((always_inline)) void hd_sync_happen(struct hd_sync_state *s, enum hd_change change,
                                                                 hd_tid tid, bool failed, uint64_t number)
{
    switch (change) { /* these changes happen even if the operation failed */
    case HD_CHANGE_QUEUE:
        s->nwaiters++;
        return;
    case HD_CHANGE_OWN_QUEUED:
        s->nwaiters -= number != 0 && s->nwaiters > 0; /* it may be 0 already, after another init */
        break;
    case HD_CHANGE_LEAVE:
        s->nwaiters -= s->nwaiters > 0;
        return;
    case HD_CHANGE_FINISH:
        s->owner = HD_NO_TID;
        s->done = !failed; /* failed: the routine was left by an exception */
        return;
    default:
        break;
    }
    if (failed)
        return;
    switch (change) {
    case HD_CHANGE_OWN:
    case HD_CHANGE_OWN_QUEUED:
        s->owner = tid;
        break;
    case HD_CHANGE_DISOWN:
        s->owner = HD_NO_TID;
        break;
    case HD_CHANGE_READ_IN:
    case HD_CHANGE_UP:
    case HD_CHANGE_MORE:
        s->count++;
        break;
    case HD_CHANGE_READ_OUT:
    case HD_CHANGE_DOWN:
    case HD_CHANGE_LESS:
        s->count--;
        break;
    case HD_CHANGE_SET:
        s->count = (uint32_t)number;
        s->done = false;
        break;
    case HD_CHANGE_CREATE:
        s->count = (uint32_t)number;
        break;
    case HD_CHANGE_DETACH:
        s->count = 1;
        break;
    case HD_CHANGE_ROUNDS:
        s->limit = (uint32_t)number;
        s->count = 0;
        s->known = false;
        s->round++;
        break;
    case HD_CHANGE_DONE:
        s->done = true;
        break;
    default:
        break;
    }
}

/* ---- barriers ------------------------------------------------------------------------- */

/* Sets *round to the round in which the thread arrives.  Returns true if the round is full. */
static inline bool hd_sync_arrive(struct hd_sync_state *s, uint32_t *round, bool looks)
{
    *round = s->round;
    s->known |= looks;
    return ++s->count == s->limit;
}

static inline void hd_sync_next_round(struct hd_sync_state *s, uint32_t next)
{
    s->nwaiters += s->limit;
    s->count = 0;
    s->known = false;
    s->round = next;
}

/* ---- queues with tokens ---------------------------------------------------------------- */

/* Enters a queue.  A thread that waits enters with a stamp.  A signal adds a token with a later stamp, and a
 * waiter can take only a token whose stamp is later than its own. `tokens` holds the stamps of the queue's
 * ntokens tokens, oldest first. */
static inline void hd_sync_enter(struct hd_sync_state *s, uint32_t *stamp)
{
    *stamp = ++s->seq;
    s->nwaiters++;
}

static inline bool hd_sync_has_token(const struct hd_sync_state *s, const uint32_t *tokens, uint32_t stamp)
{
    return s->ntokens > 0 && tokens[s->ntokens - 1] > stamp;
}

/* Adds up to n tokens, at most one for each waiter that has none.  Returns how many were added. */
static inline unsigned hd_sync_signal(struct hd_sync_state *s, uint32_t *tokens, uint64_t n)
{
    unsigned given = 0;

    for (; given < n && s->ntokens < s->nwaiters; given++)
        tokens[s->ntokens++] = ++s->seq;
    return given;
}

/* Takes the oldest token that is younger than `stamp`.  Returns its stamp, or 0 if there is none. */
static inline uint32_t hd_sync_take_token(struct hd_sync_state *s, uint32_t *tokens, uint32_t stamp)
{
    uint32_t i = 0, taken;

    if (!hd_sync_has_token(s, tokens, stamp))
        return 0;
    while (tokens[i] <= stamp)
        i++;
    taken = tokens[i];
    s->ntokens--;
    for (; i < s->ntokens; i++)
        tokens[i] = tokens[i + 1];
    return taken;
}

/* Removes a waiter.  In an order that the search asks about, a waiter may leave before it has entered, so
 * nwaiters may be 0. */
static inline void hd_sync_leave(struct hd_sync_state *s, uint32_t *tokens)
{
    s->nwaiters -= s->nwaiters > 0;
    if (s->ntokens > s->nwaiters)
        hd_sync_take_token(s, tokens, 0); /* no waiter is left for this token */
}

/* Puts the token back: the thread that has just left with it leaves without it. */
static inline void hd_sync_give_back(struct hd_sync_state *s, uint32_t *tokens, uint32_t token)
{
    uint32_t i = s->ntokens++;

    for (; i > 0 && tokens[i - 1] > token; i--)
        tokens[i] = tokens[i - 1];
    tokens[i] = token;
    if (s->ntokens > s->nwaiters)
        hd_sync_take_token(s, tokens, 0);
}

#endif
