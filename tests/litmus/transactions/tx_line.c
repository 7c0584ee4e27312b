/* SPDX-License-Identifier: BSD-2-Clause
 *
 * False sharing: a transaction and an atomic operation touch different variables in one line of memory. */
#include "rtm.h"

static _Alignas(64) struct {
    atomic_int other;
    int mine;
} line;

static void *raise_mine(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        line.mine++;
        _xend();
    }
    return arg;
}

static void *set_other(void *arg)
{
    line.other = 1;
    return arg;
}

int main(void)
{
    run2(raise_mine, set_other);
    return 0;
}
