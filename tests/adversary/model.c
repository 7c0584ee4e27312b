/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model.c - explores the states of a small program: each is left by every step of every thread,
 * and none is entered twice. */
#include "model.h"

#include <stdlib.h>

enum { STATES = 1 << 18, LIMIT = 60000, NEXT = 24, HELD = 8, HELD_READ = 20, HELD_SPIN = 22 };

enum life { NOT_YET, ALIVE, ENDED };

/* Where a thread is within an operation, or on its way to its end. */
enum phase {
    BEFORE, WAITING, LATE, LEAVING, ROUTINE, ROUTINE_DONE,
    UNLOCKS, FIRST_KEY, FIRST_DESTRUCTOR, SECOND_KEY, SECOND_DESTRUCTOR, DIES, ENDS
};

struct thread {
    uint32_t seen;
    uint8_t life, pc, phase, loops, gone, detached, by_thrd, cancel, cancelled, woken, signal, last;
    uint8_t round, nheld;
    uint8_t key[2], held[HELD];
};

struct state {
    struct thread thread[TEXT_THREADS];
    int16_t cell[TEXT_CELLS];
    uint8_t owner[TEXT_MUTEXES], count[TEXT_MUTEXES], dead[TEXT_MUTEXES]; /* owner: thread + 1 */
    uint8_t semaphore, writer, readers[TEXT_THREADS];
    uint8_t arrived, round, once[2], spin, channel[2], signal, deleted[2];
    uint8_t over, code, misused;
};

struct search {
    const struct text *p;
    struct outcomes *out;
    struct state *next; /* successors of the state at hand */
    unsigned n;
};

static struct state table[STATES];
static uint32_t filled[STATES], generation;
static uint32_t queue[LIMIT];

/* ---- successors ------------------------------------------------------------------- */

static struct state *successor(struct search *x, const struct state *s)
{
    x->next[x->n] = *s;
    return &x->next[x->n++];
}

static void exit_with(struct state *s, uint32_t seen)
{
    s->over = 1;
    s->code = (uint8_t)text_code(seen);
}

static void main_returns(struct state *s)
{
    uint32_t seen = s->thread[0].seen;

    for (unsigned t = 1; t < TEXT_THREADS; t++)
        if (s->thread[t].gone && !s->thread[t].detached)
            seen = text_add(seen, (int)(s->thread[t].seen % 10007));
    exit_with(s, seen);
}

/* Over phases in which there is nothing to do for anybody to see. */
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

static void end(struct state *s, unsigned t)
{
    s->thread[t].phase = UNLOCKS;
    towards_end(s, t);
}

/* To the next operation that is one. */
static void proceed(const struct text *p, struct state *s, unsigned t)
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

static void done(struct search *x, struct state *s, unsigned t, int result)
{
    struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    me->last = (uint8_t)result;
    if (text_tells(o->kind))
        me->seen = text_add(me->seen, result);
    me->pc = (uint8_t)(me->pc + 1 + (result != 0 ? o->skip : 0));
    proceed(x->p, s, t);
}

static void returns(struct search *x, const struct state *s, unsigned t, int result)
{
    done(x, successor(x, s), t, result);
}

static void cancelled(struct search *x, const struct state *s, unsigned t)
{
    struct state *n = successor(x, s);

    n->thread[t].cancelled = 1;
    end(n, t);
}

static void misuse(struct search *x, const struct state *s)
{
    successor(x, s)->misused = 1;
}

/* ---- locks ------------------------------------------------------------------------ */

static void hold(struct thread *me, unsigned what)
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

static void unlock_any(struct state *s, unsigned t, unsigned what)
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

static void lock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
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

static void unlock(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
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

static void read_write(struct search *x, const struct state *s, unsigned t, char kind)
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

static void release(struct search *x, const struct state *s, unsigned t, unsigned what)
{
    struct state *n = successor(x, s);

    if (!let_go(&n->thread[t], what)) {
        n->misused = 1;
        return;
    }
    unlock_any(n, t, what);
    done(x, n, t, 0);
}

static void spin_lock(struct search *x, const struct state *s, unsigned t, char kind)
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

/* ---- waits ------------------------------------------------------------------------ */

static unsigned mutex_of(const struct text_op *o)
{
    return o->a == 1 ? 5 : 0;
}

static void wait_condition(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
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
    if (s->owner[m] != 0)
        return;
    n = successor(x, s);
    n->owner[m] = (uint8_t)(t + 1);
    n->count[m] = 1;
    n->thread[t].woken = 0;
    if (me->phase == LEAVING) {
        n->thread[t].cancelled = 1;
        end(n, t);
    } else {
        done(x, n, t, me->phase == LATE ? TEXT_TIMEOUT : TEXT_OK);
    }
}

/* Does thread t wait where those of this kind and object do, not yet woken? */
static bool waits(const struct search *x, const struct state *s, unsigned t, const char *kinds, int a)
{
    const struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    return me->life == ALIVE && me->phase == WAITING && !me->woken && strchr(kinds, o->kind) != NULL &&
           o->a == a;
}

/* Every choice of at most `most` of those that wait. */
static void wake(struct search *x, const struct state *s, unsigned t, const char *kinds, int a, unsigned most,
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

        for (unsigned i = 0; i < n; i++)
            if (set >> i & 1)
                next->thread[who[i]].woken = 1;
        done(x, next, t, tells ? (int)most : 0);
    }
}

