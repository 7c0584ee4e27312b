/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model.c - explores the states of a small program: each is left by every step of every thread,
 * and none is entered twice. */
#include "model.h"

#include "steps.h"

enum { STATES = 1 << 18, LIMIT = 60000, EDGES = 1 << 19 };

static struct state table[STATES];
static uint32_t filled[STATES], generation;
static uint32_t queue[LIMIT];
static struct { uint32_t from, to; uint8_t by; } edge[EDGES]; /* by: a thread */
static unsigned nedges;
static bool ends[STATES]; /* the program can end from there */
static uint32_t left[STATES]; /* edges from there to states whose orders are not counted yet */
static double orders[STATES];
static uint8_t enabled[STATES]; /* threads that have a step there */

static uint64_t hash(const struct state *s)
{
    const unsigned char *b = (const unsigned char *)s;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ b[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

/* The place of a state; *new: it was not there before. */
static uint32_t enter(const struct state *s, bool *new)
{
    *new = false;
    for (uint64_t i = hash(s) % STATES;; i = (i + 1) % STATES) {
        if (filled[i] != generation) {
            filled[i] = generation;
            table[i] = *s;
            ends[i] = s->over;
            left[i] = 0;
            orders[i] = 0;
            enabled[i] = 0;
            *new = true;
            return (uint32_t)i;
        }
        if (memcmp(&table[i], s, sizeof *s) == 0)
            return (uint32_t)i;
    }
}

static void explore(struct search *x)
{
    static uint8_t by[TEXT_THREADS * STEPS_MOST];
    unsigned n = 1;

    while (n > 0 && !x->out->large && !x->out->misused) {
        uint32_t from = queue[--n];
        const struct state s = table[from];

        x->n = 0;
        if (s.over) {
            x->out->code[s.code] = true;
            continue;
        }
        if (s.misused)
            x->out->misused = true;
        for (unsigned t = 0; t < x->p->threads; t++) {
            unsigned before = x->n;

            steps_of(x, &s, t);
            enabled[from] |= (uint8_t)((x->n > before) << t);
            memset(&by[before], (int)t, x->n - before);
        }
        if (x->n == 0)
            x->out->stuck = true;
        for (unsigned i = 0; i < x->n; i++) {
            bool new;

            note_caught(x, &x->next[i]);
            uint32_t at = enter(&x->next[i], &new);

            if (nedges == EDGES || n == LIMIT || x->out->states > LIMIT) {
                x->out->large = true;
                return;
            }
            left[from]++;
            edge[nedges].from = from;
            edge[nedges].by = by[i];
            edge[nedges++].to = at;
            x->out->states += new;
            if (new)
                queue[n++] = at;
        }
    }
}

/* Threads may wait forever in a state from which the program cannot end any more: waiting loops go
 * round there, if threads are not all blocked. */
static bool has_no_end(void)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = nedges; i-- > 0;)
            if (ends[edge[i].to] && !ends[edge[i].from])
                ends[edge[i].from] = changed = true;
    }
    for (unsigned i = 0; i < nedges; i++)
        if (!ends[edge[i].from])
            return true;
    return false;
}

/* ---- two locks, for ever -------------------------------------------------------------- */

static uint32_t first_edge[STATES], next_edge[EDGES]; /* from a state; number + 1, 0: none */
static uint32_t component[STATES]; /* 0: left out */

static bool takes_both(const struct search *x, uint32_t from, unsigned t)
{
    const struct thread *me = &table[from].thread[t];

    return me->life == ALIVE && me->phase < UNLOCKS && x->p->op[t][me->pc].kind == '2';
}

/* Tarjan's strong components, with a stack of our own. */
static uint32_t number[STATES], low[STATES], at[STATES]; /* at: the next edge to follow */
static uint32_t stack[LIMIT + 2], nstack, ncomponents;
enum { ON_STACK = -1 };

static void open_state(uint32_t s, uint32_t visit)
{
    number[s] = low[s] = visit;
    stack[nstack++] = s;
    at[s] = first_edge[s];
    component[s] = (uint32_t)ON_STACK;
}

static void close_state(uint32_t s)
{
    if (low[s] != number[s])
        return;
    ncomponents++;
    do
        component[stack[--nstack]] = ncomponents;
    while (stack[nstack] != s);
}

/* The next state to open from s, or 0 with *over when there is none. */
static uint32_t go_on(uint32_t s, bool *over)
{
    for (; at[s] != 0; at[s] = next_edge[at[s] - 1]) {
        uint32_t to = edge[at[s] - 1].to;

        if (component[to] != 0 && number[to] == 0)
            return to;
        if (component[to] == (uint32_t)ON_STACK && low[to] < low[s])
            low[s] = low[to];
    }
    *over = true;
    return 0;
}

