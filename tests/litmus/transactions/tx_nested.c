/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An abort in an inner transaction goes back to the outermost begin.  The only choice is that at the
 * outermost one. */
#include "rtm.h"

static int place;

int main(void)
{
    unsigned status = _xbegin(), inner;

    if (status == _XBEGIN_STARTED) {
        place = 1;
        inner = _xbegin();
        assert(inner == _XBEGIN_STARTED && _xtest());
        place = 2;
        _xabort(4);
        _xend();
        _xend();
        assert(!"not reached");
    }
    assert(place == 0 && !_xtest());
    assert(status == _XABORT_RETRY || status == (_XABORT_EXPLICIT | _XABORT_NESTED | 4u << 24));
    return 0;
}
