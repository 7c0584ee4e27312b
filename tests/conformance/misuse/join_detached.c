/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_detached.c - a thread is joined that was created detached.
 * Expect: lock-misuse */
#include "../conform.h"

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
