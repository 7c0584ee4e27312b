/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random_numbers.c - random sources work and a seeded one repeats itself; the unseeded
 * rand is the one of seed 1. */
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "../conform.h"

static void *worker(void *arg)
{
    unsigned seed = 7, again = 7;

    IS(rand_r(&seed), rand_r(&again));
    return arg;
}

int main(void)
{
    static const char zero[32];
    char a[32] = {0};
    int first = rand();

    pthread_t t = start(worker, NULL);
    srand(1);
    IS(rand(), first);
    srandom(5);
    long x = random();
    srandom(5);
    IS(random(), x);
    srand48(9);
    x = lrand48();
    srand48(9);
    IS(lrand48(), x);
    IS(getrandom(a, sizeof a, 0), sizeof a);
    IS(memcmp(a, zero, sizeof a) != 0, 1);
    IS(getentropy(a, sizeof a), 0);
    finish(t);
    return 0;
}
