/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A system call aborts a transaction, with status 0, also one that is no operation; so does a loop that waits for another thread. */
#include <sys/syscall.h>
#include <unistd.h>

#include "rtm.h"

static int place;
static volatile int never;

static void write_nothing(void)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        place++;
        if (write(STDOUT_FILENO, "", 0) == 0)
            _xend();
        assert(!"not reached");
    }
    assert(status == 0 || status == _XABORT_RETRY);
}

static void call_directly(void)
{
    unsigned status = _xbegin();

    if (status == _XBEGIN_STARTED) {
        place++;
        if (syscall(SYS_getppid) != 0)
            _xend();
        assert(!"not reached");
    }
    assert(status == 0 || status == _XABORT_RETRY);
}

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
    write_nothing();
    call_directly();
    assert(place == 0);
    return 0;
}
