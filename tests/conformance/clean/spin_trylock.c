/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_trylock.c - trylock of a held spinlock is EBUSY, also for its holder;
 * process-shared spinlocks are spinlocks. */
#include "../conform.h"

static pthread_spinlock_t s;

static void *worker(void *arg)
{
    IS(pthread_spin_trylock(&s), EBUSY);
    return arg;
}

int main(void)
{
    IS(pthread_spin_init(&s, PTHREAD_PROCESS_SHARED), 0);
    IS(pthread_spin_trylock(&s), 0);
    IS(pthread_spin_trylock(&s), EBUSY);
    finish(start(worker, NULL));
    IS(pthread_spin_unlock(&s), 0);
    IS(pthread_spin_destroy(&s), 0);
    return 0;
}
