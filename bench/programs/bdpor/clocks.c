/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clocks - a thread writes x and y and raises a flag; main reads x once the thread has
 * ended (bounded-DPOR study, figure 2.2: vector clocks with a join).
 *
 * Claim: main reads what the thread wrote.  x is plain: the join orders the two.  The
 * flag is visible, and a thread that sees it raised may read y.  NO_JOIN: main trusts the flag
 * for x, which the thread writes after it; without a join the two race. */
#include "../program.h"

static int x, y, flag;

static void *work(void *arg)
{
    y = 1;
    atomic_write(flag, 1);
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(work);

    if (atomic_read(flag))
        assert(y == 1);
#ifdef NO_JOIN
    if (atomic_read(flag))
        assert(x == 1);
    join(worker);
#else
    join(worker);
    assert(x == 1);
#endif
    return 0;
}
