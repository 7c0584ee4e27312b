/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps_wait.c - conditions, futexes, semaphores, barriers, once, descriptors, signals that are waited for. */
#include "steps.h"

enum { TIMER_SET = 1, TIMER_EXPIRED };

static unsigned mutex_of(const struct text_op *o)
{
    return o->a == 1 ? 5 : 0;
}

/* Does thread t wait where those of this kind and object do, not yet woken? */
static bool waits(const struct search *x, const struct state *s, unsigned t, const char *kinds, int a)
{
    const struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    return me->life == ALIVE && me->phase == (o->kind == '}' ? ROUTINE : WAITING) && !me->woken && strchr(kinds, o->kind) != NULL &&
           o->a == a;
}

/* A thread that is woken and to be cancelled may do either (POSIX).  If it is cancelled, it has not
 * consumed the wake-up while others wait. */
static void leave_to_heirs(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    bool any = false;

    for (unsigned u = 0; u < TEXT_THREADS + 1; u++) {
        bool heir = u < TEXT_THREADS && s->thread[t].heirs >> u & 1 && waits(x, s, u, "kK", o->a);

        if (!heir && (u < TEXT_THREADS || any))
            continue;
        struct state *n = successor(x, s);

        if (heir) {
            n->thread[u].woken = 1;
            n->thread[u].heirs = (uint8_t)(n->thread[t].heirs & ~(1u << u));
        }
        n->thread[t].woken = n->thread[t].heirs = 0;
        n->thread[t].phase = LEAVING;
        any = true;
    }
}

void wait_condition(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];
    unsigned m = mutex_of(o);
    struct state *n;

    if (me->phase == BEFORE) {
        if (s->owner[m] != t + 1 || s->count[m] != 1) {
            misuse(x, s);
        } else if (me->cancel) {
            cancelled(x, s, t);
        } else {
            n = successor(x, s);
            n->owner[m] = n->count[m] = 0;
            n->thread[t].phase = WAITING;
        }
        return;
    }
    if (me->phase == WAITING && !me->woken) {
        if (o->kind == 'K')
            successor(x, s)->thread[t].phase = LATE;
        if (me->cancel)
            successor(x, s)->thread[t].phase = LEAVING;
        return;
    }
    if (me->woken && me->cancel)
        leave_to_heirs(x, s, t, o);
    if (s->owner[m] != 0)
        return;
    n = successor(x, s);
    n->owner[m] = (uint8_t)(t + 1);
    n->count[m] = 1;
    n->thread[t].woken = n->thread[t].heirs = 0;
    for (unsigned u = 0; u < TEXT_THREADS; u++)
        n->thread[u].heirs &= (uint8_t)~(1u << t);
    if (me->phase == LEAVING) {
        n->thread[t].cancelled = 1;
        end(n, t);
    } else {
        done(x, n, t, me->phase == LATE ? TEXT_TIMEOUT : TEXT_OK);
    }
}

/* Every choice of at most `most` of those that wait. */
void wake(struct search *x, const struct state *s, unsigned t, const char *kinds, int a, unsigned most,
                 bool tells)
{
    unsigned who[TEXT_THREADS], n = 0;

    for (unsigned u = 0; u < TEXT_THREADS; u++)
        if (waits(x, s, u, kinds, a))
            who[n++] = u;
    if (most > n)
        most = n;
    for (unsigned set = 0; set < 1u << n; set++) {
        if ((unsigned)__builtin_popcount(set) != most)
            continue;
        struct state *next = successor(x, s);
        uint8_t others = 0;

        for (unsigned i = 0; i < n; i++)
            if (set >> i & 1)
                next->thread[who[i]].woken = 1;
            else
                others |= (uint8_t)(1u << who[i]);
        for (unsigned i = 0; i < n && kinds[0] == 'k'; i++)
            if (set >> i & 1)
                next->thread[who[i]].heirs = others;
        done(x, next, t, tells ? (int)most : 0);
    }
}

void futex(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];

    if (me->phase == BEFORE) {
        if (s->cell[o->a] != o->b)
            returns(x, s, t, TEXT_AGAIN);
        else
            successor(x, s)->thread[t].phase = WAITING;
    } else if (me->woken) {
        struct state *n = successor(x, s);

        n->thread[t].woken = 0;
        done(x, n, t, 0);
    } else if (o->kind == 'F') {
        returns(x, s, t, TEXT_TIMEOUT);
    }
}

/* A wait that cancellation ends: one that is asked for before it begins, always; else it is a
 * matter of who is first. */
