/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fig63 - each thread raises its own place in a transaction; when that is aborted, it adds all
 * places up instead (Landslide's example of transactions that do not conflict with each other).
 *
 * Claim: the sum is not above what can have been raised by then, and no place above the number of
 * rounds.  Everything is atomic, so that a sum is only ever too low.  TWICE: a thread whose transaction
 * was aborted tries again, and does so although that succeeds. */
#include "rtm.h"

static int places[THREADS];

static bool raise_place(int me)
{
    if (!transaction_begin())
        return false;
    visible_write(places[me], visible_read(places[me]) + 1);
    _xend();
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

    for (int round = 0; round < ROUNDS; round++) {
        if (raise_place(me))
            continue;
        assert(sum_of_places() <= (THREADS - 1) * ROUNDS + round); /* not in this round by this thread */
#ifdef TWICE
        (void)raise_place(me);
        (void)raise_place(me);
#endif
    }
    return NULL;
}

int main(void)
{
    run_threads(work);
    for (int i = 0; i < THREADS; i++)
        assert(places[i] <= ROUNDS);
    return 0;
}
