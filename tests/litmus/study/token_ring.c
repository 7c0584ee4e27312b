/* SPDX-License-Identifier: BSD-2-Clause
 *
 * token_ring - three threads pass a number on, each under the same lock, and a
 * fourth compares when all have run (SCT study, row 27).
 *
 * Claim: after each has passed it on once the three places agree.  False unless
 * they did so in the order of the ring.  Nothing races.  No thread joins: main
 * returns, and Heddle lets the others run on.
 * Twin (-DFIXED): no thread passes on before its neighbour has. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int place1 = 1, place2 = 2, place3 = 1;
static int passed1, passed2, passed3;

static void *third_to_first(void *arg)
{
    pthread_mutex_lock(&lock);
    place1 = (place3 + 1) % 4;
    passed1 = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *first_to_second(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    if (passed1)
#endif
    {
        place2 = place1;
        passed2 = 1;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second_to_third(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    if (passed2)
#endif
    {
        place3 = place2;
        passed3 = 1;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *compare(void *arg)
{
    pthread_mutex_lock(&lock);
    if (passed1 && passed2 && passed3)
        assert(place1 == place2 && place2 == place3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    spawn(third_to_first);
    spawn(first_to_second);
    spawn(second_to_third);
    spawn(compare);
    return 0;
}
