/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_large.c - atomics too large for the processor go through libatomic and are
 * still atomic: no torn value is ever seen.
 * Compiler: -latomic */
#include <stdatomic.h>

#include "../conform.h"

struct pair {
    long a, b;
};
struct triple {
    long a, b, c;
};

static _Atomic struct pair p;
static _Atomic struct triple q;

static void *writer(void *arg)
{
    atomic_store(&p, ((struct pair){1, 1}));
    atomic_store(&q, ((struct triple){2, 2, 2}));
    return arg;
}

int main(void)
{
    pthread_t t = start(writer, NULL);
    struct triple v = atomic_load(&q);
    struct pair u = atomic_load(&p);

    IS(u.a, u.b);
    IS(v.a == v.b && v.b == v.c, 1);
    IS(v.a == 0 || u.a == 1, 1);
    finish(t);
    u = atomic_exchange(&p, ((struct pair){3, 4}));
    IS(u.a == 1 && u.b == 1, 1);
    IS(atomic_compare_exchange_strong(&p, &u, ((struct pair){5, 6})), 0);
    IS(u.a == 3 && u.b == 4, 1);
    IS(atomic_compare_exchange_strong(&p, &u, ((struct pair){5, 6})), 1);
    u = atomic_load(&p);
    IS(u.a + u.b, 11);
    return 0;
}
