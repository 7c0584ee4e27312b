/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread forgets the end of its transaction. */
#include "rtm.h"

static int place;

static void *forget(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED)
        place = 1;
    return arg;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    run2(forget, nothing);
    return 0;
}
