/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order - locks in opposite orders, where the first schedule survives. `bare` may
 * deadlock; in all other variants something forbids it: a `gate`, a `join`, a semaphore,
 * an attempt that does not wait, a flag under another lock; `inside`, a flag that is read in
 * the very section, which only a complete search refutes. */
#include <semaphore.h>

#include "locks.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;
static bool done;

static bool told(pthread_mutex_t *m)
{
    lock(m);
    bool d = done;

    unlock(m);
    return d;
}

static void tell(pthread_mutex_t *m)
{
    lock(m);
    done = true;
    unlock(m);
}

static void gated(pthread_mutex_t *first, pthread_mutex_t *second)
{
    lock(&gate);
    lock_both(first, second);
    unlock(&gate);
}

static void *one(void *arg)
{
    if (is("gate"))
        gated(&a, &b);
    else if (is("inside"))
        lock(&a), lock(&b), done = true, unlock(&b), unlock(&a);
    else
        lock_both(&a, &b);
    if (is("sem"))
        sem_post(&posted);
    if (is("flag"))
        tell(&gate);
    return arg;
}

static void inside(void)
{
    lock(&b);
    if (done)
        lock(&a), unlock(&a);
    unlock(&b);
}

static void attempt(void)
{
    lock(&b);
    if (pthread_mutex_trylock(&a) == 0)
        unlock(&a);
    unlock(&b);
}

static void *other(void *arg)
{
    if (is("sem"))
        sem_wait(&posted);
    if (is("gate"))
        gated(&b, &a);
    else if (is("try"))
        attempt();
    else if (is("inside"))
        inside();
    else if (fixed())
        lock_both(&a, &b);
    else if (!is("flag") || told(&gate))
        lock_both(&b, &a);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    sem_init(&posted, 0, 0);
    pthread_t first = spawn(one);

    if (is("join"))
        join(first);
    pthread_t second = spawn(other);

    if (!is("join"))
        join(first);
    join(second);
    return 0;
}
