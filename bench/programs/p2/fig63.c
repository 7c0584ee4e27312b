/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fig63 - each thread raises its own place in a transaction; when that is aborted, it adds all
 * places up instead (Landslide's example of transactions that do not conflict with each other).
 *
 * Claim: the sum is not above what can have been raised by then.  Everything is atomic, so that a
 * sum is only ever too low.  TWICE: a thread whose transaction was aborted tries again and forgets
 * that it did: it raises its place twice. */
#include "transaction.h"

enum { THREADS = 2 };

static int places[THREADS];

static bool raise_place(int me)
{
    if (!transaction_begin())
        return false;
    visible_write(places[me], visible_read(places[me]) + 1);
    transaction_end();
    return true;
}

static int sum_of_places(void)
{
    int sum = 0;

    for (int i = 0; i < THREADS; i++)
        sum += visible_read(places[i]);
    return sum;
}

static void *work(void *arg)
{
    int me = number_of(arg);

    if (raise_place(me))
        return NULL;
    assert(sum_of_places() <= THREADS - 1); /* not by this thread */
    (void)raise_place(me);
#ifdef TWICE
    (void)raise_place(me);
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(work, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    for (int i = 0; i < THREADS; i++)
        assert(places[i] <= 1);
    return 0;
}
