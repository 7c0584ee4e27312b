/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_int128.c - 128-bit atomics by the generic built-ins.
 * Compiler: -latomic */
#include "../conform.h"

static __int128 x;

static void *worker(void *arg)
{
    __int128 seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);

    while (!__atomic_compare_exchange_n(&x, &seen, seen + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        ;
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    finish(t);
    IS((long)__atomic_load_n(&x, __ATOMIC_SEQ_CST), 2);
    return 0;
}
