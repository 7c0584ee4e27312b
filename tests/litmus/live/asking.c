/* SPDX-License-Identifier: BSD-2-Clause
 *
 * asking - one thread asks for a flag under a lock again and again; the other one tries to lock until it can, and
 * raises the flag.  It may try whenever the lock is held, but that is chance: no livelock.
 *
 * tries: as above.  bug: it unlocks without having raised the flag.  both: two threads try, raise and ask.  locks,
 * twice: it waits for the lock, and raises the flag in its first or second section.  never: in none.  apart: it raises an
 * atomic flag without the lock.  fails: three attempts fail in a row, which is possible. */
#include "live.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int raised, flag;

static void *asks(void *arg)
{
    int seen;

    do {
        pthread_mutex_lock(&lock);
        seen = is("apart") ? get(flag) : raised;
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

static void *locks(void *arg)
{
    for (int i = is("twice") ? 2 : 1; i > 0; i--) {
        pthread_mutex_lock(&lock);
        raised = i == 1 && !is("never");
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *raises_apart(void *arg)
{
    put(flag, 1);
    return arg;
}

static void *fails(void *arg)
{
    int failed = 0;

    for (int i = 0; i < 3; i++)
        if (pthread_mutex_trylock(&lock) == 0)
            pthread_mutex_unlock(&lock);
        else
            failed++;
    assert(failed < 3);
    return locks(arg);
}

static void *tries_and_asks(void *arg)
{
    tries(arg);
    return asks(arg);
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    bool lock_it = is("locks") || is("twice") || is("never");
    pthread_t one = spawn(is("both") ? tries_and_asks : asks);
    pthread_t two = spawn(is("both") ? tries_and_asks : lock_it ? locks : is("apart") ? raises_apart :
                          is("fails") ? fails : tries);

    join(one);
    join(two);
    return 0;
}
