/* SPDX-License-Identifier: BSD-2-Clause
 *
 * detach_twice.c - a thread is detached by its creator and by itself.
 * Expect: lock-misuse */
#include "../conform.h"

static void *worker(void *arg)
{
    pthread_detach(pthread_self());
    return arg;
}

int main(void)
{
    pthread_detach(start(worker, NULL));
    return 0;
}
