/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_pool - two workers take jobs from a queue until main, which put three, closes it.
 *
 * Claim: each job is done once, and both workers end.  SIGNAL: closing wakes one worker only.
 * UNLOCKED: closing is not under the lock, and may come between a worker's look and its sleep.
 * CLOSED_FIRST: a worker that sees the queue closed ends although there are jobs.  TWO_LOOKS: a
 * worker gives the lock up between seeing a job and taking it. */
#include "../program.h"

#include "items.h"

enum { WORKERS = 2, JOBS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs[JOBS], put_count, taken_count, closed;

static void put(int job)
{
    pthread_mutex_lock(&lock);
    jobs[put_count++] = job;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void close_queue(void)
{
#ifdef UNLOCKED
    atomic_write(closed, 1);
    pthread_cond_broadcast(&changed);
#else
    pthread_mutex_lock(&lock);
    atomic_write(closed, 1);
#ifdef SIGNAL
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&lock);
#endif
}

/* With the lock held: false when there is nothing more to do. */
static bool await_job(void)
{
#ifdef CLOSED_FIRST
    while (!atomic_read(closed) && taken_count == put_count)
        pthread_cond_wait(&changed, &lock);
    return !atomic_read(closed);
#else
    while (taken_count == put_count) {
        if (atomic_read(closed))
            return false;
        pthread_cond_wait(&changed, &lock);
    }
    return true;
#endif
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    while (await_job()) {
#ifdef TWO_LOOKS
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        assert(taken_count < put_count);
#endif
        taken(jobs[taken_count++]);
        pthread_mutex_unlock(&lock); /* the job would be done here */
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t workers[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        workers[i] = spawn(worker);
    for (int i = 1; i <= JOBS; i++)
        put(i);
    close_queue();
    for (int i = 0; i < WORKERS; i++)
        join(workers[i]);
    all_were_taken(JOBS);
    return 0;
}
