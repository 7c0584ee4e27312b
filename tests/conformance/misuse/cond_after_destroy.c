/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cond_after_destroy.c - a condition is signalled after it was destroyed.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *worker(void *arg)
{
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    pthread_cond_destroy(&c);
    finish(t);
    return 0;
}