static bool cancellable(struct search *x, const struct state *s, unsigned t, bool possible)
{
    const struct thread *me = &s->thread[t];

    if (me->cancel)
        cancelled(x, s, t);
    if (me->phase == BEFORE && me->cancel)
        return false;
    if (me->phase == BEFORE && !possible)
        successor(x, s)->thread[t].phase = WAITING;
    return possible;
}

void semaphore(struct search *x, const struct state *s, unsigned t, char kind)
{
    bool waits_for = kind == 'd' || kind == 'D';

    if (kind == 'p') {
        struct state *n = successor(x, s);

        n->semaphore++;
        done(x, n, t, 0);
    } else if (kind == 'G') {
        returns(x, s, t, s->semaphore);
    } else if (waits_for ? cancellable(x, s, t, s->semaphore > 0) : s->semaphore > 0) {
        struct state *n = successor(x, s);

        n->semaphore--;
        done(x, n, t, 0);
    } else if (kind == 'e') {
        returns(x, s, t, TEXT_AGAIN);
    } else if (kind == 'D' && s->thread[t].phase == WAITING) {
        returns(x, s, t, TEXT_TIMEOUT);
    }
}

/* Any one thread of a round is the serial one: the last to arrive, or one that waits. */
void barrier(struct search *x, const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == WAITING) {
        if (s->round != me->round) {
            n = successor(x, s);
            n->thread[t].woken = 0;
            done(x, n, t, me->woken);
        }
        return;
    }
    if (s->arrived == 0) {
        n = successor(x, s);
        n->arrived = 1;
        n->thread[t].phase = WAITING;
        n->thread[t].round = s->round;
        return;
    }
    for (unsigned u = 0; u < TEXT_THREADS; u++) {
        const struct thread *other = &s->thread[u];
        bool waits_here = other->life == ALIVE && other->phase == WAITING && other->round == s->round &&
                          x->p->op[u][other->pc].kind == 'B';

        if (u != t && !waits_here)
            continue;
        n = successor(x, s);
        n->arrived = 0;
        n->round++;
        if (u != t)
            n->thread[u].woken = 1;
        done(x, n, t, u == t);
    }
}

void once(struct search *x, const struct state *s, unsigned t, unsigned which)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == BEFORE && s->once[which] == 1)
        return;
    n = successor(x, s);
    if (me->phase == BEFORE && s->once[which] == 0) {
        n->once[which] = 1;
        n->thread[t].phase = ROUTINE;
    } else if (me->phase == ROUTINE) {
        n->cell[0]++;
        n->thread[t].phase = ROUTINE_DONE;
    } else {
        n->once[which] = 2;
        done(x, n, t, 0);
    }
}

/* A system call has taken effect (of_libc in model.h). */
static void call_done(struct search *x, struct state *n, unsigned t, int result)
{
    if (!x->of_libc) {
        done(x, n, t, result);
        return;
    }
    n->thread[t].phase = RETURNS;
    n->thread[t].loaded = (uint8_t)result;
}

/* Whether there is something to read: a timer that is set expires whenever it likes. */
static void look(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    unsigned have = s->channel[o->a];
    struct state *n;

    if (have == 0 || (o->a == TEXT_TIMERFD && have == TIMER_SET))
        returns(x, s, t, TEXT_AGAIN);
    if (have > 0) {
        n = successor(x, s);
        if (o->a == TEXT_TIMERFD)
            n->channel[o->a] = TIMER_EXPIRED;
        call_done(x, n, t, TEXT_OK);
    }
}

void channel(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    unsigned have = s->channel[o->a];
    struct state *n;

    if (o->kind == '^') {
        n = successor(x, s);
        n->channel[TEXT_TIMERFD] = TIMER_SET;
        done(x, n, t, 0);
    } else if (o->kind != 'H' && s->thread[t].cancel) {
        cancelled(x, s, t);
    } else if (o->kind == 'L') {
        look(x, s, t, o);
    } else if (o->kind == 'A') {
        n = successor(x, s);
        n->channel[o->a]++;
        call_done(x, n, t, 0);
    } else if (cancellable(x, s, t, have > 0)) {
        bool all = o->a == TEXT_EVENTFD || o->a == TEXT_TIMERFD;

        n = successor(x, s);
        n->channel[o->a] = (uint8_t)(all ? 0 : have - 1);
        call_done(x, n, t, o->a == TEXT_EVENTFD ? (int)have : 1);
    }
}

void signal_wait(struct search *x, const struct state *s, unsigned t)
{
    if (!cancellable(x, s, t, s->thread[t].signal || s->signal))
        return;
    struct state *n = successor(x, s);

    if (n->thread[t].signal)
        n->thread[t].signal = 0;
    else
        n->signal = 0;
    call_done(x, n, t, 0);
}

