/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.c - how a thread goes from operation to operation and to its end, and what threads do to
 * each other and to memory. */
#include "steps.h"

/* ---- successors ------------------------------------------------------------------- */

struct state *successor(struct search *x, const struct state *s)
{
    x->next[x->n] = *s;
    return &x->next[x->n++];
}

static void exit_with(struct state *s, uint32_t seen)
{
    s->over = 1;
    s->code = (uint8_t)text_code(seen);
}

/* What a thread has seen counts when main knows that it has ended. */
static bool counts(const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];

    return t == 0 || (me->gone && !me->detached && counts(s, me->creator));
}

static void main_returns(struct state *s)
{
    uint32_t seen = s->thread[0].seen;

    for (unsigned t = 1; t < TEXT_THREADS; t++)
        if (counts(s, t))
            seen = text_add(seen, (int)(s->thread[t].seen % 10007));
    exit_with(s, seen);
}

/* Skips phases without a visible operation. */
static void towards_end(struct state *s, unsigned t)
{
    struct thread *me = &s->thread[t];

    if (me->phase == UNLOCKS && me->nheld == 0)
        me->phase = FIRST_KEY;
    if (me->phase == FIRST_KEY && me->key[0] == 0)
        me->phase = SECOND_KEY;
    if (me->phase == SECOND_KEY && me->key[1] == 0)
        me->phase = DIES;
    if (me->phase == DIES && s->owner[4] != t + 1)
        me->phase = ENDS;
}

void end(struct state *s, unsigned t)
{
    s->thread[t].phase = UNLOCKS;
    towards_end(s, t);
}

/* To the next operation that is one. */
void proceed(const struct text *p, struct state *s, unsigned t)
{
    struct thread *me = &s->thread[t];

    me->phase = BEFORE;
    while (me->pc < p->n[t] && p->op[t][me->pc].kind == '<') {
        const struct text_op *o = &p->op[t][me->pc];

        if (me->last != 0 && me->loops < o->b) {
            me->loops++;
            me->pc = (uint8_t)(me->pc - o->a);
        } else {
            me->pc++;
        }
    }
    if (me->pc < p->n[t])
        return;
    if (t == 0)
        main_returns(s);
    else
        end(s, t);
}

void done(struct search *x, struct state *s, unsigned t, int result)
{
    struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    me->last = (uint8_t)result;
    if (text_tells(o->kind))
        me->seen = text_add(me->seen, result);
    me->pc = (uint8_t)(me->pc + 1 + (result != 0 ? o->skip : 0));
    proceed(x->p, s, t);
}

void returns(struct search *x, const struct state *s, unsigned t, int result)
{
    done(x, successor(x, s), t, result);
}

void cancelled(struct search *x, const struct state *s, unsigned t)
{
    struct state *n = successor(x, s);

    n->thread[t].cancelled = 1;
    end(n, t);
}

void misuse(struct search *x, const struct state *s)
{
    successor(x, s)->misused = 1;
}

/* ---- threads ---------------------------------------------------------------------- */

/* One that waits is a cancellation point.  Where the other has ended, POSIX and glibc differ: either
 * may be the outcome of a request that came before. */
static void join(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *other = &s->thread[o->a];
    bool waits_for = o->kind == 'j' || other->by_thrd;

    if (other->life != NOT_YET && !other->gone && s->thread[t].cancel && (waits_for || o->kind == 'J'))
        cancelled(x, s, t);
    if (other->life == NOT_YET) {
        misuse(x, s);
    } else if (other->gone) {
        returns(x, s, t, 0);
    } else if (other->life == ENDED) {
        struct state *n = successor(x, s);

        n->thread[o->a].gone = 1;
        done(x, n, t, other->cancelled ? 7 : 0);
    } else if (!waits_for) {
        returns(x, s, t, o->kind == 'y' ? TEXT_BUSY : TEXT_TIMEOUT);
    }
}

