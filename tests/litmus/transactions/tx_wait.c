/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread waits in a loop for a value that a transaction writes: one wait, which ends after the
 * transaction or, if that is aborted, after the store. */
#include "rtm.h"

static atomic_int flag;
static int data;

static void *set(void *arg)
{
    data = 1;
    if (_xbegin() == _XBEGIN_STARTED) {
        *(int *)(void *)&flag = 1;
        _xend();
    } else {
        flag = 1;
    }
    return arg;
}

static void *wait_for_it(void *arg)
{
    while (flag == 0)
        continue;
    assert(data == 1);
    return arg;
}

int main(void)
{
    run2(set, wait_for_it);
    return 0;
}
