/* SPDX-License-Identifier: BSD-2-Clause
 *
 * progress - an update is lost at the beginning, and noticed at the end, when the threads have
 * handed each other something many times. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ROUNDS = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static atomic_int progress;

static void hand_over(int me)
{
    pthread_mutex_lock(&mutex);
    while (turn != me)
        pthread_cond_wait(&changed, &mutex);
    turn = !me;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    progress = progress + 1;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < ROUNDS; i++)
        hand_over(1);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, worker, NULL);
    progress = progress + 2; /* without the mutex */
    for (int i = 0; i < ROUNDS; i++)
        hand_over(0);
    pthread_join(thread, NULL);
    assert(progress == 3);
    return 0;
}
