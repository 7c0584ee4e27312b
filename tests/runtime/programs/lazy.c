/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy.c - N threads with sections that commute, until some execution shows that the order of a mutex matters
 * (tries), or that a thread blocks inside a section (nests).  Both happen only in executions in which thread 1 comes
 * last; it does not in the first one. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int threads, done, own[8], failed;
static const char *how;

static void last_of_all(void)
{
    if (strcmp(how, "tries") == 0) {
        if (pthread_mutex_trylock(&common) == 0)
            pthread_mutex_unlock(&common);
        else
            failed++;
    } else if (strcmp(how, "nests") == 0) {
        pthread_mutex_lock(&common);
        pthread_mutex_lock(&other);
        pthread_mutex_unlock(&other);
        pthread_mutex_unlock(&common);
    }
}

static void *work(void *arg)
{
    int n = (int)(intptr_t)arg, before;

    pthread_mutex_lock(&common);
    own[n]++;
    pthread_mutex_unlock(&common);
    pthread_mutex_lock(&other);
    before = done++;
    pthread_mutex_unlock(&other);
    if (n == 0 && before == threads - 1)
        last_of_all();
    pthread_mutex_lock(&common);
    own[n]++;
    pthread_mutex_unlock(&common);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[8];

    threads = argc > 2 ? atoi(argv[2]) : 3;
    how = argc > 1 ? argv[1] : "commute";
    for (int i = 0; i < threads; i++)
        pthread_create(&t[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    return 0;
}
