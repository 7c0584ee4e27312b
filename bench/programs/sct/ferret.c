/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ferret - the skeleton of a search for similar pictures: a pipeline of stages with
 * queues between them; main loads, three stages of three threads work, one thread
 * puts out (SCT study, row 39: parsec.ferret).
 *
 * Claim: all items come out.  Defect: a thread registers with its output queue only
 * when it has the first item for it, and a queue closes when all that have
 * registered are through.  A thread that takes an item early and is then starved
 * until its whole stage is done finds the queue closed behind it.  A random walk
 * hardly starves a thread that long.  Everything is under the queues' locks; nothing
 * races. The study's run has 24,453 points; this one has fewer items, so that the
 * twin is verified in time.  Fix: main registers all before it starts them. */
#include "../program.h"

enum { STAGES = 3, THREADS_PER_STAGE = 3, ITEMS = 24, PLACES = 8 };

static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int items[PLACES];
    int head, count;
    int writers;
    bool closed;
} queues[STAGES + 1];

static int out;

static void registered(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->writers++;
    pthread_mutex_unlock(&q->lock);
}

static void through(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    if (--q->writers == 0) {
        q->closed = true;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
}

/* To a queue that is closed nothing is added: no thread would take it. */
static void put(struct queue *q, int item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == PLACES && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    if (!q->closed) {
        q->items[(q->head + q->count++) % PLACES] = item;
        pthread_cond_broadcast(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
}

static bool take(struct queue *q, int *item)
{
    bool taken = false;

    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !q->closed)
        pthread_cond_wait(&q->changed, &q->lock);
    if (q->count > 0) {
        *item = q->items[q->head];
        q->head = (q->head + 1) % PLACES;
        q->count--;
        pthread_cond_broadcast(&q->changed);
        taken = true;
    }
    pthread_mutex_unlock(&q->lock);
    return taken;
}

static void *stage(void *arg)
{
    struct queue *in = &queues[number_of(arg)], *next = in + 1;
    bool known = false;
    int item;

#ifdef FIXED
    known = true;
#endif
    while (take(in, &item)) {
        if (!known)
            registered(next);
        known = true;
        put(next, item);
    }
    if (known)
        through(next);
    return NULL;
}

static void *put_out(void *arg)
{
    int item;

    while (take(&queues[STAGES], &item))
        out++;
    return arg;
}

static void load(void)
{
    for (int item = 0; item < ITEMS; item++)
        put(&queues[0], item);
    through(&queues[0]);
}

int main(void)
{
    pthread_t threads[STAGES * THREADS_PER_STAGE], last;

    for (int i = 0; i <= STAGES; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].changed, NULL);
    }
    queues[0].writers = 1;
#ifdef FIXED
    for (int i = 1; i <= STAGES; i++)
        queues[i].writers = THREADS_PER_STAGE;
#endif
    for (int i = 0; i < STAGES * THREADS_PER_STAGE; i++)
        threads[i] = spawn_numbered(stage, i / THREADS_PER_STAGE);
    last = spawn(put_out);
    load();
    for (int i = 0; i < STAGES * THREADS_PER_STAGE; i++)
        join(threads[i]);
    join(last);
    assert(out == ITEMS);
    return 0;
}
