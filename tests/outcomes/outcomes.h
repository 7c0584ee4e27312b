/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outcomes.h - threads that make random calls, and a digest of all that these returned, so that
 * two searches that see the same outcomes report the same exit codes. */
#ifndef OUTCOMES_H
#define OUTCOMES_H

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { MAX_THREADS = 4 };

typedef long outcome_call(unsigned thread, unsigned kind);

static struct outcome_thread {
    uint32_t seed, digest;
    pthread_t id; /* known to those that are created later */
} outcome_threads[MAX_THREADS];

static struct {
    outcome_call *call;
    unsigned kinds, neighbours, calls;
    unsigned theme; /* neighbouring kinds are likely to meet */
} outcomes;

/* A generator of the program's own: the C library's are what is tested. */
static uint32_t outcome_next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void *outcome_body(void *arg)
{
    struct outcome_thread *t = arg;

    for (unsigned i = 0; i < outcomes.calls; i++) {
        unsigned kind = (outcomes.theme + outcome_next(&t->seed) % outcomes.neighbours) % outcomes.kinds;

        t->digest = t->digest * 31 + (uint32_t)outcomes.call((unsigned)(t - outcome_threads), kind);
    }
    return NULL;
}

/* Few outcomes share a code: 150 of them, and 0 is none.  rest, unless NULL, is asked at the end
 * for what the calls have left behind. */
static int outcome(int argc, char **argv, outcome_call *call, unsigned kinds, unsigned neighbours,
                   uint32_t (*rest)(uint32_t))
{
    uint32_t seed = argc > 1 ? (uint32_t)atoi(argv[1]) : 1, sum = 0;
    unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 2;

    outcomes.call = call;
    outcomes.kinds = kinds;
    outcomes.neighbours = neighbours;
    outcomes.calls = argc > 3 ? (unsigned)atoi(argv[3]) : 2;
    outcomes.theme = outcome_next(&seed) % kinds;
    for (unsigned i = 0; i < n; i++) {
        uint32_t high = outcome_next(&seed) << 16;

        outcome_threads[i].seed = high | outcome_next(&seed);
        pthread_create(&outcome_threads[i].id, NULL, outcome_body, &outcome_threads[i]);
    }
    for (unsigned i = n; i-- > 0;)
        pthread_join(outcome_threads[i].id, NULL);
    for (unsigned i = 0; i < n; i++)
        sum = (sum ^ outcome_threads[i].digest) * 0x9e3779b1u;
    if (rest != NULL)
        sum = rest(sum);
    return 1 + (int)((sum >> 8) % 150);
}

#endif
