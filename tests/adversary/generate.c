/* SPDX-License-Identifier: BSD-2-Clause
 *
 * generate.c - main creates two or three threads of a few operations each, does something
 * itself, and joins them.  The operations of a program come from one to three families, so that
 * threads meet. */
#include "generate.h"

#include <stdbool.h>

const char generate_families[] = "amcrsboiktxfpgqenuvw";

struct script {
    struct text *p;
    unsigned thread, left; /* operations that there is room for */
    uint64_t random;
    bool stays; /* this thread must not end early */
    bool timed; /* a timer sends a signal */
};

static unsigned below(struct script *s, unsigned n)
{
    s->random += 0x9e3779b97f4a7c15u;
    uint64_t z = s->random;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ z >> 31) % n);
}

static void emit(struct script *s, char kind, unsigned a, unsigned b, unsigned skip)
{
    struct text *p = s->p;

    if (s->left == 0)
        return;
    s->left--;
    p->op[s->thread][p->n[s->thread]++] = (struct text_op){ kind, (int8_t)a, (int8_t)b, (int8_t)skip };
}

static bool room(const struct script *s, unsigned n)
{
    return s->left >= n;
}

static void memory(struct script *s)
{
    unsigned c = below(s, 2);

    switch (below(s, 7)) {
    case 0: emit(s, 'r', c, 0, 0); break;
    case 1: emit(s, 'w', c, below(s, 3), 0); break;
    case 2: emit(s, "x%"[below(s, 2)], c, below(s, 2), 0); break;
    case 3: emit(s, 'g', c, 1 + below(s, 2), 0); break;
    case 4: /* a branch on what was read */
        if (room(s, 2)) {
            emit(s, 'r', c, 0, 1);
            emit(s, 'w', 1 - c, 1, 0);
        }
        break;
    case 5: /* tried again, twice at most */
        if (room(s, 2)) {
            emit(s, "x%"[below(s, 2)], c, below(s, 2), 0);
            emit(s, '<', 1, 1 + below(s, 2), 0);
        }
        break;
    default: emit(s, 'a', c, 1, 0);
    }
}

static void access_one(struct script *s)
{
    static const char kinds[] = "raw";

    emit(s, kinds[below(s, 3)], below(s, 2), 1, 0);
}

static void mutex(struct script *s)
{
    unsigned m = below(s, TEXT_MUTEXES);
    char how = "lltT"[below(s, 4)];

    if (!room(s, 4))
        return;
    if (m == 2 || m == 3) { /* once more while it is held */
        emit(s, how, m, 0, how == 'l' ? 0 : 3);
        emit(s, m == 3 ? "lt"[below(s, 2)] : 'l', m, 0, m == 3 ? 0 : 0);
        emit(s, m == 3 ? 'a' : 'u', m == 3 ? 0 : m, 1, 0);
        emit(s, 'u', m, 0, 0);
        return;
    }
    if (m == 4) { /* now and then it dies with it; what it gets may be a dead one's */
        emit(s, 't', m, 0, 0);
        s->p->op[s->thread][s->p->n[s->thread] - 1] = (struct text_op){ 'l', 4, 0, 0 };
        access_one(s);
        if (below(s, 2) == 0)
            emit(s, 'u', m, 0, 0);
        else
            s->left = 0;
        return;
    }
    emit(s, how, m, 0, how == 'l' ? 0 : 2);
    if (m < 2 && how == 'l' && below(s, 3) == 0) {
        emit(s, 'l', 1 - m, 0, 0);
        emit(s, 'u', m, 0, 0);
        emit(s, 'u', 1 - m, 0, 0);
        return;
    }
    access_one(s);
    emit(s, 'u', m, 0, 0);
}

static void condition(struct script *s)
{
    unsigned c = below(s, 2), m = c == 1 ? 5 : 0;

    switch (below(s, 5)) {
    case 0: /* waits unless something was stored */
        if (room(s, 4)) {
            emit(s, 'l', m, 0, 0);
            emit(s, 'r', 0, 0, 1);
            emit(s, "kK"[below(s, 2)], c, 0, 0);
            emit(s, 'u', m, 0, 0);
        }
        break;
    case 1:
        if (room(s, 3)) {
            emit(s, 'l', m, 0, 0);
            emit(s, "kK"[below(s, 3) > 0], c, 0, 0);
            emit(s, 'u', m, 0, 0);
        }
        break;
    case 2:
        if (room(s, 4)) {
            emit(s, 'l', m, 0, 0);
            emit(s, 'w', 0, 1, 0);
            emit(s, "sb"[below(s, 2)], c, 0, 0);
            emit(s, 'u', m, 0, 0);
        }
        break;
    default: emit(s, "sb"[below(s, 3) == 0], c, 0, 0);
    }
}

