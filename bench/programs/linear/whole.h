/* SPDX-License-Identifier: BSD-2-Clause
 *
 * whole.h - the usual repair: an operation is one critical section from its first to its last step.  Without
 * -DFIXED there is none.  Everything that clients share is atomic, so the bugs are no data races. */
#ifndef WHOLE_H
#define WHOLE_H

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t whole __attribute__((unused)) = PTHREAD_MUTEX_INITIALIZER;

static inline void enter(void)
{
#ifdef FIXED
    pthread_mutex_lock(&whole);
#endif
}

static inline void leave(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&whole);
#endif
}

#endif
