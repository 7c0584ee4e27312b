/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier.h - the barrier that the PARSEC and SPLASH-2 programs bring along: a
 * counter and a generation under a mutex, and a condition.
 *
 * The thread that comes last goes on first, without having waited; that is what the defects of
 * streamcluster hang on. */
#ifndef BARRIER_H
#define BARRIER_H

struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    int members, here;
    unsigned generation;
};

#define BARRIER_OF(members_)                                                                       \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .all_here = PTHREAD_COND_INITIALIZER,                   \
        .members = (members_)                                                                      \
    }

static void barrier_wait(struct barrier *b)
{
    unsigned generation;

    pthread_mutex_lock(&b->lock);
    generation = b->generation;
    if (++b->here == b->members) {
        b->here = 0;
        b->generation++;
        pthread_cond_broadcast(&b->all_here);
    } else {
        while (b->generation == generation)
            pthread_cond_wait(&b->all_here, &b->lock);
    }
    pthread_mutex_unlock(&b->lock);
}

#endif
