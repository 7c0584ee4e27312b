/* SPDX-License-Identifier: BSD-2-Clause
 *
 * philosophers - twelve threads, each of which locks its own fork and the next one: the first
 * schedule survives, and its order of locks is a cycle of twelve threads. */
#include "locks.h"

enum { PHILOSOPHERS = 12 };

static pthread_mutex_t fork_[PHILOSOPHERS];

static void *philosopher(void *arg)
{
    pthread_mutex_t *left = arg, *right = left == &fork_[PHILOSOPHERS - 1] ? &fork_[0] : left + 1;
    bool swaps = fixed() && right < left;

    pthread_mutex_lock(swaps ? right : left);
    pthread_mutex_lock(swaps ? left : right);
    pthread_mutex_unlock(left);
    pthread_mutex_unlock(right);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[PHILOSOPHERS];

    choose_variant(argc, argv);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&fork_[i], NULL);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&t[i], NULL, philosopher, &fork_[i]);
    for (int i = 0; i < PHILOSOPHERS; i++)
        join(t[i]);
    return 0;
}
