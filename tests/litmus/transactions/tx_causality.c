/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A conflict has a cause: what has aborted the transaction has happened before it goes on. */
#include "rtm.h"

static atomic_int flag;
static int seen;

static void *look(void *arg)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        seen = *(int *)(void *)&flag;
        _xend();
    } else if (status & _XABORT_CONFLICT) {
        assert(flag == 1);
    } else {
        seen = flag;
    }
    return arg;
}

static void *set(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    run2(look, set);
    assert(seen == 0 || seen == 1);
    return 0;
}