static void futex(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
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

static void semaphore(struct search *x, const struct state *s, unsigned t, char kind)
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
static void barrier(struct search *x, const struct state *s, unsigned t)
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

static void once(struct search *x, const struct state *s, unsigned t, unsigned which)
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

static void channel(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    unsigned have = s->channel[o->a];

    if (o->kind == 'A' || o->kind == 'L') {
        if (s->thread[t].cancel) {
            cancelled(x, s, t);
            return;
        }
        struct state *n = successor(x, s);

        if (o->kind == 'A')
            n->channel[o->a]++;
        done(x, n, t, o->kind == 'A' || have > 0 ? TEXT_OK : TEXT_AGAIN);
    } else if (cancellable(x, s, t, have > 0)) {
        struct state *n = successor(x, s);

        n->channel[o->a] = (uint8_t)(o->a == 0 ? 0 : have - 1);
        done(x, n, t, o->a == 0 ? (int)have : 1);
    }
}

static void signal_wait(struct search *x, const struct state *s, unsigned t)
{
    if (!cancellable(x, s, t, s->thread[t].signal || s->signal))
        return;
    struct state *n = successor(x, s);

    if (n->thread[t].signal)
        n->thread[t].signal = 0;
    else
        n->signal = 0;
    done(x, n, t, 0);
}

/* ---- threads ---------------------------------------------------------------------- */

static void join(struct search *x, const struct state *s, unsigned t, const struct text_op *o)
{
    const struct thread *other = &s->thread[o->a];
    bool waits_for = o->kind == 'j' || other->by_thrd;

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
        proceed(x->p, n, (unsigned)o->a);
    } else if (!other->gone && o->kind == 'z') {
        other->gone = other->detached = 1;
    } else if (!other->gone && !other->by_thrd && other->life == ALIVE) {
        if (o->kind == 'C')
            other->cancel = 1;
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

static void raises(struct search *x, const struct state *s, unsigned t, char kind)
{
    struct state *n = successor(x, s);

    if (kind == 'M')
        n->cell[1]++;
    else
        n->signal = 1;
    done(x, n, t, 0);
}

static void step(struct search *x, const struct state *s, unsigned t)
{
    const struct thread *me = &s->thread[t];
    const struct text_op *o = &x->p->op[t][me->pc];

    if (me->life != ALIVE)
        return;
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
    case 'c': case 'z': case 'C': case 'm': other_thread(x, s, t, o); break;
    case 'X': case 'Q': leave(x, s, t, o->kind); break;
    case 'o': case 'n': key(x, s, t, o); break;
    case 'f': case 'F': futex(x, s, t, o); break;
    case 'v': wake(x, s, t, "fF", o->a, (unsigned)o->b, true); break;
    case 'A': case 'H': case 'L': channel(x, s, t, o); break;
    case 'M': case '@': raises(x, s, t, o->kind); break;
    case '!': signal_wait(x, s, t); break;
    case 'N': case 'P': case 'E': no_effect(x, s, t, o); break;
    case 'q':
        for (int i = 0; i < o->b; i++)
            returns(x, s, t, i);
        break;
    default: with_cell(x, s, t, o);
    }
}

/* ---- all states ------------------------------------------------------------------- */

static uint64_t hash(const struct state *s)
{
    const unsigned char *b = (const unsigned char *)s;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ b[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

/* The place of a state, or -1 when it was there already. */
static long enter(const struct state *s)
{
    for (uint64_t i = hash(s) % STATES;; i = (i + 1) % STATES) {
        if (filled[i] != generation) {
            filled[i] = generation;
            table[i] = *s;
            return (long)i;
        }
        if (memcmp(&table[i], s, sizeof *s) == 0)
            return -1;
    }
}

static void explore(struct search *x)
{
    unsigned n = 1;

    while (n > 0 && !x->out->large && !x->out->misused) {
        const struct state s = table[queue[--n]];

        x->n = 0;
        if (s.over) {
            x->out->code[s.code] = true;
            continue;
        }
        if (s.misused)
            x->out->misused = true;
        for (unsigned t = 0; t < x->p->threads; t++)
            step(x, &s, t);
        if (x->n == 0)
            x->out->stuck = true;
        for (unsigned i = 0; i < x->n; i++) {
            long at = enter(&x->next[i]);

            if (at < 0)
                continue;
            x->out->states++;
            if (n == LIMIT || x->out->states > LIMIT)
                x->out->large = true;
            else
                queue[n++] = (uint32_t)at;
        }
    }
}

void model_outcomes(const struct text *p, struct outcomes *out)
{
    static struct state next[TEXT_THREADS * NEXT];
    struct search x = { p, out, next, 0 };
    struct state s;

    memset(out, 0, sizeof *out);
    memset(&s, 0, sizeof s);
    generation++;
    s.semaphore = p->semaphore;
    s.thread[0].life = ALIVE;
    proceed(p, &s, 0);
    queue[0] = (uint32_t)enter(&s);
    explore(&x);
}
