/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random_branch.c - a program whose course depends on random numbers and the time
 * repeats itself in every execution. */
#include <sched.h>
#include <sys/random.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    IS(pthread_mutex_lock(&m), 0);
    IS(pthread_mutex_unlock(&m), 0);
    return arg;
}

int main(void)
{
    unsigned char r;
    pthread_t t = start(worker, NULL);

    IS(getrandom(&r, 1, 0), 1);
    srand((unsigned)time(NULL) ^ r);
    for (int i = rand() % 4; i > 0; i--)
        worker(NULL);
    finish(t);
    return 0;
}
