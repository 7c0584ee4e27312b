/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Both threads try again for ever.  The first abort of each is explored; the second one would find the
 * thread in the same state.  So: 2 orders, and 0 or 1 aborts in each thread. */
#include "rtm.h"

static int counter;

static void *raise_it(void *arg)
{
    while (_xbegin() != _XBEGIN_STARTED)
        ;
    counter++;
    _xend();
    return arg;
}

int main(void)
{
    run2(raise_it, raise_it);
    assert(counter == 2);
    return 0;
}
