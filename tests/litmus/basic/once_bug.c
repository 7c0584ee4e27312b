/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_bug - initialisation guarded by a flag of one's own.
 *
 * Claim: it happens once.  False when both threads look before either is done.
 * Twin: once_fixed.c. */
#include "../litmus.h"

static int initialised;
static int times;

static void *use(void *arg)
{
    if (!visible_read(initialised)) {
        __atomic_fetch_add(&times, 1, __ATOMIC_RELAXED);
        visible_write(initialised, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(use);

    use(NULL);
    join(worker);
    assert(times == 1);
    return 0;
}
