/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_sem_wait.c - cancelling a thread in sem_wait takes no unit.
 * Reduction: threads are cancelled */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;
static int cleaned;

static void clean(void *arg)
{
    *(int *)arg = 1;
}

static void *victim(void *arg)
{
    pthread_cleanup_push(clean, &cleaned);
    sem_wait(&s);
    pthread_cleanup_pop(0);
    abort();
    return arg;
}

int main(void)
{
    int v;

    IS(sem_init(&s, 0, 0), 0);
    pthread_t t = start(victim, NULL);
    IS(pthread_cancel(t), 0);
    IS(finish(t) == PTHREAD_CANCELED, 1);
    IS(cleaned, 1);
    IS(sem_getvalue(&s, &v), 0);
    IS(v, 0);
    return 0;
}
