/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_forever.c - a thread polls with loads only for a value that is overwritten before
 * it looks.
 * Expect: livelock */
#include <stdatomic.h>

#include "../conform.h"

static atomic_int stage;

static void *worker(void *arg)
{
    atomic_store(&stage, 1);
    atomic_store(&stage, 2);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    while (atomic_load(&stage) != 1)
        ;
    finish(t);
    return 0;
}
