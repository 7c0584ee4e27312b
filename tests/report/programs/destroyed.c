/* SPDX-License-Identifier: BSD-2-Clause
 *
 * destroyed.c - main destroys a mutex that it holds, and goes on: what it reads afterwards is not part of the
 * failure. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (done == 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_destroy(&lock);
    pthread_join(a, NULL);
    pthread_cond_destroy(&changed);
    return done != 1;
}
