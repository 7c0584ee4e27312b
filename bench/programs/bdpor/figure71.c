/* SPDX-License-Identifier: BSD-2-Clause
 *
 * figure71 - q reads y and then x, p writes x (bounded-DPOR study, figure 7.1).
 *
 * Claim: none.  2 classes, both without a preemption; a search that starts with q and
 * lets it sleep misses "p before q", for q's first step wakes no thread. */
#include "../program.h"

static int x, y;

static void *q(void *arg)
{
    (void)visible_read(y);
    (void)visible_read(x);
    return arg;
}

static void *p(void *arg)
{
    visible_write(x, 1);
    return arg;
}

int main(void)
{
    pthread_t reader = spawn(q), writer = spawn(p);

    join(reader);
    join(writer);
    return 0;
}
