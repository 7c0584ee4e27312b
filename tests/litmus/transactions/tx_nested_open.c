/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread ends the inner transaction and forgets the outer one. */
#include "rtm.h"

static int place;

static void *forget(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        if (_xbegin() == _XBEGIN_STARTED)
            place = 1;
        _xend();
    }
    return arg;
}

int main(void)
{
    pthread_join(spawn(forget), NULL);
    return 0;
}
