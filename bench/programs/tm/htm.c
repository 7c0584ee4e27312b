/* SPDX-License-Identifier: BSD-2-Clause
 *
 * htm - a counter that is raised in a transaction, or under a lock when that is aborted
 * (Landslide's htm2; its htm1 is the mistake, its counter the variant XADD).
 *
 * Claim: no raising is lost.  UNCHECKED (elision.h): a transaction does not look whether another thread
 * has the lock, and what it adds between the read and the write there is lost.  XADD: the other path is
 * one atomic addition and needs no lock. */
#include "elision.h"

static int counter;

static void raise_by_steps(int unused)
{
    (void)unused;
    int seen = visible_read(counter);

    visible_write(counter, seen + 1);
}

#if defined(XADD) && defined(GNU_TM)
static int calls;

/* Some raise by a transaction, others by an atomic addition. */
static void raise_one(void)
{
    if (atomic_add(calls, 1) % 2 == 0)
        atomic_add(counter, 1);
    else
        elide(raise_by_steps, 0);
}
#elif defined(XADD)
static void raise_one(void)
{
    if (!transaction_begin()) {
        atomic_add(counter, 1);
        return;
    }
    raise_by_steps(0);
    _xend();
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
    run_threads(work);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
