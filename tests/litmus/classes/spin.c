/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin.c - a thread polls a flag until main sets it: before that it has read it not at
 * all, once or twice; then it is parked, since it would read the same forever. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *poll(void *arg)
{
    (void)arg;
    while (atomic_load(&flag) == 0)
        ;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, poll, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
