/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.c - chooses the executor, starts it and stops it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/heddle.h>

#include "actor/cell.h"

const struct ha_executor *ha_exec;
static _Atomic bool runs;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static uint64_t seed;

void *ha_allocate(size_t size)
{
    void *p = malloc(size);

    if (p == NULL) {
        fputs("heddle-actor: no memory\n", stderr);
        abort();
    }
    return p;
}

/* The finaliser of splitmix64. */
uint64_t ha_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t ha_seed(void)
{
    return seed;
}

/* true if this file was compiled with heddle cc */
#if defined(__SANITIZE_THREAD__)
#define IS_INSTRUMENTED true
#elif defined(__has_feature)
#define IS_INSTRUMENTED __has_feature(thread_sanitizer)
#else
#define IS_INSTRUMENTED false
#endif

/* True if Heddle runs the actors.  With HEDDLE_ACTOR=pool the pool itself is tested; that requires that Heddle sees
 * its operations. */
static bool is_controlled(void)
{
    const char *wanted = getenv("HEDDLE_ACTOR");

    return heddle_active() && (!IS_INSTRUMENTED || wanted == NULL || strcmp(wanted, "pool") != 0);
}

static void start(const heddle_actors_options *options)
{
    unsigned workers = options != NULL ? options->workers : 0;

    if (workers == 0) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);

        workers = n > 0 ? (unsigned)n : 1;
    }
    seed = options != NULL ? options->seed : 0;
    ha_exec = is_controlled() ? &ha_controlled : &ha_pool;
    ha_exec->start(workers);
    atomic_store_explicit(&runs, true, memory_order_release);
}

void heddle_actors_start(const heddle_actors_options *options)
{
    pthread_mutex_lock(&starting);
    if (!atomic_load_explicit(&runs, memory_order_relaxed))
        start(options);
    pthread_mutex_unlock(&starting);
}

void ha_started(void)
{
    if (!atomic_load_explicit(&runs, memory_order_acquire))
        heddle_actors_start(NULL);
}

void heddle_actors_stop(void)
{
    pthread_mutex_lock(&starting);
    bool was = atomic_load_explicit(&runs, memory_order_relaxed);

    if (was)
        ha_exec->stop();
    atomic_store_explicit(&runs, false, memory_order_release);
    pthread_mutex_unlock(&starting);
}

void heddle_quiesce(void)
{
    ha_started();
    ha_exec->quiet();
}

uint64_t heddle_random(uint64_t n)
{
    struct heddle_cell_ *c = heddle_self().cell;
    uint64_t x = c->random = ha_mix(c->random);

    return n == 0 ? x : (uint64_t)((__extension__(unsigned __int128)x * n) >> 64);
}
