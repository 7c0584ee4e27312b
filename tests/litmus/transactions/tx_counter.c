/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two threads raise a counter in a transaction, or atomically when that is aborted: 2 orders of the two
 * raisings, with 2 outcomes of each transaction. */
#include "rtm.h"

static atomic_int counter;

static void *raise_it(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        (*(int *)(void *)&counter)++;
        _xend();
    } else {
        counter++;
    }
    return arg;
}

int main(void)
{
    run2(raise_it, raise_it);
    assert(counter == 2);
    return 0;
}
