/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A transaction that touches two lines of memory. */
#include "rtm.h"

static _Alignas(64) int cells[32];

int main(void)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        cells[0]++;
        cells[16]++;
        _xend();
    }
    assert(!(status & _XABORT_CAPACITY) || status == _XBEGIN_STARTED);
    return 0;
}
