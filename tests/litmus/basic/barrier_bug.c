/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_bug - main reads the worker's result before the barrier.
 *
 * Claim: main sees the result.  False when the worker is slower.
 * Twin: barrier_fixed.c. */
#include "../litmus.h"

static pthread_barrier_t both;
static int main_result, worker_result;

static void *work(void *arg)
{
    visible_write(worker_result, 1);
    pthread_barrier_wait(&both);
    return arg;
}

int main(void)
{
    pthread_t worker;
    int seen;

    pthread_barrier_init(&both, NULL, 2);
    worker = spawn(work);
    visible_write(main_result, 1);
    seen = visible_read(worker_result);
    pthread_barrier_wait(&both);
    assert(seen == 1);
    join(worker);
    return 0;
}
