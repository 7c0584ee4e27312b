/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program that believes that it is always worth trying again. */
#include "rtm.h"

int main(void)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED)
        _xend();
    else
        assert(status & _XABORT_RETRY);
    return 0;
}
