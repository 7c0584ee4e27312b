/* SPDX-License-Identifier: BSD-2-Clause
 *
 * environment - two threads with one atomic operation each.  With an argument they read the
 * environment before and after it: no thread can change that, so there is nothing more to try.
 * (Where another thread can: meet getenv.) */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_int sum;
static bool reads;

static void read_some(void)
{
    for (int i = 0; reads && i < 3; i++)
        if (getenv("HEDDLE_NOWHERE") != NULL || secure_getenv("HEDDLE_NOWHERE") != NULL)
            abort();
}

static void *count(void *arg)
{
    read_some();
    atomic_fetch_add(&sum, 1);
    read_some();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t thread[2];

    (void)argv;
    reads = argc > 1;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread[i], NULL, count, NULL) != 0)
            abort();
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return sum == 2 ? 0 : 1;
}
