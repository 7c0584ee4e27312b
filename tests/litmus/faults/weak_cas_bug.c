/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A weak compare-exchange that is tried once: no other thread writes, but it may fail for no reason. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int claimed, done;

static void *work(void *unused)
{
    int none = 0;

    if (atomic_compare_exchange_weak(&claimed, &none, 1))
        atomic_store(&done, 1);
    else
        assert(none == 0);
    return unused;
}

int main(void)
{
    join(spawn(work));
    assert(atomic_load(&done) == 1);
    return 0;
}
