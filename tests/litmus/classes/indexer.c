/* SPDX-License-Identifier: BSD-2-Clause
 *
 * indexer N - N threads put four numbers each into a hash table by compare-and-swap.
 *
 * Claim: none.  The first collision comes with the twelfth thread: there are three
 * pairs, each of which meets in one place, and 2^3 = 8 classes with 12 threads. */
#include "classes.h"

static int table[128];

static void *insert(void *arg)
{
    for (int i = 0; i < 4; i++) {
        int w = i * 11 + numbered(arg), h = w * 7 % 128, empty = 0;

        while (!__atomic_compare_exchange_n(&table[h], &empty, w, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
            h = (h + 1) % 128;
            empty = 0;
        }
    }
    return arg;
}

int main(int argc, char **argv)
{
    run_threads(argument(argc, argv, 1, 12), insert);
    return 0;
}
