/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An abort right after a switch: the other path of the transaction must also be taken after the other
 * thread has run, not only before. */
#include "rtm.h"

static atomic_int x;

static void *set(void *arg)
{
    x = 1;
    return arg;
}

static void *look(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        _xend();
        return arg;
    }
    assert(x == 0);
    return arg;
}

int main(void)
{
    run2(set, look);
    return 0;
}
