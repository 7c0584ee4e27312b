/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A transaction that aborts itself when it finds a flag set: nothing of it has happened, its registers
 * and locals are as at the begin, and it counts as a read of the flag.  Either it is aborted for no
 * reason and reads nothing, or it comes before or after the write of the flag. */
#include "rtm.h"

static atomic_int flag;
static int place = 1;

static void *transact(void *arg)
{
    volatile int local = 7;
    int kept = 1;
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        place = 2;
        local = 8;
        kept = 9;
        if (flag)
            _xabort(3);
        _xend();
        assert(kept == 9 && local == 8);
        return arg;
    }
    assert(local == 7 && kept == 1 && place == 1);
    assert(status == _XABORT_RETRY || (status & _XABORT_EXPLICIT && _XABORT_CODE(status) == 3));
    return arg;
}

static void *set(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    run2(transact, set);
    return 0;
}
