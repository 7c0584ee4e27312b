/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rtm.h - hardware transactions by their instructions (-mrtm; not with GNU_TM), and THREADS threads that do the same
 * ROUNDS times. */
#ifndef RTM_H
#define RTM_H

#include "../program.h"

#ifndef GNU_TM
#include <immintrin.h>
#endif

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#ifdef PLAIN /* data races come before the failures, as in Landslide's own programs */
#undef visible_read
#undef visible_write
#define visible_read(object) (object)
#define visible_write(object, value) ((object) = (value))
#endif

#ifndef GNU_TM
/* Begins a transaction.  False: it was aborted, and the program goes on here once more. */
static inline bool transaction_begin(void)
{
    return _xbegin() == _XBEGIN_STARTED;
}
#endif

/* Calls the body in each thread with the number of the thread, and waits until all have ended. */
static inline void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(body, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
}

#endif
