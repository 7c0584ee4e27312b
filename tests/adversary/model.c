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
static struct { uint32_t from, to; } edge[EDGES];
static unsigned nedges;
static bool ends[STATES]; /* the program can end from there */
static uint32_t left[STATES]; /* edges from there to states whose orders are not counted yet */
static double orders[STATES];

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
            *new = true;
            return (uint32_t)i;
        }
        if (memcmp(&table[i], s, sizeof *s) == 0)
            return (uint32_t)i;
    }
}

static void explore(struct search *x)
{
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
        for (unsigned t = 0; t < x->p->threads; t++)
            steps_of(x, &s, t);
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
    out->orders = count_orders(first);
}
