/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model.c - explores the states of a small program: each is left by every step of every thread,
 * and none is entered twice. */
#include "model.h"

#include "steps.h"

enum { STATES = 1 << 18, LIMIT = 60000 };

static struct state table[STATES];
static uint32_t filled[STATES], generation;
static uint32_t queue[LIMIT];

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
            steps_of(x, &s, t);
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
    static struct state next[TEXT_THREADS * STEPS_MOST];
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
