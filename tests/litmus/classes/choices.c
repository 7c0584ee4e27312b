/* SPDX-License-Identifier: BSD-2-Clause
 *
 * choices K - two threads choose one of two numbers and add it to x, K times each.  The
 * first thing that a thread does is to choose, before it has waited for any operation.
 *
 * Claim: (2K)! / (K!)^2 orders of the additions times 4^K choices.  Of the orders of 2 and 2,
 * the two that change threads once need no preemption, abba and baab one, abab and baba two. */
#include "classes.h"

#include <heddle/heddle.h>
#include <stdatomic.h>

static atomic_int x;
static int times;

static void *work(void *arg)
{
    for (int i = 0; i < times; i++) {
        int number = heddle_choose(2) == 0 ? 1 : 10;

        atomic_fetch_add(&x, number);
    }
    return arg;
}

int main(int argc, char **argv)
{
    times = argument(argc, argv, 1, 2);
    run_threads(2, work);
    assert(x >= 2 * times && x <= 20 * times);
    return 0;
}
