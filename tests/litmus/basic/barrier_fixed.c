/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_fixed - main reads the worker's result after the barrier.
 *
 * Claim: main sees the result.  True.  Twin: barrier_bug.c. */
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

    pthread_barrier_init(&both, NULL, 2);
    worker = spawn(work);
    visible_write(main_result, 1);
    pthread_barrier_wait(&both);
    assert(visible_read(worker_result) == 1);
    join(worker);
    return 0;
}
