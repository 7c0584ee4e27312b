/* SPDX-License-Identifier: BSD-2-Clause
 *
 * early_free.c - main frees what it has given to a thread before it joins the thread.
 * Twin (-DFIXED): it joins first. */
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t lock;
    int done;
};

static void *work(void *arg)
{
    struct job *job = arg;

    pthread_mutex_lock(&job->lock);
    job->done = 1;
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

int main(void)
{
    struct job *job = calloc(1, sizeof *job);
    pthread_t thread;

    pthread_mutex_init(&job->lock, NULL);
    pthread_create(&thread, NULL, work, job);
#ifdef FIXED
    pthread_join(thread, NULL);
    free(job);
#else
    free(job);
    pthread_join(thread, NULL);
#endif
    return 0;
}
