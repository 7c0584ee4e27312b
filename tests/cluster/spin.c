/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin.c - a thread waits in a loop for a flag: the search learns that and begins again, so the whole campaign must. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, count;

static void *set(void *unused)
{
    (void)unused;
    atomic_fetch_add(&count, 1);
    atomic_fetch_add(&flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, set, NULL);
    pthread_create(&c, NULL, set, NULL);
    while (atomic_load(&flag) != 3)
        ;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return atomic_load(&count) != 3;
}
