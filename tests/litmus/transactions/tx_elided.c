/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An elided spin lock, whose word the transaction reads plainly: a processor orders that with the atomic
 * operations of the other path, so nothing races. */
#include "rtm.h"

static atomic_int word;
static int data;

static void lock(void)
{
    for (;;) {
        if (_xbegin() == _XBEGIN_STARTED) {
            if (*(int *)(void *)&word == 0)
                return;
            _xabort(0xff);
        }
        if (atomic_exchange_explicit(&word, 1, memory_order_acquire) == 0)
            return;
        while (word != 0)
            ;
    }
}

static void unlock(void)
{
    if (_xtest())
        _xend();
    else
        atomic_store_explicit(&word, 0, memory_order_release);
}

static void *use(void *arg)
{
    lock();
    data++;
    unlock();
    return arg;
}

int main(void)
{
    run2(use, use);
    assert(data == 2);
    return 0;
}
