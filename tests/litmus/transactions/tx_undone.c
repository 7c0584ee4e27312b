/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A transaction that aborts itself gives back the mutex that it has locked, the semaphore's unit that it
 * has taken, and the block that it has allocated; what it has freed is still there. */
#include "rtm.h"

#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t sem;

int main(void)
{
    int *block = malloc(sizeof *block), units;

    sem_init(&sem, 0, 1);
    *block = 1;
    if (_xbegin() == _XBEGIN_STARTED) {
        int *other = malloc(sizeof *other);

        pthread_mutex_lock(&mutex);
        sem_wait(&sem);
        *other = *block;
        free(block);
        _xabort(1);
    }
    assert(*block == 1);
    assert(pthread_mutex_trylock(&mutex) == 0);
    assert(sem_getvalue(&sem, &units) == 0 && units == 1);
    pthread_mutex_unlock(&mutex);
    free(block);
    return 0;
}