static uint32_t find_components(uint32_t first)
{
    static uint32_t path[LIMIT + 2];
    uint32_t visits = 0, n = 0;

    memset(number, 0, sizeof number);
    ncomponents = nstack = 0;
    for (uint32_t e = 0; e < nedges + 1; e++) {
        uint32_t root = e == nedges ? first : edge[e].to;

        if (component[root] == 0 || number[root] != 0)
            continue;
        open_state(root, ++visits);
        for (path[n++] = root; n > 0;) {
            bool over = false;
            uint32_t to = go_on(path[n - 1], &over);

            if (over) {
                close_state(path[--n]);
            } else {
                open_state(to, ++visits);
                path[n++] = to;
            }
        }
    }
    return ncomponents;
}

static void keep_all(const struct search *x, uint32_t first, bool only)
{
    memset(component, 0, sizeof component);
    memset(first_edge, 0, sizeof first_edge);
    component[first] = 1;
    for (unsigned i = 0; i < nedges; i++) {
        component[edge[i].from] = component[edge[i].to] = 1;
        if (only && !takes_both(x, edge[i].from, edge[i].by))
            continue;
        next_edge[i] = first_edge[edge[i].from];
        first_edge[edge[i].from] = i + 1;
    }
}

/* Of a component: threads that take a step inside it, that have one there, and whether one of them takes two locks. */
static struct { uint8_t takes, has, both; } about[LIMIT + 2];

static void look_at_components(const struct search *x)
{
    memset(about, 0, sizeof about);
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t c = component[s];

        if (c == 0)
            continue;
        about[c].has |= enabled[s];
        for (uint32_t e = first_edge[s]; e != 0; e = next_edge[e - 1])
            if (component[edge[e - 1].to] == c) {
                about[c].takes |= (uint8_t)(1u << edge[e - 1].by);
                about[c].both |= takes_both(x, s, edge[e - 1].by);
            }
    }
}

/* Is there a cycle in which every thread that has a step somewhere in it takes one?  Either only with steps of threads
 * that take two locks, or with at least one.  A component shrinks by the states where a thread has a step that it
 * never takes inside. */
static bool cycles(const struct search *x, uint32_t first, bool only)
{
    keep_all(x, first, only);
    for (bool smaller = true; smaller;) {
        uint32_t n = find_components(first);

        look_at_components(x);
        for (uint32_t c = 1; c <= n; c++)
            if (about[c].both && (about[c].has & ~about[c].takes) == 0)
                return true;
        smaller = false;
        for (uint32_t s = 0; s < STATES; s++) {
            uint32_t c = component[s];

            if (c != 0 && (about[c].takes == 0 || (enabled[s] & ~about[c].takes) != 0)) {
                component[s] = 0;
                smaller = true;
            }
        }
    }
    return false;
}

static bool has_kind(const struct text *p, char kind)
{
    for (unsigned t = 0; t < p->threads; t++)
        for (unsigned i = 0; i < p->n[t]; i++)
            if (p->op[t][i].kind == kind)
                return true;
    return false;
}

/* From the last states to the first.  A state of a cycle is never counted, nor one before it. */
static double count_orders(uint32_t first)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = nedges; i-- > 0;) {
            uint32_t from = edge[i].from, to = edge[i].to;

            if (from == to || left[to] > 0 || left[from] == 0)
                continue;
            orders[from] += orders[to] > 0 ? orders[to] : 1;
            left[from]--;
            edge[i].from = to;
            changed = true;
        }
    }
    return left[first] > 0 ? 0 : orders[first];
}

void model_outcomes(const struct text *p, bool of_libc, struct outcomes *out)
{
    static struct state next[TEXT_THREADS * STEPS_MOST];
    struct search x = { p, out, next, 0, of_libc };
    struct state s;

    memset(out, 0, sizeof *out);
    memset(&s, 0, sizeof s);
    generation++;
    s.semaphore = p->semaphore;
    s.thread[0].life = ALIVE;
    proceed(p, &s, 0);
    bool new;

    nedges = 0;
    uint32_t first = queue[0] = enter(&s, &new);

    explore(&x);
    out->stuck |= !out->large && has_no_end();
    if (!out->large && has_kind(p, '2')) {
        out->may_cycle = cycles(&x, first, false);
        out->must_cycle = out->may_cycle && cycles(&x, first, true);
    }
    out->orders = count_orders(first);
}
