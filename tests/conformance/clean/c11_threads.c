/* SPDX-License-Identifier: BSD-2-Clause
 *
 * c11_threads.c - C11 threads: create, join with result, current, equal, yield, exit,
 * detach. */
#include <threads.h>

#include "../conform.h"

static int returns(void *arg)
{
    thrd_yield();
    return *(int *)arg;
}

static int leaves(void *arg)
{
    (void)arg;
    thrd_exit(43);
}

int main(void)
{
    static int want = 42; /* main may be gone before the last thread looks at it */
    int got = 0;
    thrd_t a, b;

    IS(thrd_create(&a, returns, &want), thrd_success);
    IS(thrd_create(&b, leaves, NULL), thrd_success);
    IS(thrd_equal(thrd_current(), thrd_current()) != 0, 1);
    IS(thrd_equal(a, b), 0);
    IS(thrd_join(a, &got), thrd_success);
    IS(got, 42);
    IS(thrd_join(b, &got), thrd_success);
    IS(got, 43);
    IS(thrd_create(&a, returns, &want), thrd_success);
    IS(thrd_detach(a), thrd_success);
    IS(thrd_sleep(&(struct timespec){.tv_nsec = 1000}, NULL), 0);
    thrd_exit(0);
}
