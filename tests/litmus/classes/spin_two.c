/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_two.c - a thread polls two flags in turn; each has a writer.  It goes on when
 * either is written, not only the one that its next operation reads. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *poll(void *arg)
{
    (void)arg;
    while (atomic_load(&x) == 0 && atomic_load(&y) == 0)
        ;
    return NULL;
}

static void *set_y(void *arg)
{
    (void)arg;
    atomic_store(&y, 1);
    return NULL;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, poll, NULL);
    pthread_create(&u, NULL, set_y, NULL);
    pthread_join(u, NULL);
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
