/* SPDX-License-Identifier: BSD-2-Clause
 *
 * robust_cond.c - a thread that ends after pthread_cond_wait has locked a robust mutex again leaves EOWNERDEAD.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "../conform.h"

pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *t1(void *a)
{
    pthread_mutex_lock(&m);
    while (!ready)
        pthread_cond_wait(&c, &m);
    return 0; /* dies with m */
}
int main(void)
{
    pthread_t a;
    pthread_mutexattr_t at;
    pthread_mutexattr_init(&at);
    pthread_mutexattr_setrobust(&at, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &at);
    pthread_create(&a, 0, t1, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    int rc = pthread_mutex_lock(&m);
    assert(rc == EOWNERDEAD);
    pthread_mutex_consistent(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
