/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_busy.c - polling a flag with nothing but loads. */
#include <stdatomic.h>

#include "../conform.h"

static atomic_int ready;

static void *setter(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t = start(setter, NULL);

    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    finish(t);
    return 0;
}
