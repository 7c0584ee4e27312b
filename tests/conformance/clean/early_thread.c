/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_thread.c - threads that a constructor starts run beside main: joinable with
 * their value, detached, and together with those that main starts. */
#include <semaphore.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t detached_is_done;
static int sum;
static pthread_t early;

static void *add(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    sum += *(int *)arg;
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

static void *post(void *arg)
{
    IS(sem_post(&detached_is_done), 0);
    return arg;
}

__attribute__((constructor)) static void before_main(void)
{
    static int one = 1;
    pthread_t detached;

    IS(sem_init(&detached_is_done, 0, 0), 0);
    IS(pthread_create(&early, NULL, add, &one), 0);
    IS(pthread_create(&detached, NULL, post, NULL), 0);
    IS(pthread_detach(detached), 0);
    IS(pthread_equal(early, detached), 0);
}

int main(void)
{
    int ten = 10;
    pthread_t late = start(add, &ten);

    IS(pthread_equal(early, late), 0);
    IS(*(int *)finish(early), 1);
    IS(*(int *)finish(late), 10);
    IS(sem_wait(&detached_is_done), 0);
    IS(sum, 11);
    return 0;
}
