/* SPDX-License-Identifier: BSD-2-Clause
 *
 * torn_large_atomic.c - a large atomic is updated in two steps; the state between is
 * seen.
 * Expect: assertion
 * Compiler: -latomic */
#include <assert.h>
#include <stdatomic.h>

#include "../conform.h"

struct triple {
    long a, b, c;
};

static _Atomic struct triple q;

static void *writer(void *arg)
{
    atomic_store(&q, ((struct triple){1, 1, 0}));
    atomic_store(&q, ((struct triple){1, 1, 1}));
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);
    struct triple v = atomic_load(&q);

    assert(v.a == v.c);
    finish(t);
    return 0;
}
