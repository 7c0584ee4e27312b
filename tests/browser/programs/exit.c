/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit.c - main returns what two threads have counted, and one of them may have overwritten the other. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counted;

static void *count(void *unused)
{
    counted = counted + 1;
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, count, NULL);
    count(NULL);
    pthread_join(t, NULL);
    return counted != 2;
}