static void other_thread(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct state *n = successor(x, s);
    struct thread *other = &n->thread[o->a];

    if (o->a <= 0 || (other->life == NOT_YET) != (o->kind == 'c')) {
        n->misused = 1;
        return;
    }
    if (o->kind == 'c') {
        other->life = ALIVE;
        other->by_thrd = o->b == 1;
        other->creator = (uint8_t)t;
        proceed(x->p, n, (unsigned)o->a);
    } else if (!other->gone && o->kind == 'z') {
        other->gone = other->detached = 1;
    } else if (!other->gone && !other->by_thrd && other->life == ALIVE) {
        if (o->kind == 'C')
            other->cancel = 1;
        else if (o->kind == '&')
            other->handler = 1;
        else
            other->signal = 1;
    }
    done(x, n, t, 0);
}

static void ending(struct search *x, const struct state *s, unsigned t)
{
    struct state *n = successor(x, s);
    struct thread *me = &n->thread[t];
    unsigned which = me->phase >= SECOND_KEY;

    switch (me->phase) {
    case UNLOCKS:
        me->nheld--;
        unlock_any(n, t, me->held[me->nheld]);
        me->held[me->nheld] = 0;
        break;
    case FIRST_KEY:
    case SECOND_KEY:
        me->phase++;
        if (!n->deleted[which])
            return;
        me->key[which] = 0;
        me->phase++;
        break;
    case FIRST_DESTRUCTOR:
    case SECOND_DESTRUCTOR:
        n->cell[2] = (int16_t)(n->cell[2] + me->key[which]);
        me->key[which] = 0;
        me->phase++;
        break;
    case DIES:
        n->owner[4] = n->count[4] = 0;
        n->dead[4] = 1;
        me->phase = ENDS;
        break;
    default:
        me->life = ENDED;
        return;
    }
    towards_end(n, t);
}

static void key(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct state *n = successor(x, s);

    if (o->kind == 'n')
        n->deleted[o->a] = 1;
    else if (!n->deleted[o->a])
        n->thread[t].key[o->a] = (uint8_t)o->b;
    done(x, n, t, 0);
}

static void with_cell(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct state *n = successor(x, s);
    int16_t *c = &n->cell[o->a];
    int result = *c;

    switch (o->kind) {
    case 'r': break;
    case 'w': *c = o->b; result = 0; break;
    case 'a': *c = (int16_t)(*c + o->b); break;
    case 'g': *c = o->b; break;
    default:
        result = *c != o->b;
        if (!result)
            *c = (int16_t)(o->b + 1);
    }
    done(x, n, t, result);
}

/* A waiting loop of two operations has done the first; goes round; leaves. */
static void half(struct state *n, unsigned t) { n->thread[t].phase = WAITING; }

static void round_again(struct state *n, unsigned t)
{
    n->thread[t].phase = BEFORE;
    n->thread[t].loaded = 0;
}

void leave_loop(struct search *x, struct state *n, unsigned t)
{
    n->thread[t].loaded = 0;
    done(x, n, t, 0);
}

/* Loops of one operation: an idle round changes nothing, so it is no step, however long it takes. */
static void wait_once(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    bool is = s->cell[o->a] == o->b;

    if (is != (o->kind == '=' || o->kind == '#'))
        return;
    struct state *n = successor(x, s);

    if (o->kind == '#')
        n->cell[o->a]++;
    if (o->kind == ':')
        n->cell[o->a] = o->b;
    done(x, n, t, 0);
}

static void wait_for_two(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    bool first = s->thread[t].phase == BEFORE, is = s->cell[first ? o->a : 1 - o->a] == o->b;
    struct state *n = successor(x, s);

    if (is && (o->kind == '|' || !first))
        leave_loop(x, n, t);
    else if (first && is == (o->kind == '+'))
        half(n, t);
    else
        round_again(n, t);
}

static void wait_and_exchange(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    bool first = s->thread[t].phase == BEFORE;
    struct state *n = successor(x, s);
    int16_t *c = &n->cell[o->a];

    if (first && o->kind == '-') {
        n->thread[t].loaded = (uint8_t)*c;
        half(n, t);
    } else if (first && *c != o->b) {
        half(n, t);
    } else if (first || *c == (o->kind == '?' ? o->b : -1) || (o->kind == '-' && (uint8_t)*c != n->thread[t].loaded)) {
        round_again(n, t);
    } else {
        *c = (int16_t)(o->kind == '?' ? o->b : *c + 1);
        leave_loop(x, n, t);
    }
}

