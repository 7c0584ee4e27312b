/* SPDX-License-Identifier: BSD-2-Clause
 *
 * backoff - two philosophers; a thread that does not get the second fork puts the first one back.
 *
 * bug: both try, put back and try again in step.  yield, sleep: the same, with a pause
 * that does not help.  swap: each round begins with the other fork, as std::lock does, so it takes
 * two rounds to come back.  ordered: both take the same fork first.  one: only one of them
 * puts back, the other one waits, so one of them always gets on. */
#include "live.h"

static pthread_mutex_t fork_[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int meals;

static void take_patiently(intptr_t first)
{
    pthread_mutex_lock(&fork_[first]);
    pthread_mutex_lock(&fork_[1 - first]);
}

static void take_politely(intptr_t first)
{
    for (;;) {
        pthread_mutex_lock(&fork_[first]);
        if (pthread_mutex_trylock(&fork_[1 - first]) == 0)
            return;
        pthread_mutex_unlock(&fork_[first]);
        if (is("swap"))
            first = 1 - first;
        if (is("yield"))
            sched_yield();
        if (is("sleep"))
            usleep(10);
    }
}

static void *philosopher(void *arg)
{
    intptr_t me = (intptr_t)arg;

    if (is("one") && me == 1)
        take_patiently(me);
    else
        take_politely(is("ordered") ? 0 : me);
    meals++;
    pthread_mutex_unlock(&fork_[0]);
    pthread_mutex_unlock(&fork_[1]);
    return NULL;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    run_both(philosopher);
    assert(meals == 2);
    return 0;
}
