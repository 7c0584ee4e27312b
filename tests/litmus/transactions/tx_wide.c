/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two threads raise a counter of 8 bytes, which is two units in a transaction, as in tx_counter. */
#include "rtm.h"

static atomic_long counter;

static void *raise_it(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        *(long *)(void *)&counter += 0x100000001;
        _xend();
    } else {
        counter += 0x100000001;
    }
    return arg;
}

int main(void)
{
    run2(raise_it, raise_it);
    assert(counter == 0x200000002);
    return 0;
}
