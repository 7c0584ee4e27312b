/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bounded_queue - a queue of one place, a mutex and two conditions.
 *
 * Two threads put one item each, two take one each.  Claim: items.h, no thread waits forever.  IF:
 * who wakes up does not look again whether there is an item.  ONE_CONDITION: all wait on the same
 * one, and a signal may wake one that cannot go on.  NO_SIGNAL: a thread that takes does not say that there is
 * room. UNLOCKED: a thread checks for room before it takes the lock. */
#include "../program.h"

#include "items.h"

enum { EACH = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_room = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define is_item is_room
#else
static pthread_cond_t is_item = PTHREAD_COND_INITIALIZER;
#endif
static int place; /* 0: free */

static void *put(void *arg)
{
#ifdef UNLOCKED
    bool full = visible_read(place) != 0;

    pthread_mutex_lock(&lock);
    if (full)
        pthread_cond_wait(&is_room, &lock);
#else
    pthread_mutex_lock(&lock);
    while (visible_read(place) != 0)
        pthread_cond_wait(&is_room, &lock);
#endif
    visible_write(place, number_of(arg));
    pthread_cond_signal(&is_item);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void await_item(void)
{
#ifdef IF
    if (visible_read(place) == 0)
        pthread_cond_wait(&is_item, &lock);
#else
    while (visible_read(place) == 0)
        pthread_cond_wait(&is_item, &lock);
#endif
}

static void *take(void *arg)
{
    pthread_mutex_lock(&lock);
    await_item();
    taken(visible_read(place));
    visible_write(place, 0);
#ifndef NO_SIGNAL
    pthread_cond_signal(&is_room);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t puts[EACH], takes[EACH];

    for (int i = 0; i < EACH; i++) {
        puts[i] = spawn_numbered(put, i + 1);
        takes[i] = spawn(take);
    }
    for (int i = 0; i < EACH; i++) {
        join(puts[i]);
        join(takes[i]);
    }
    all_were_taken(EACH);
    return 0;
}
