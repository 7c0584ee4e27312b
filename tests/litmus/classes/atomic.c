/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic - two threads, each with one atomic section that touches more than a step can name:
 * an own cell and two common ones, in opposite order.
 *
 * Claim: 2 classes, the orders of the sections. */
#include "classes.h"

#include <heddle/heddle.h>
#include <stdatomic.h>

static atomic_int own[2], common[2];

static void *work(void *arg)
{
    int me = numbered(arg);

    heddle_atomic_begin();
    int seen = atomic_load(&own[me]);

    atomic_store(&common[me], 1 + seen);
    atomic_store(&common[1 - me], 1 + seen);
    heddle_atomic_end();
    return arg;
}

int main(void)
{
    run_threads(2, work);
    assert(common[0] == 1 && common[1] == 1);
    return 0;
}
