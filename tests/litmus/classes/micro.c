/* SPDX-License-Identifier: BSD-2-Clause
 *
 * micro - three threads make x++ twice, each a visible read and write, and look at x.
 *
 * Claim: then x is positive.  51,318 classes, of which 6, 78, 582, 2,868 ... can be
 * had with at most 0, 1, 2, 3 ... preemptions (bounded-DPOR study, by brute force). */
#include "classes.h"

static int x;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int seen = visible_read(x);

        visible_write(x, seen + 1);
    }
    assert(visible_read(x) > 0);
    return arg;
}

int main(void)
{
    run_threads(3, work);
    return 0;
}
