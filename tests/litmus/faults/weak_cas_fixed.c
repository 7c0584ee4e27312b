/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A weak compare-exchange in a loop, and a strong one that is tried once: it fails only when
 * another thread was first. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int count, claimed;

static void *work(void *unused)
{
    int seen = atomic_load(&count), none = 0;

    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
    if (!atomic_compare_exchange_strong(&claimed, &none, 1))
        assert(none == 1);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(atomic_load(&count) == 2 && atomic_load(&claimed) == 1);
    return 0;
}
