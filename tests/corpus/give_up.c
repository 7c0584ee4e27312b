/* SPDX-License-Identifier: BSD-2-Clause
 *
 * give_up - looks N times for a flag, then gives up.
 *
 * Claim: it does not.  False: main may be slow. */
#include "../litmus/litmus.h"

#include <stdatomic.h>

#ifndef N
#define N 10
#endif

static atomic_int flag, gave_up;

static void *work(void *arg)
{
    for (int i = 0; i < N; i++)
        if (atomic_load(&flag))
            return arg;
    atomic_store(&gave_up, 1);
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);

    assert(!atomic_load(&gave_up));
    atomic_store(&flag, 1);
    join(other);
    return 0;
}
