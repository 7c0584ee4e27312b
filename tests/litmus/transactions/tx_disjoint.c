/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two transactions that write different memory and read the same: their order does not matter, so there
 * is one execution for each pair of outcomes. */
#include "rtm.h"

static int limit = 5, place[2];

static void *set(void *arg)
{
    int *mine = arg;

    if (_xbegin() == _XBEGIN_STARTED) {
        *mine = limit;
        _xend();
    }
    return NULL;
}

static void *first(void *arg)
{
    (void)arg;
    return set(&place[0]);
}

static void *second(void *arg)
{
    (void)arg;
    return set(&place[1]);
}

int main(void)
{
    run2(first, second);
    assert(place[0] % 5 == 0 && place[1] % 5 == 0);
    return 0;
}
