/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clock.c - a binary heap of alarms with the next one to expire at the top, and one thread that waits for it. The
 * first alarm starts the thread. */
#include "actor/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change;
static pthread_t thread;
static bool runs, ends;
static struct heddle_alarm_ **heap;
static size_t n, room;

static void put(struct heddle_alarm_ *a, size_t at)
{
    heap[at] = a;
    a->at = at;
}

/* Moves the alarm at this index up or down until the heap is ordered. */
static void settle(size_t at)
{
    struct heddle_alarm_ *a = heap[at];

    for (; at > 0 && heap[(at - 1) / 2]->when > a->when; at = (at - 1) / 2)
        put(heap[(at - 1) / 2], at);
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1]->when < heap[child]->when;
        if (heap[child]->when >= a->when)
            break;
        put(heap[child], at);
    }
    put(a, at);
}

static void take_out(struct heddle_alarm_ *a)
{
    size_t at = a->at;

    atomic_fetch_add(&a->life, 1);
    if (at == --n)
        return;
    put(heap[n], at);
    settle(at);
}

static void wait_until(uint64_t when)
{
    struct timespec t = { .tv_sec = (time_t)(when / 1000000000), .tv_nsec = (long)(when % 1000000000) };

    pthread_cond_timedwait(&change, &lock, &t);
}

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *clock_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!ends) {
        if (n == 0) {
            pthread_cond_wait(&change, &lock);
        } else if (heap[0]->when > now()) {
            wait_until(heap[0]->when);
        } else {
            struct heddle_alarm_ *a = heap[0];

            take_out(a);
            pthread_mutex_unlock(&lock);
            ha_alarm_expired(a);
            pthread_mutex_lock(&lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void start(void)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&change, &attr);
    pthread_condattr_destroy(&attr);
    ends = false;
    if (pthread_create(&thread, NULL, clock_main, NULL) != 0)
        abort();
    runs = true;
}

void ha_clock_arm(struct heddle_alarm_ *a)
{
    a->when = now() + a->delay;
    pthread_mutex_lock(&lock);
    if (!runs)
        start();
    if (n == room) {
        size_t more = room == 0 ? 64 : 2 * room;
        struct heddle_alarm_ **larger = ha_allocate(more * sizeof *larger);

        if (n != 0)
            memcpy(larger, heap, n * sizeof *heap);
        free(heap);
        heap = larger;
        room = more;
    }
    put(a, n++);
    settle(n - 1);
    if (heap[0] == a)
        pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
}

heddle_message *ha_clock_disarm(struct heddle_alarm_ *a, uint64_t life)
{
    heddle_message *m = NULL;

    pthread_mutex_lock(&lock);
    if (atomic_load(&a->life) == life) {
        m = a->message;
        take_out(a);
    }
    pthread_mutex_unlock(&lock);
    return m;
}

void ha_clock_stop(void)
{
    pthread_mutex_lock(&lock);
    bool was = runs;

    ends = true;
    if (was)
        pthread_cond_signal(&change);
    pthread_mutex_unlock(&lock);
    if (!was)
        return;
    pthread_join(thread, NULL);
    while (n > 0) {
        struct heddle_alarm_ *a = heap[0];

        take_out(a);
        free(a->message);
        ha_alarm_dropped(a);
    }
    free(heap);
    heap = NULL;
    room = 0;
    runs = false;
    pthread_cond_destroy(&change);
}
