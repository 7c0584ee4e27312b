/* SPDX-License-Identifier: BSD-2-Clause
 *
 * No other thread uses the lock, so the attempt must succeed, one would think. */
#include <errno.h>
#include <semaphore.h>
#include <string.h>

#include "../litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "mutex";
    pthread_spinlock_t spin;
    sem_t sem;
    int error = 0;

    sem_init(&sem, 0, 1);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    if (strcmp(which, "mutex") == 0)
        error = pthread_mutex_trylock(&mutex);
    else if (strcmp(which, "read") == 0)
        error = pthread_rwlock_tryrdlock(&rwlock);
    else if (strcmp(which, "write") == 0)
        error = pthread_rwlock_trywrlock(&rwlock);
    else if (strcmp(which, "spin") == 0)
        error = pthread_spin_trylock(&spin);
    else if (sem_trywait(&sem) != 0)
        error = errno == EAGAIN ? EBUSY : 1;
    assert(error == 0);
}
