/* SPDX-License-Identifier: BSD-2-Clause
 *
 * htm - a counter that is raised in a transaction, or under a lock when that is aborted
 * (Landslide's htm2; its htm1 is the mistake, its counter the variant XADD).
 *
 * THREADS threads raise it ROUNDS times each.  Claim: no raising is lost.  A transaction looks at a
 * flag that says whether another thread is in the other path, and gives up then.  UNCHECKED: it does not
 * look, and what it adds between the read and the write of the other path is lost.  XADD: the other
 * path is one atomic addition and needs no lock. */
#include "elision.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;

static void raise_by_steps(int unused)
{
    (void)unused;
    int seen = visible_read(counter);

    visible_write(counter, seen + 1);
}

#ifdef XADD
static void raise_one(void)
{
    if (!transaction_begin()) {
        atomic_add(counter, 1);
        return;
    }
    raise_by_steps(0);
    transaction_end();
}
#else
static void raise_one(void)
{
    elide(raise_by_steps, 0);
}
#endif
static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        raise_one();
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
