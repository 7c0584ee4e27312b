/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps_loop.c - waiting loops that also store something: tickets, latches, barriers, a lock with a queue, two locks at
 * once; and one that gives up.  A round that changes nothing is no step. */
#include "steps.h"

static void at_phase(struct state *n, unsigned t, enum phase p)
{
    n->thread[t].phase = (uint8_t)p;
}

void wait_after_adding(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];

    if (me->phase == BEFORE) {
        struct state *n = successor(x, s);

        n->thread[t].loaded = o->kind == '[' ? (uint8_t)n->cell[o->a] : 0;
        n->cell[o->a]++;
        at_phase(n, t, WAITING);
    } else if (o->kind == '[' ? (uint8_t)s->cell[1 - o->a] == me->loaded : s->cell[o->a] >= o->b) {
        leave_loop(x, successor(x, s), t);
    }
}

void wait_with_others(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == ROUTINE && (uint8_t)s->cell[1 - o->a] == me->loaded)
        return;
    n = successor(x, s);
    switch (me->phase) {
    case BEFORE:
        n->thread[t].loaded = (uint8_t)n->cell[1 - o->a];
        at_phase(n, t, WAITING);
        break;
    case WAITING:
        n->cell[o->a]++;
        at_phase(n, t, n->cell[o->a] == o->b ? LATE : ROUTINE);
        break;
    case LATE:
        n->cell[o->a] = 0;
        at_phase(n, t, LEAVING);
        break;
    case LEAVING:
        n->cell[1 - o->a]++;
        leave_loop(x, n, t);
        break;
    default:
        leave_loop(x, n, t);
    }
}

void queue_lock(struct search *x, const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == ROUTINE && s->locked[t])
        return;
    n = successor(x, s);
    switch (me->phase) {
    case BEFORE:
        n->next[t] = 0;
        at_phase(n, t, WAITING);
        break;
    case WAITING:
        n->locked[t] = 1;
        at_phase(n, t, LATE);
        break;
    case LATE:
        n->thread[t].loaded = n->tail;
        n->tail = (uint8_t)(t + 1);
        if (n->thread[t].loaded == 0)
            leave_loop(x, n, t);
        else
            at_phase(n, t, LEAVING);
        break;
    case LEAVING:
        n->next[me->loaded - 1] = (uint8_t)(t + 1);
        n->thread[t].loaded = 0;
        at_phase(n, t, ROUTINE);
        break;
    default:
        leave_loop(x, n, t);
    }
}

void queue_unlock(struct search *x, const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == LATE && s->next[t] == 0)
        return;
    n = successor(x, s);
    if (me->phase == BEFORE && n->next[t] == 0) {
        at_phase(n, t, WAITING);
    } else if (me->phase == WAITING && n->tail != t + 1) {
        at_phase(n, t, LATE);
    } else if (me->phase == WAITING) {
        n->tail = 0;
        leave_loop(x, n, t);
    } else if (me->phase == LEAVING) {
        n->locked[me->loaded - 1] = 0;
        leave_loop(x, n, t);
    } else {
        n->thread[t].loaded = n->next[t];
        at_phase(n, t, LEAVING);
    }
}

void wait_or_give_up(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct state *n = successor(x, s);

    if (n->cell[o->a] == o->b) {
        leave_loop(x, n, t);
    } else if (++n->thread[t].loaded == TEXT_TRIES) {
        n->thread[t].loaded = 0;
        done(x, n, t, 1);
    }
}

/* loaded: 1 if this round began with the other one. */
void wait_for_both(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];
    unsigned first = (unsigned)o->a ^ me->loaded, second = 1 - first;
    struct state *n;

    if (me->phase == BEFORE && s->owner[first] != 0)
        return;
    n = successor(x, s);
    if (me->phase == BEFORE) {
        n->owner[first] = (uint8_t)(t + 1);
        n->count[first] = 1;
        at_phase(n, t, WAITING);
    } else if (me->phase == WAITING && s->owner[second] != 0) {
        at_phase(n, t, LATE);
    } else if (me->phase == WAITING) {
        n->owner[second] = (uint8_t)(t + 1);
        n->count[second] = 1;
        hold(&n->thread[t], first);
        hold(&n->thread[t], second);
        leave_loop(x, n, t);
    } else {
        n->owner[first] = n->count[first] = 0;
        n->thread[t].loaded = (uint8_t)(me->loaded ^ o->b);
        at_phase(n, t, BEFORE);
    }
}
