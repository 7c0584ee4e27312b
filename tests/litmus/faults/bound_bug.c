/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two allocations of two threads: with --fault-bound 1 one of them may fail, with 2
 * both may, and that is wrong here. */
#include "../litmus.h"

static int failures;

static void *work(void *unused)
{
    void *p = malloc(1);

    if (p == NULL)
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
    free(p);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(visible_read(failures) < 2);
}