/* Loads, and exchanges what it has loaded; when that is b, leaves, loads again or waits for the futex. */
static void wait_or_exchange(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];
    struct state *n = successor(x, s);
    int16_t *c = &n->cell[o->a];

    if (me->phase == ROUTINE && !me->woken) {
        x->n--; /* it waits */
    } else if (me->phase == ROUTINE || (me->phase == LATE && *c != o->b)) {
        n->thread[t].woken = 0;
        round_again(n, t);
    } else if (me->phase == LATE) {
        n->thread[t].phase = ROUTINE;
    } else if (me->phase == BEFORE && *c == o->b) {
        if (o->kind == '(')
            done(x, n, t, 1);
        else if (o->kind == '}')
            n->thread[t].phase = LATE;
    } else if (me->phase == BEFORE) {
        n->thread[t].loaded = (uint8_t)*c;
        half(n, t);
    } else if ((uint8_t)*c != me->loaded) {
        round_again(n, t);
    } else {
        *c = (int16_t)(*c + 1);
        leave_loop(x, n, t);
    }
}

static void wait_under_lock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *me = &s->thread[t];
    struct state *n;

    if (me->phase == BEFORE && s->owner[0] != 0) {
        if (s->owner[0] == t + 1)
            misuse(x, s);
        return;
    }
    n = successor(x, s);
    if (me->phase == BEFORE) {
        n->owner[0] = (uint8_t)(t + 1);
        n->count[0] = 1;
        half(n, t);
    } else if (me->phase == WAITING) {
        n->thread[t].loaded = s->cell[o->a] == o->b;
        n->thread[t].phase = LATE;
    } else {
        n->owner[0] = n->count[0] = 0;
        if (me->loaded)
            leave_loop(x, n, t);
        else
            round_again(n, t);
    }
}

/* A failed attempt changes nothing, so it is no step: the loop locks. */
static void wait_for_lock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    struct text_op plain = { 'l', o->a, 0, 0 };

    if (o->a < 2)
        lock(x, s, t, &plain);
    else if (o->a == 2)
        spin_lock(x, s, t, 'i');
    else if (o->a < 5)
        read_write(x, s, t, o->a == 3 ? 'R' : 'W');
    else if (s->semaphore > 0)
        semaphore(x, s, t, 'e');
}

/* ---- one step --------------------------------------------------------------------- */

static void no_effect(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    if (o->kind != 'E' && s->thread[t].cancel) {
        cancelled(x, s, t);
        return;
    }
    returns(x, s, t, 0);
}

static void leave(struct search *x, const struct state *s, unsigned t, char kind)
{
    struct state *n = successor(x, s);

    if (kind == 'Q')
        exit_with(n, text_add(n->thread[t].seen, (int)t + 100));
    else
        end(n, t);
}

/* Of two signals of a number that a thread is to get, one is lost. */
static void raises(struct search *x, const struct state *s, unsigned t, char kind)
{
    struct state *n = successor(x, s);

    if (kind == '*') {
        n->timer = 1;
    } else if (kind == 'M') {
        n->cell[1]++;
        n->thread[t].handler = 0;
    } else {
        n->signal = 1;
    }
    done(x, n, t, 0);
}

/* Handlers are installed with SA_RESTART, but Linux lets no wait on a futex with a time-out begin
 * anew; one without compares its value again.  A thread that is to be cancelled acts on that when a handler interrupts
 * its wait at a cancellation point: POSIX leaves that open only for the event that it waits for and for the time-out. */
static void handle(struct search *x, struct state *n, unsigned t)
{
    struct thread *me = &n->thread[t];
    char kind = me->pc < x->p->n[t] ? x->p->op[t][me->pc].kind : 0;

    n->cell[1]++;
    if (kind == '}' && me->phase == ROUTINE && !me->woken)
        me->phase = LATE;
    if (me->phase != WAITING || me->woken)
        return;
    if (kind == 'f')
        me->phase = BEFORE;
    else if (kind == 'F' || (kind == 'D' && !me->cancel && (n->semaphore == 0 || me->caught)))
        done(x, n, t, TEXT_INTERRUPTED);
}

