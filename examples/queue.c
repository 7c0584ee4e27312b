/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue.c - a bounded queue that hangs now and then, and says nothing when it does.
 *
 * Two workers take one job each from a queue that has room for one.  Every access
 * is locked, every wait is in a loop, every change is signalled, and yet an order
 * of the threads exists in which all of them wait for ever.  docs/tutorial.md is
 * about this program; the repaired one is queue_fixed.c. */
#include <assert.h>
#include <pthread.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    int job;
};

static struct queue queue = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };

static void put(struct queue *q, int job)
{
    pthread_mutex_lock(&q->lock);
    while (q->full)
        pthread_cond_wait(&q->changed, &q->lock);
    q->job = job;
    q->full = 1;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->full)
        pthread_cond_wait(&q->changed, &q->lock);
    int job = q->job;
    q->full = 0;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return job;
}

static void *worker(void *done)
{
    *(int *)done = get(&queue);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int done[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &done[i]);
    put(&queue, 1);
    put(&queue, 2);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(done[0] + done[1] == 3);
    return 0;
}