static void read_write(struct script *s)
{
    char how = "RWSVYZ"[below(s, 6)];
    bool reads = how == 'R' || how == 'S' || how == 'Y';

    if (!room(s, 3))
        return;
    emit(s, how, 0, 0, how == 'R' || how == 'W' ? 0 : 2);
    access_one(s);
    emit(s, 'U', !reads, 0, 0);
}

static void spin(struct script *s)
{
    bool tries = below(s, 2) == 0;

    if (!room(s, 3))
        return;
    emit(s, tries ? 'h' : 'i', 0, 0, tries ? 2 : 0);
    access_one(s);
    emit(s, 'I', 0, 0, 0);
}

static void futex(struct script *s)
{
    unsigned c = below(s, 2);

    switch (below(s, 4)) {
    case 0: emit(s, "fF"[below(s, 2)], c, below(s, 2), 0); break;
    case 1:
        if (room(s, 2)) {
            emit(s, 'w', c, 1, 0);
            emit(s, 'v', c, 1 + below(s, 2), 0);
        }
        break;
    case 2: emit(s, 'v', c, 1 + below(s, 2), 0); break;
    default: access_one(s);
    }
}

static void descriptor(struct script *s)
{
    static const unsigned which[] = { TEXT_EVENTFD, TEXT_PIPE, TEXT_SOCKETS };

    emit(s, "AHL"[below(s, 3)], which[below(s, 3)], below(s, 3), 0);
}

static void timer(struct script *s)
{
    switch (below(s, 6)) {
    case 0:
        if (!s->timed)
            emit(s, '*', 0, 0, 0);
        s->timed = true;
        break;
    case 1: emit(s, 'r', 1, 0, 0); break;
    case 2: emit(s, 'H', TEXT_TIMERFD, 0, 0); break;
    case 3: emit(s, 'L', TEXT_TIMERFD, below(s, 3), below(s, 2)); break;
    default: emit(s, '^', TEXT_TIMERFD, 0, 0);
    }
}

static void tried_lock(struct script *s)
{
    unsigned what = below(s, 6);

    emit(s, '`', what, 0, 0);
    access_one(s);
    emit(s, "uuIUUp"[what], what < 2 ? what : what == 4, 0, 0);
}

/* What a thread has locked by a loop, it uses and gives free. */
static void looped_lock(struct script *s)
{
    unsigned c = below(s, 2);

    switch (below(s, room(s, 3) ? 7 : 6)) {
    case 0: case 1: case 2:
        emit(s, '[', c, 0, 0);
        if (room(s, 2))
            access_one(s);
        emit(s, 'a', 1 - c, 1, 0);
        break;
    case 3: case 4: case 5:
        emit(s, ',', 0, 0, 0);
        if (room(s, 2))
            access_one(s);
        emit(s, '.', 0, 0, 0);
        break;
    default: /* searches do not end soon */
        emit(s, '2', c, below(s, 2), 0);
        emit(s, 'u', c, 0, 0);
        emit(s, 'u', 1 - c, 0, 0);
    }
}

static void waiting(struct script *s)
{
    unsigned what = below(s, 20);

    if (what < 6)
        memory(s);
    else if (what < 8 && room(s, 3))
        tried_lock(s);
    else if (what < 9)
        emit(s, 'v', below(s, 2), 1 + below(s, 2), 0);
    else if (what < 12 && room(s, 2))
        looped_lock(s);
    else if (what < 14)
        emit(s, ">>$"[below(s, 3)], below(s, 2), 2 + (below(s, 4) == 0), 0);
    else
        emit(s, "==~~##::+|?-_-()}{\"]]"[below(s, 21)], below(s, 2), below(s, 3), 0);
}

static void fragment(struct script *s, char family)
{
    switch (family) {
    case 'a': memory(s); break;
    case 'm': mutex(s); break;
    case 'w': waiting(s); break;
    case 'c': condition(s); break;
    case 'r': read_write(s); break;
    case 's': emit(s, "pdeDG"[below(s, 5)], 0, 0, below(s, 2)); break;
    case 'b': emit(s, below(s, 3) ? 'B' : 'a', 0, 1, 0); break;
    case 'o': emit(s, below(s, 3) ? 'O' : 'r', below(s, 2), 0, 0); break;
    case 'i': spin(s); break;
    case 'k': emit(s, below(s, 3) ? 'o' : 'a', below(s, 2), 1 + below(s, 3), 0); break;
    case 't': emit(s, "aNPdE"[below(s, 5)], 0, 1, 0); break;
    case 'x': emit(s, "awPrX"[below(s, s->stays ? 4 : 5)], below(s, 2), 1, 0); break;
    case 'f': futex(s); break;
    case 'p': descriptor(s); break;
    case 'n': access_one(s); break;
    case 'u': emit(s, "wadDr"[below(s, 5)], 1, 1, 0); break;
    case 'v': timer(s); break;
    case 'g': emit(s, "M@!Mr"[below(s, 5)], 1, 0, 0); break;
    case 'q':
        if (room(s, 2)) {
            emit(s, 'q', 0, 2, 1);
            emit(s, "aw"[below(s, 2)], below(s, 2), 1, 0);
        }
        break;
    default: emit(s, below(s, 6) == 0 && !s->stays ? 'Q' : 'a', 0, 1, 0);
    }
}

