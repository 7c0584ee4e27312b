/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A system call aborts a transaction, with status 0; so does a loop that waits for another thread. */
#include "rtm.h"

static int place;
static volatile int never;

static void *call(void *arg)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        place++;
        sched_yield();
        _xend();
        assert(!"not reached");
    }
    assert(status == 0 || status == _XABORT_RETRY);
    status = _xbegin();
    if (status == _XBEGIN_STARTED) {
        place++;
        while (!never)
            ;
        _xend();
        assert(!"not reached");
    }
    assert(status == 0 || status == _XABORT_RETRY);
    return arg;
}

int main(void)
{
    call(NULL);
    assert(place == 0);
    return 0;
}
