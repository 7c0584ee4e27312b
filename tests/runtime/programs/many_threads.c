/* SPDX-License-Identifier: BSD-2-Clause
 *
 * many_threads.c - thread 257 and then thread 1 write to a variable; the detector's shadow has 8 bits for a thread, in which
 * they are equal.  With an argument a lock orders them. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

enum { THREADS = 300 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t created;
static int ordered, variable;

static void *body(void *arg)
{
    int i = *(int *)arg;

    if (i == 1)
        sem_wait(&created);
    if (i % 256 != 1)
        return NULL;
    if (ordered)
        pthread_mutex_lock(&lock);
    variable++;
    if (ordered)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    static int number[THREADS];
    static pthread_t t[THREADS];

    (void)argv;
    ordered = argc > 1;
    sem_init(&created, 0, 0);
    for (int i = 1; i < THREADS; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, body, &number[i]);
    }
    sem_post(&created);
    for (int i = 1; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
