/* SPDX-License-Identifier: BSD-2-Clause
 *
 * swap - two threads swap the same two places, in a transaction or, when that is aborted, under a
 * lock per place (Landslide's swap; its swapbug is UNORDERED).
 *
 * Claim: the values stay the same two, and no thread waits forever.  A transaction gives up when one
 * of the places is locked.  UNORDERED: the locks are taken in the order in which the places are
 * named, which differs.  UNCHECKED: a transaction does not look whether they are locked. */
#include "transaction.h"

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

static bool are_free(int a, int b)
{
#ifdef UNCHECKED
    (void)a, (void)b;
    return true;
#else
    return !atomic_read(is_locked[a]) && !atomic_read(is_locked[b]);
#endif
}

static bool swap_in_transaction(int a, int b)
{
    bool is_alone;

    if (!transaction_begin())
        return false;
    is_alone = are_free(a, b);
    if (is_alone)
        exchange(a, b);
    transaction_end();
    return is_alone;
}

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
    int a = number_of(arg), b = 1 - a;

    if (!swap_in_transaction(a, b))
        swap_under_locks(a, b);
    return NULL;
}

int main(void)
{
    pthread_t one = spawn_numbered(swap, 0), two = spawn_numbered(swap, 1);

    join(one);
    join(two);
    assert(places[0] == 1 && places[1] == 2);
    return 0;
}
