/* SPDX-License-Identifier: BSD-2-Clause
 *
 * objects - semaphores, barriers and spin locks used wrongly: `sem-garbage` and
 * `barrier-garbage`, never initialised; `spin-free`, unlocked though no thread holds it;
 * `spin-left`, held by a thread that ends. */
#include <semaphore.h>

#include "locks.h"

static sem_t s;
static pthread_barrier_t b;
static pthread_spinlock_t l;

static void *one(void *arg)
{
    if (strstr(variant, "sem") != NULL)
        sem_post(&s);
    if (strstr(variant, "barrier") != NULL)
        pthread_barrier_wait(&b);
    if (strstr(variant, "spin") != NULL && !is("spin-free"))
        pthread_spin_lock(&l);
    if (strstr(variant, "spin") != NULL && !is("spin-left"))
        pthread_spin_unlock(&l);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    memset(&s, 0xa5, sizeof s);
    if (!is("sem-garbage"))
        sem_init(&s, 0, 0);
    if (!is("barrier-garbage"))
        pthread_barrier_init(&b, NULL, 1);
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    join(spawn(one));
    return 0;
}
