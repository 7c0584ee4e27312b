/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps_lock.c - mutexes, read-write locks, spin locks. */
#include "steps.h"

void hold(struct thread *me, unsigned what)
{
    if (me->nheld < HELD)
        me->held[me->nheld++] = (uint8_t)what;
}

static bool let_go(struct thread *me, unsigned what)
{
    for (unsigned i = me->nheld; i-- > 0;)
        if (me->held[i] == what) {
            me->nheld--;
            memmove(&me->held[i], &me->held[i + 1], me->nheld - i);
            me->held[me->nheld] = 0;
            return true;
        }
    return false;
}

static void take(struct state *s, unsigned t, unsigned m)
{
    s->owner[m] = (uint8_t)(t + 1);
    s->count[m]++;
    if (m != 4)
        hold(&s->thread[t], m);
}

static void unlock_mutex(struct state *s, unsigned t, unsigned m)
{
    if (s->owner[m] != t + 1) {
        s->misused = 1;
        return;
    }
    if (--s->count[m] == 0)
        s->owner[m] = 0;
}

void unlock_any(struct state *s, unsigned t, unsigned what)
{
    if (what == HELD_SPIN)
        s->spin = 0;
    else if (what == HELD_READ)
        s->readers[t]--;
    else if (what == HELD_READ + 1)
        s->writer = 0;
    else
        unlock_mutex(s, t, what);
}

void lock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    unsigned m = (unsigned)o->a;
    bool mine = s->owner[m] == t + 1;

    if (s->owner[m] == 0 || (mine && m == 2)) {
        struct state *n = successor(x, s);
        int result = n->dead[m] ? TEXT_DEAD : TEXT_OK;

        n->dead[m] = 0;
        take(n, t, m);
        done(x, n, t, result);
    } else if (mine && m == 3 && o->kind != 't') {
        returns(x, s, t, TEXT_SELF);
    } else if (o->kind == 't') {
        returns(x, s, t, TEXT_BUSY);
    } else if (o->kind == 'T') {
        returns(x, s, t, TEXT_TIMEOUT);
    }
}

void unlock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct state *n = successor(x, s);

    if (o->a != 4)
        let_go(&n->thread[t], (unsigned)o->a);
    unlock_mutex(n, t, (unsigned)o->a);
    done(x, n, t, 0);
}

static unsigned readers(const struct state *s)
{
    unsigned n = 0;

    for (unsigned t = 0; t < TEXT_THREADS; t++)
        n += s->readers[t];
    return n;
}

void read_write(struct search *x, const struct state *s, unsigned t, char kind)
{
    bool reads = strchr("RSY", kind) != NULL;
    bool possible = s->writer == 0 && (reads || readers(s) == 0);

    if (s->writer == t + 1) {
        misuse(x, s);
    } else if (possible) {
        struct state *n = successor(x, s);

        if (reads)
            n->readers[t]++;
        else
            n->writer = (uint8_t)(t + 1);
        hold(&n->thread[t], reads ? HELD_READ : HELD_READ + 1);
        done(x, n, t, 0);
    } else if (kind == 'S' || kind == 'V') {
        returns(x, s, t, TEXT_BUSY);
    } else if (kind == 'Y' || kind == 'Z') {
        returns(x, s, t, TEXT_TIMEOUT);
    }
}

void release(struct search *x, const struct state *s, unsigned t, unsigned what)
{
    struct state *n = successor(x, s);

    if (!let_go(&n->thread[t], what)) {
        n->misused = 1;
        return;
    }
    unlock_any(n, t, what);
    done(x, n, t, 0);
}

void spin_lock(struct search *x, const struct state *s, unsigned t, char kind)
{
    if (s->spin == 0) {
        struct state *n = successor(x, s);

        n->spin = (uint8_t)(t + 1);
        hold(&n->thread[t], HELD_SPIN);
        done(x, n, t, 0);
    } else if (kind == 'h') {
        returns(x, s, t, TEXT_BUSY);
    }
}

