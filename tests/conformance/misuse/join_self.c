/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_self.c - a thread joins itself: undefined, though libc may answer EDEADLK.
 * Expect: lock-misuse */
#include "../conform.h"

static void *worker(void *arg)
{
    pthread_join(pthread_self(), NULL);
    return arg;
}

int main(void)
{
    finish(start(worker, NULL));
    return 0;
}
