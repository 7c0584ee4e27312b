/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attribute - atomics in functions that an attribute excludes from instrumentation.
 *
 * Claim: no increment is lost.  False. */
#include "../litmus/litmus.h"

#include <stdatomic.h>

static atomic_int counter;

UNSEEN static int get(void)
{
    return atomic_load(&counter);
}

UNSEEN static void set(int value)
{
    atomic_store(&counter, value);
}

static void *work(void *arg)
{
    set(get() + 1);
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);

    work(NULL);
    join(other);
    assert(get() == 2);
    return 0;
}
