/* SPDX-License-Identifier: BSD-2-Clause
 *
 * threads - threads joined wrongly: `twice`, `self`, `detached`; `not-joined` is only
 * a warning, and only of a thread that has ended. */
#include <semaphore.h>

#include "locks.h"

static sem_t never;

static void *one(void *arg)
{
    if (is("self"))
        pthread_join(pthread_self(), NULL);
    if (is("runs"))
        sem_wait(&never);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    sem_init(&never, 0, 0);
    pthread_t t = spawn(one);

    if (is("detached") || is("detached-fixed"))
        pthread_detach(t);
    if (!is("detached-fixed") && !is("not-joined") && !is("runs"))
        join(t);
    if (is("twice"))
        join(t);
    return 0;
}
