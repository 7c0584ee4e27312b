/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mailbox.c - messages: how they enter a mailbox, and how the owner takes them out.
 *
 * inbox is a list.  Any thread adds messages at its front; the owner takes the whole list at once and reverses it. A
 * message contains the life of the cell that it was sent to, so the owner can drop messages to an actor that used
 * the cell before. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "actor/cell.h"

heddle_message *heddle_message_new(const heddle_message_type *type, uint32_t id, size_t size)
{
    size_t all = size < sizeof(heddle_message) ? sizeof(heddle_message) : size;
    heddle_message *m = ha_allocate(all);

    *m = (heddle_message){ .type = type, .id = id, .size_ = (uint32_t)all };
    return m;
}

void heddle_message_free(heddle_message *m)
{
    free(m);
}

void heddle_message_keep(heddle_message *m)
{
    if (ha_current != NULL && ha_current->current == m)
        ha_current->current = NULL;
}

/* Adds m to the mailbox.  Returns ESRCH if the mailbox is closed, or EAGAIN if it is full and `bounded`. */
static int add(struct heddle_cell_ *c, heddle_message *m, bool bounded)
{
    uint32_t capacity = atomic_load_explicit(&c->capacity, memory_order_relaxed);

    if (capacity != 0 && atomic_fetch_add_explicit(&c->queued, 1, memory_order_relaxed) >= capacity && bounded) {
        atomic_fetch_sub_explicit(&c->queued, 1, memory_order_relaxed);
        return EAGAIN;
    }
    heddle_message *old = atomic_load_explicit(&c->inbox, memory_order_relaxed);

    do {
        if (old == HA_CLOSED)
            return ESRCH;
        m->next_ = (uintptr_t)old <= (uintptr_t)HA_CLOSED ? NULL : old;
    } while (!atomic_compare_exchange_weak_explicit(&c->inbox, &old, m, memory_order_acq_rel, memory_order_relaxed));
    ha_exec->sent(c);
    if (old == HA_IDLE)
        ha_exec->ready(c);
    else if (old == HA_BLOCKED)
        ha_exec->wakes(c);
    return 0;
}

int ha_push(heddle_ref to, heddle_message *m, bool bounded)
{
    struct heddle_cell_ *c = to.cell;

    if (c == NULL)
        return ESRCH;
    ha_exec->sends(c, m);
    if (atomic_load_explicit(&c->life, memory_order_acquire) != to.life || (ha_current != NULL && !ha_outlives(ha_current)))
        return ESRCH;
    bool actor = !(to.life & HA_THREAD);

    m->life_ = to.life;
    if (actor)
        ha_exec->counts(1);
    int rc = add(c, m, bounded);

    if (rc != 0 && actor)
        ha_exec->counts(-1);
    return rc;
}

/* Informs the sender of a request that it will get no answer. */
static void refuse(const heddle_message *m, int reason)
{
    heddle_down_message *down = (heddle_down_message *)(void *)heddle_message_new(&heddle_down_type, 0, sizeof *down);
    bool asked = m->request_ != 0;

    down->head.request_ = m->request_;
    down->head.flags_ = asked ? HA_ANSWER | HA_FAILED : HA_DOWN;
    down->who = (heddle_ref){ .cell = NULL };
    down->reason = reason;
    if (ha_push(m->sender, &down->head, false) != 0)
        free(down);
}

static _Atomic uint64_t dropped;

void ha_drop(heddle_message *m)
{
    if (m->request_ != 0 && !(m->flags_ & (HA_ANSWER | HA_JOIN)))
        refuse(m, HEDDLE_KILLED);
    if (!(m->flags_ & (HA_SYSTEM | HA_ANSWER | HA_DOWN)))
        atomic_fetch_add_explicit(&dropped, 1, memory_order_relaxed);
    free(m);
}

uint64_t heddle_dropped(void)
{
    return atomic_load(&dropped);
}

void ha_send(heddle_ref to, heddle_message *m)
{
    if (ha_push(to, m, false) != 0)
        ha_drop(m);
}

/* Sets each field by itself, because gcc calls no hook for the store of a returned structure. */
void ha_set_sender(heddle_message *m)
{
    struct heddle_cell_ *c = ha_current;

    m->sender.cell = c;
    m->sender.life = c != NULL ? ha_life(c) : 0;
    m->sender.first_ = 0;
}

int heddle_try_send(heddle_ref to, heddle_message *m)
{
    ha_started();
    if (ha_current != NULL && !ha_lives(ha_current))
        return ESRCH;
    ha_set_sender(m);
    m->flags_ &= ~(uint32_t)HA_TIMER; /* a kept message of a timer may be sent on */
    return ha_transmit(to, m);
}

void heddle_send(heddle_ref to, heddle_message *m)
{
    if (heddle_try_send(to, m) != 0)
        ha_drop(m);
}

/* ---- taking messages ---------------------------------------------------------------------------- */

