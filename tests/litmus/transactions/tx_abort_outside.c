/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The code after an abort aborts again, outside of the transaction: nothing happens. */
#include "rtm.h"

static int place;

int main(void)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        place = 1;
        _xend();
    } else {
        _xabort(1);
        place = 1;
    }
    assert(place == 1);
    return 0;
}
