/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_twice.c - a thread is joined a second time.
 * Expect: lock-misuse */
#include "../conform.h"

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    finish(t);
    pthread_join(t, NULL);
    return 0;
}