static heddle_message *turned_round(heddle_message *m)
{
    heddle_message *oldest = NULL;

    while (m != NULL) {
        heddle_message *next = m->next_;

        m->next_ = oldest;
        oldest = m;
        m = next;
    }
    return oldest;
}

static bool refill(struct heddle_cell_ *c)
{
    if (c->batch != NULL)
        return true;
    if ((uintptr_t)atomic_load_explicit(&c->inbox, memory_order_relaxed) <= (uintptr_t)HA_CLOSED)
        return false;
    c->batch = turned_round(atomic_exchange_explicit(&c->inbox, HA_EMPTY, memory_order_acquire));
    return true;
}

bool ha_has_mail(struct heddle_cell_ *c)
{
    return refill(c);
}

heddle_message *ha_next(struct heddle_cell_ *c)
{
    heddle_message *m;

    while (refill(c)) {
        m = c->batch;
        c->batch = m->next_;
        if (atomic_load_explicit(&c->capacity, memory_order_relaxed) != 0)
            atomic_fetch_sub_explicit(&c->queued, 1, memory_order_relaxed);
        if (m->life_ == ha_life(c))
            return m;
        bool counts = !(m->life_ & HA_THREAD);

        ha_drop(m);
        if (counts)
            ha_exec->counts(-1);
    }
    return NULL;
}

heddle_message *ha_unstash(struct heddle_cell_ *c)
{
    heddle_message *m = c->stash;

    if (m != NULL)
        c->stash = m->next_;
    return m;
}

static void stash(struct heddle_cell_ *c, heddle_message *m)
{
    m->next_ = NULL;
    if (c->stash == NULL)
        c->stash_end = &c->stash;
    *c->stash_end = m;
    c->stash_end = &m->next_;
}

/* ---- receive inside of an action ----------------------------------------------------------------- */

static bool matches(const heddle_message *m, int (*match)(const heddle_message *, void *), void *context)
{
    return !(m->flags_ & HA_SYSTEM) && (match == NULL || match(m, context) != 0);
}

static heddle_message *stashed(struct heddle_cell_ *c, int (*match)(const heddle_message *, void *), void *context)
{
    for (heddle_message **at = &c->stash; *at != NULL; at = &(*at)->next_) {
        heddle_message *m = *at;

        if (!matches(m, match, context))
            continue;
        *at = m->next_;
        if (c->stash_end == &m->next_)
            c->stash_end = at;
        return m;
    }
    return NULL;
}

/* The action of a message that is received inside another action counts as done at once.  What the receiver then
 * does belongs to the other action, which is still counted. */
static heddle_message *taken(struct heddle_cell_ *c, heddle_message *m)
{
    if (c->what != NULL)
        ha_exec->counts(-1);
    return m;
}

heddle_message *ha_receive(int (*match)(const heddle_message *, void *), void *context, bool waits)
{
    struct heddle_cell_ *c = heddle_self().cell;
    heddle_message *m = stashed(c, match, context);

    if (m != NULL)
        return taken(c, m);
    for (;;) {
        if (c->crashed)
            return NULL;
        if (!waits)
            ha_exec->looks(c);
        if (!waits && !ha_has_mail(c))
            return NULL;
        ha_exec->wait(c);
        m = ha_next(c);
        if (m == NULL)
            continue;
        if (matches(m, match, context))
            return taken(c, m);
        stash(c, m);
        if (m->flags_ & (HA_KILL | HA_CRASH)) {
            c->reason = m->flags_ & HA_KILL ? HEDDLE_KILLED : HEDDLE_CRASHED;
            c->crashed = true; /* the rest of the action has no effect */
            return NULL;
        }
    }
}

heddle_message *heddle_receive(int (*match)(const heddle_message *, void *), void *context)
{
    ha_started();
    return ha_receive(match, context, true);
}

heddle_message *heddle_poll(int (*match)(const heddle_message *, void *), void *context)
{
    ha_started();
    return ha_receive(match, context, false);
}

static int is_answer(const heddle_message *m, void *number)
{
    return m->flags_ & HA_ANSWER && m->request_ == *(const uint64_t *)number;
}

heddle_message *heddle_request(heddle_ref to, heddle_message *m)
{
    ha_started();
    struct heddle_cell_ *c = heddle_self().cell;
    uint64_t number = ++c->requests;

    m->request_ = number;
    if (heddle_try_send(to, m) != 0) {
        free(m);
        return NULL;
    }
    heddle_message *answer = ha_receive(is_answer, &number, true);

    if (answer != NULL && answer->flags_ & HA_FAILED) {
        free(answer);
        return NULL;
    }
    return answer;
}

heddle_asker heddle_asker_of(const heddle_message *m)
{
    return (heddle_asker){ m->sender, m->request_ };
}

void heddle_answer(heddle_asker to, heddle_message *m)
{
    m->request_ = to.request;
    m->flags_ |= HA_ANSWER;
    if (ha_current != NULL && !ha_lives(ha_current)) {
        free(m);
        return;
    }
    ha_set_sender(m);
    ha_send(to.who, m);
}
