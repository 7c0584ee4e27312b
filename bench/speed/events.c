/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events.c - 40,000 visible operations, for the cost of one.  The argument:
 *   mutex      one thread locks and unlocks: no switch
 *   semaphore  one thread posts and waits: no switch
 *   pingpong   two threads hand two semaphores to and fro: the same operations
 *              as above, and after each wait-and-post the thread can do nothing
 *              but wait for the other, so that every strategy must switch at
 *              every second operation */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>

enum { OPERATIONS = 40000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t ping, pong;

static void lock_alone(void)
{
    for (int i = 0; i < OPERATIONS / 2; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void post_alone(void)
{
    for (int i = 0; i < OPERATIONS / 2; i++) {
        sem_post(&ping);
        sem_wait(&ping);
    }
}

static void *answer(void *arg)
{
    for (int i = 0; i < OPERATIONS / 4; i++) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return arg;
}

static void ask(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, answer, NULL);
    for (int i = 0; i < OPERATIONS / 4; i++) {
        sem_post(&ping);
        sem_wait(&pong);
    }
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "mutex";

    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    if (strcmp(what, "mutex") == 0)
        lock_alone();
    else if (strcmp(what, "semaphore") == 0)
        post_alone();
    else
        ask();
    return 0;
}
