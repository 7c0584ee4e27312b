/* SPDX-License-Identifier: BSD-2-Clause
 *
 * micro - three threads make x++ twice of plain accesses and look at x: 51,318 classes, as with
 * atomics (classes/micro). */
#include "points.h"

shared int x;

static void *work(void *arg)
{
    for (int i = 0; i < 2; i++)
        x = x + 1;
    assert(x > 0);
    return arg;
}

int main(void)
{
    pthread_t c = spawn(work);

    run_two(work, work);
    join(c);
    return 0;
}
