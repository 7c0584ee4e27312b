/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue_fixed.c - queue.c repaired: those who wait for room and those who wait for a
 * job wait on one condition, so all of them are woken, and each looks for itself
 * whether it was meant.  `heddle verify` shows that no order of the threads hangs. */
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
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static int get(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->full)
        pthread_cond_wait(&q->changed, &q->lock);
    int job = q->job;
    q->full = 0;
    pthread_cond_broadcast(&q->changed);
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
