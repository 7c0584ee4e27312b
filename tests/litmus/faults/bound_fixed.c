/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The twin of bound_bug that survives two failures. */
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
    assert(visible_read(failures) < 3);
}
