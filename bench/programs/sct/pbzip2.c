/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pbzip2 - the skeleton of a parallel compressor: main reads blocks into a queue,
 * consumers compress them, a writer puts them out in order (SCT study, row 1:
 * CB.pbzip2-0.9.4).
 *
 * Claim: no thread uses the queue after it was deleted.  Defect: main waits for the
 * writer, which is through when all blocks are out, and deletes the queue with its
 * mutex and conditions while the consumers still look whether there is more. The
 * study saw it as an access to a bad synchronisation object.  Everything is under
 * locks, but for `read_all`, which main sets without and which is visible. Smallest
 * run: two consumers, two blocks, four threads.
 * Fix: main also joins the consumers before it deletes. */
#include "../program.h"

enum { CONSUMERS = 2, BLOCKS = 2, PLACES = 1 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int blocks[PLACES];
    int count, head;
};

static struct queue *queue;
static int read_all;
static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t out_ready = PTHREAD_COND_INITIALIZER;
static int compressed[BLOCKS];

static struct queue *queue_new(void)
{
    struct queue *q = calloc(1, sizeof *q);

    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_full, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    return q;
}

static void queue_delete(struct queue *q)
{
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->not_full);
    pthread_cond_destroy(&q->not_empty);
    free(q);
}

static void produce(struct queue *q)
{
    for (int block = 0; block < BLOCKS; block++) {
        pthread_mutex_lock(&q->lock);
        while (q->count == PLACES)
            pthread_cond_wait(&q->not_full, &q->lock);
        q->blocks[(q->head + q->count++) % PLACES] = block;
        pthread_mutex_unlock(&q->lock);
        pthread_cond_signal(&q->not_empty);
    }
    visible_write(read_all, 1);
    pthread_mutex_lock(&q->lock); /* a consumer that looked before now waits, and is woken */
    pthread_cond_broadcast(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

/* The next block, or -1 when there are none and will be none. */
static int take(struct queue *q)
{
    int block = -1;

    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !visible_read(read_all))
        pthread_cond_wait(&q->not_empty, &q->lock);
    if (q->count > 0) {
        block = q->blocks[q->head];
        q->head = (q->head + 1) % PLACES;
        q->count--;
    }
    pthread_mutex_unlock(&q->lock);
    pthread_cond_signal(&q->not_full);
    return block;
}

static void *consume(void *arg)
{
    int block;

    while ((block = take(queue)) >= 0) {
        pthread_mutex_lock(&out_lock);
        compressed[block] = 1;
        pthread_cond_signal(&out_ready);
        pthread_mutex_unlock(&out_lock);
    }
    return arg;
}

static void *write_out(void *arg)
{
    for (int block = 0; block < BLOCKS; block++) {
        pthread_mutex_lock(&out_lock);
        while (!compressed[block])
            pthread_cond_wait(&out_ready, &out_lock);
        pthread_mutex_unlock(&out_lock);
    }
    return arg;
}

int main(void)
{
    pthread_t consumers[CONSUMERS], writer;

    queue = queue_new();
    for (int i = 0; i < CONSUMERS; i++)
        consumers[i] = spawn(consume);
    writer = spawn(write_out);
    produce(queue);
    join(writer);
#ifdef FIXED
    for (int i = 0; i < CONSUMERS; i++)
        join(consumers[i]);
#else
    (void)consumers;
#endif
    queue_delete(queue);
    return 0;
}
