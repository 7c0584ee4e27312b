/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A mutex inside a transaction joins it if it is free; if not, the transaction is aborted.  It orders the
 * plain accesses of transactions and of the other path. */
#include "rtm.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void raise_locked(void)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
}

static void *raise_it(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
        raise_locked();
        _xend();
    } else {
        raise_locked();
    }
    return arg;
}

int main(void)
{
    run2(raise_it, raise_it);
    assert(counter == 2);
    return 0;
}