/* Whatever may be done about a thread before it is joined. */
static void meddle(struct script *s, unsigned t, const char *families)
{
    if (strchr(families, 'x') != NULL && below(s, 2) == 0)
        emit(s, "yJ"[below(s, 2)], t, 0, 0);
    if (strchr(families, 't') != NULL && below(s, 2) == 0)
        emit(s, 'C', t, 0, 0);
    if (strchr(families, 'g') != NULL && below(s, 3) == 0)
        emit(s, 'm', t, 0, 0);
    if (strchr(families, 'u') != NULL && below(s, 3) > 0)
        emit(s, '&', t, 0, 0);
    if (strchr(families, 'k') != NULL && below(s, 3) == 0)
        emit(s, 'n', below(s, 2), 0, 0);
    if (strchr(families, 'x') != NULL && below(s, 8) == 0)
        emit(s, 'z', t, 0, 0);
}

static void main_thread(struct script *s, unsigned all, const char *families, unsigned n)
{
    unsigned threads = all - (strchr(families, 'n') != NULL); /* the last is not its own */
    bool touched[TEXT_CELLS] = { false };

    s->thread = 0;
    s->left = TEXT_OPS;
    s->stays = true;
    for (unsigned t = 1; t <= threads; t++)
        emit(s, 'c', t, strchr(families, 't') == NULL && below(s, 4) == 0, 0);
    s->left = all == 2 ? 3 : 1;
    if (below(s, 2) == 0)
        fragment(s, families[below(s, n)]);
    s->left = 3;
    for (unsigned t = 1; t <= threads; t++)
        meddle(s, t, families);
    s->left = TEXT_OPS - s->p->n[0];
    for (unsigned t = 1; t <= threads; t++)
        emit(s, 'j', t, 0, 0);
    for (unsigned t = 0; t <= all; t++)
        for (unsigned i = 0; i < s->p->n[t]; i++) {
            const struct text_op *o = &s->p->op[t][i];

            if (strchr("wax%g#:?-()}[>$", o->kind) != NULL)
                touched[o->a] = true;
            if (o->kind == '$')
                touched[1 - o->a] = true;
            touched[0] |= o->kind == 'O';
            touched[1] |= strchr("M&*", o->kind) != NULL;
            touched[2] |= o->kind == 'o';
        }
    for (unsigned c = 0; c < TEXT_CELLS; c++)
        if (touched[c])
            emit(s, 'r', c, 0, 0);
}

static void other_thread(struct script *s, unsigned t, unsigned threads, const char *families, unsigned n)
{
    bool creates = t == 1 && strchr(families, 'n') != NULL;

    s->thread = t;
    s->stays = false;
    s->left = TEXT_OPS;
    if (creates)
        emit(s, 'c', threads, below(s, 4) == 0, 0);
    s->left = threads == 2 ? 4 : 2;
    for (unsigned i = 0; i < 3; i++)
        if (s->left > 0)
            fragment(s, families[below(s, n)]);
    if (creates && below(s, 4) > 0) {
        s->left = 2;
        if (below(s, 2) == 0)
            meddle(s, threads, families);
        s->left = 1;
        emit(s, "jjyJ"[below(s, 4)], threads, 0, 0);
    }
}

void generate(struct text *p, uint64_t seed, const char *from)
{
    struct script s = { .p = p, .random = seed * 0x2545f4914f6cdd1du };
    char families[4] = "";
    unsigned n = 1 + below(&s, 3);

    memset(p, 0, sizeof *p);
    for (unsigned i = 0; i < n; i++)
        families[i] = from[below(&s, (unsigned)strlen(from))];
    unsigned threads = below(&s, 4) == 0 || strchr(families, 'n') != NULL ? 3 : 2;

    p->threads = (uint8_t)(threads + 1);
    p->semaphore = (uint8_t)below(&s, 3);
    for (unsigned t = 1; t <= threads; t++)
        other_thread(&s, t, threads, families, n);
    main_thread(&s, threads, families, n);
}
