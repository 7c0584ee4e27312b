/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A transaction is ended also where it was aborted. */
#include "rtm.h"

static int place;

int main(void)
{
    if (_xbegin() == _XBEGIN_STARTED)
        place = 1;
    _xend();
    return 0;
}
