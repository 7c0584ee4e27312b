/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_delete - a key is deleted while a thread that has a value for it ends.
 *
 * By RAN: claims that the destructor runs (1), or that it does not (0); both are false.
 * MORE: the thread does something after it has signalled main. */
#include "../litmus/litmus.h"

#include <semaphore.h>
#include <stdatomic.h>

#ifndef RAN
#define RAN 1
#endif

static pthread_key_t key;
static sem_t semaphore;
static atomic_int ran, other_thing;

static void destroy(void *value)
{
    (void)value;
    ran = 1;
}

static void *work(void *arg)
{
    pthread_setspecific(key, &key);
    sem_post(&semaphore);
#ifdef MORE
    other_thing = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_key_create(&key, destroy);
    sem_init(&semaphore, 0, 0);
    pthread_t other = spawn(work);

    sem_wait(&semaphore);
    pthread_key_delete(key);
    join(other);
    (void)other_thing;
    assert(ran == RAN);
    return 0;
}
