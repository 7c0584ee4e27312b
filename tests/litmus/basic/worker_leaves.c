/* SPDX-License-Identifier: BSD-2-Clause
 *
 * worker_leaves - a worker ends itself with pthread_exit in the middle of its
 * function.
 *
 * Claim: the join gets its value.  Main's write is merged with the worker's
 * start and write: C(3, 1) orders. */
#include "../litmus.h"

static int shared;

static void *work(void *arg)
{
    visible_write(shared, 1);
    if (arg == NULL)
        pthread_exit(&shared);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);
    void *value = NULL;

    visible_write(shared, 2);
    pthread_join(worker, &value);
    assert(value == &shared);
    return 0;
}
