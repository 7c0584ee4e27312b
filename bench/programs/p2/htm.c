/* SPDX-License-Identifier: BSD-2-Clause
 *
 * htm - a counter that is raised in a transaction, or under a lock when that is aborted
 * (Landslide's htm2; its htm1 is the mistake, its counter the variant XADD).
 *
 * THREADS threads raise it ROUNDS times each.  Claim: no raising is lost.  A transaction looks at a
 * flag that says whether somebody is in the other path, and gives up then.  UNCHECKED: it does not
 * look, and what it adds between the read and the write of the other path is lost.  XADD: the other
 * path is one atomic addition and needs no lock. */
#include "transaction.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;

static void raise_by_steps(void)
{
    int seen = visible_read(counter);

    visible_write(counter, seen + 1);
}

#ifdef XADD
static bool raise_in_transaction(void)
{
    if (!transaction_begin())
        return false;
    raise_by_steps();
    transaction_end();
    return true;
}

static void raise_otherwise(void)
{
    atomic_add(counter, 1);
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_locked;

static bool raise_in_transaction(void)
{
    bool is_alone = true;

    if (!transaction_begin())
        return false;
#ifndef UNCHECKED
    is_alone = !atomic_read(is_locked);
#endif
    if (is_alone)
        raise_by_steps();
    transaction_end();
    return is_alone;
}

static void raise_otherwise(void)
{
    pthread_mutex_lock(&lock);
    atomic_write(is_locked, 1);
    raise_by_steps();
    atomic_write(is_locked, 0);
    pthread_mutex_unlock(&lock);
}
#endif

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        if (!raise_in_transaction())
            raise_otherwise();
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(work);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
