/* SPDX-License-Identifier: BSD-2-Clause
 *
 * swap - threads swap the same two places, in a transaction or, when that is aborted, under a lock per
 * place (Landslide's swap; its swapbug is UNORDERED).
 *
 * Claim: after all swaps the values are where their number says, and no thread waits forever.  A
 * transaction aborts itself when one of the places is locked.  UNORDERED: the locks are taken in the
 * order in which the places are named, which differs between threads.  UNCHECKED: a transaction does not
 * look whether they are locked.  GNU_TM: transactions of the language, which need no locks; SPLIT: two for each swap. */
#include "rtm.h"

enum { PLACES = 2 };

static pthread_mutex_t locks[PLACES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int is_locked[PLACES];
static int places[PLACES] = {1, 2};

static void exchange(int a, int b)
{
    int was_a = visible_read(places[a]), was_b = visible_read(places[b]);

    visible_write(places[a], was_b);
    visible_write(places[b], was_a);
}

#ifdef GNU_TM
static bool swap_in_transaction(int a, int b)
{
#ifdef SPLIT
    int was_a, was_b;

    __transaction_relaxed { was_a = visible_read(places[a]); was_b = visible_read(places[b]); }
    __transaction_relaxed { visible_write(places[a], was_b); visible_write(places[b], was_a); }
#else
    __transaction_relaxed { exchange(a, b); }
#endif
    return true;
}
#else
static bool swap_in_transaction(int a, int b)
{
    if (!transaction_begin())
        return false;
#ifndef UNCHECKED
    if (atomic_read(is_locked[a]) || atomic_read(is_locked[b]))
        _xabort(1);
#endif
    exchange(a, b);
    _xend();
    return true;
}
#endif

static void lock_place(int place)
{
    pthread_mutex_lock(&locks[place]);
    atomic_write(is_locked[place], 1);
}

static void unlock_place(int place)
{
    atomic_write(is_locked[place], 0);
    pthread_mutex_unlock(&locks[place]);
}

static void swap_under_locks(int a, int b)
{
#ifdef UNORDERED
    int first = a, second = b;
#else
    int first = a < b ? a : b, second = a < b ? b : a;
#endif

    lock_place(first);
    lock_place(second);
    exchange(a, b);
    unlock_place(second);
    unlock_place(first);
}

static void *swap(void *arg)
{
    int a = number_of(arg) % PLACES, b = 1 - a;

    for (int i = 0; i < ROUNDS; i++)
        if (!swap_in_transaction(a, b))
            swap_under_locks(a, b);
    return NULL;
}

int main(void)
{
    bool is_swapped = THREADS * ROUNDS % 2 != 0;

    run_threads(swap);
    assert(places[0] == (is_swapped ? 2 : 1) && places[1] == (is_swapped ? 1 : 2));
    return 0;
}
