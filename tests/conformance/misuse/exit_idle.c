/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_idle.c - an exit handler may wait with a time-out while another thread is blocked.
 * Expect: abort
 * Options: --strategy dfs --timeouts idle */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "../conform.h"

sem_t s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *t1(void *a)
{
    sem_wait(&s);
    return 0;
}
void h(void)
{
    struct timespec ts = {1, 0};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &ts);
    pthread_mutex_unlock(&m);
    abort();
}
int main(void)
{
    pthread_t a;
    sem_init(&s, 0, 0);
    atexit(h);
    pthread_create(&a, 0, t1, 0);
    return 0;
}
