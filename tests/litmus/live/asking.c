/* SPDX-License-Identifier: BSD-2-Clause
 *
 * asking - one thread asks for a flag under a lock again and again; the other one tries to lock until it can, and
 * raises the flag.  It may try whenever the lock is held, but that is chance: no livelock.
 *
 * tries: as above.  bug: it unlocks without having raised the flag.  both: two threads try, raise and ask. */
#include "live.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int raised;

static void *asks(void *arg)
{
    int seen;

    do {
        pthread_mutex_lock(&lock);
        seen = raised;
        pthread_mutex_unlock(&lock);
    } while (!seen);
    return arg;
}

static void *tries(void *arg)
{
    while (pthread_mutex_trylock(&lock) != 0)
        ;
    if (!is("bug"))
        raised = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *tries_and_asks(void *arg)
{
    tries(arg);
    return asks(arg);
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t one = spawn(is("both") ? tries_and_asks : asks), two = spawn(is("both") ? tries_and_asks : tries);

    join(one);
    join(two);
    return 0;
}
