/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_late - joins a thread that has stored but perhaps not ended: by tryjoin (default)
 * or by timedjoin, which may always be too early (TIMED).
 *
 * Claim: a thread that has seen the store finds the other one ended.  False. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <stdatomic.h>
#include <time.h>

static atomic_int stored;

static void *work(void *arg)
{
    stored = 1;
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);
    int seen = stored;
#ifdef TIMED
    struct timespec until = { 2000000000, 0 };
    int error = pthread_timedjoin_np(other, NULL, &until);
#else
    int error = pthread_tryjoin_np(other, NULL);
#endif

    assert(!(seen && error != 0));
    if (error != 0)
        join(other);
    return 0;
}
