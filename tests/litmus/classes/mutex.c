/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.c - T threads, each K times { lock; x++; unlock }. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, times;

static void *work(void *arg)
{
    (void)arg;
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t t[16];

    times = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
