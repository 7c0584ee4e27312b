/* SPDX-License-Identifier: BSD-2-Clause
 *
 * handlers - two threads raise a signal; each handler runs in its own thread.
 *
 * By CASE: 1 the handler reads and then writes a counter: an increment may be lost;
 * 2 it increments: two raises each, none is lost; 3 as 2, with a branch;
 * 4 at least its own two increments are there when raise returns;
 * 5 it leaves by siglongjmp, so that what follows the raise is never reached.
 * Claim: the assertion of the case.  False for 1 only. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#ifndef CASE
#define CASE 1
#endif

static atomic_int x;
static _Thread_local sigjmp_buf back;

static void handler(int number)
{
    (void)number;
#if CASE == 1
    int seen = x;

    x = seen + 1;
#elif CASE == 2
    x++;
#elif CASE == 3
    if (atomic_fetch_add(&x, 1) == 100)
        x = 0;
#elif CASE == 4
    x++;
    x++;
#else
    x++;
    siglongjmp(back, 1);
#endif
}

static void *work(void *arg)
{
#if CASE == 5
    if (sigsetjmp(back, 1) == 0) {
        raise(SIGUSR1);
        assert(0);
    }
    x++;
#else
    raise(SIGUSR1);
#if CASE == 2 || CASE == 3
    raise(SIGUSR1);
#elif CASE == 4
    assert(x >= 2);
#endif
#endif
    return arg;
}

int main(void)
{
    signal(SIGUSR1, handler);
    pthread_t a = spawn(work), b = spawn(work);

    (void)back;
    join(a);
    join(b);
#if CASE == 1
    assert(x == 2);
#else
    assert(x == 4);
#endif
    return 0;
}
