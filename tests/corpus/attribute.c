/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attribute - atomics in functions that an attribute excludes from instrumentation.
 *
 * Claim: no increment is lost.  False. */
#include "../litmus/litmus.h"

#include <stdatomic.h>

/* Not HEDDLE_TRUSTED: nobody answers for these. */
#define EXCLUDED __attribute__((noinline, no_sanitize("thread")))

static atomic_int counter;

EXCLUDED static int get(void)
{
    return atomic_load(&counter);
}

EXCLUDED static void set(int value)
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