/* A wait for a semaphore that was posted before the signal came is not interrupted: the thread is awake. */
void note_caught(const struct search *x, struct state *s)
{
    for (unsigned t = 0; t < x->p->threads; t++) {
        struct thread *me = &s->thread[t];
        bool waits = me->life == ALIVE && me->phase == WAITING && x->p->op[t][me->pc].kind == 'D';

        if (!waits || !(me->handler || s->timer))
            me->caught = 0;
        else if (s->semaphore == 0)
            me->caught = 1;
    }
}

static void handlers(struct search *x, const struct state *s, unsigned t)
{
    struct state *n;

    if (s->thread[t].handler) {
        n = successor(x, s);
        n->thread[t].handler = 0;
        handle(x, n, t);
    }
    if (s->timer) {
        n = successor(x, s);
        n->timer = 0;
        handle(x, n, t);
    }
}

static void call_returns(struct search *x, const struct state *s, unsigned t)
{
    struct state *n = successor(x, s);

    n->thread[t].loaded = 0;
    done(x, n, t, s->thread[t].loaded);
    if (s->thread[t].cancel)
        cancelled(x, s, t);
}

void steps_of(struct search *x, const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    if (me->life != ALIVE)
        return;
    handlers(x, s, t);
    if (me->phase == RETURNS) {
        call_returns(x, s, t);
        return;
    }
    if (me->phase >= UNLOCKS) {
        ending(x, s, t);
        return;
    }
    switch (o->kind) {
    case 'l': case 't': case 'T': lock(x, s, t, o); break;
    case 'u': unlock(x, s, t, o); break;
    case 'k': case 'K': wait_condition(x, s, t, o); break;
    case 's': wake(x, s, t, "kK", o->a, 1, false); break;
    case 'b': wake(x, s, t, "kK", o->a, TEXT_THREADS, false); break;
    case 'R': case 'W': case 'S': case 'V': case 'Y': case 'Z': read_write(x, s, t, o->kind); break;
    case 'U': release(x, s, t, HELD_READ + (unsigned)o->a); break;
    case 'p': case 'd': case 'e': case 'D': case 'G': semaphore(x, s, t, o->kind); break;
    case 'B': barrier(x, s, t); break;
    case 'O': once(x, s, t, (unsigned)o->a); break;
    case 'i': case 'h': spin_lock(x, s, t, o->kind); break;
    case 'I': release(x, s, t, HELD_SPIN); break;
    case 'j': case 'y': case 'J': join(x, s, t, o); break;
    case 'c': case 'z': case 'C': case 'm': case '&': other_thread(x, s, t, o); break;
    case 'X': case 'Q': leave(x, s, t, o->kind); break;
    case 'o': case 'n': key(x, s, t, o); break;
    case 'f': case 'F': futex(x, s, t, o); break;
    case 'v': wake(x, s, t, "fF}", o->a, (unsigned)o->b, true); break;
    case 'A': case 'H': case 'L': case '^': channel(x, s, t, o); break;
    case 'M': case '*': case '@': raises(x, s, t, o->kind); break;
    case '!': signal_wait(x, s, t); break;
    case 'N': case 'P': case 'E': no_effect(x, s, t, o); break;
    case '=': case '~': case '_': case '"': case '#': case ':': wait_once(x, s, t, o); break;
    case '+': case '|': wait_for_two(x, s, t, o); break;
    case '?': case '-': wait_and_exchange(x, s, t, o); break;
    case '(': case ')': case '}': wait_or_exchange(x, s, t, o); break;
    case '{': wait_under_lock(x, s, t, o); break;
    case '`': wait_for_lock(x, s, t, o); break;
    case '[': case '>': wait_after_adding(x, s, t, o); break;
    case '$': wait_with_others(x, s, t, o); break;
    case ',': queue_lock(x, s, t); break;
    case '.': queue_unlock(x, s, t); break;
    case ']': wait_or_give_up(x, s, t, o); break;
    case '2': wait_for_both(x, s, t, o); break;
    case 'q':
        for (int i = 0; i < o->b; i++)
            returns(x, s, t, i);
        break;
    default: with_cell(x, s, t, o);
    }
}

