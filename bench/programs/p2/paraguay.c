/* SPDX-License-Identifier: BSD-2-Clause
 *
 * paraguay - a thread waits for one condition and then for another; main signals each when the
 * thread waits (Landslide's test).
 *
 * Claim: the second wait ends after the second signal, which comes after the flag.  The thread
 * does not look again when it wakes up: this library never wakes for no reason.  Main signals
 * without the lock, as is allowed.  Mistakes: COND_IF, COND_NO_REJECT (library.h). */
#include "library.h"

static struct mutex mutex;
static struct cond first, second;
static int waits_for, flag;

static void *waiter(void *arg)
{
    mutex_lock(&mutex);
    visible_write(waits_for, 1);
    cond_wait(&first, &mutex);
    visible_write(waits_for, 2);
    cond_wait(&second, &mutex);
    assert(visible_read(flag));
    mutex_unlock(&mutex);
    return arg;
}

static void await_waiter(int condition)
{
    while (visible_read(waits_for) != condition)
        yield();
    mutex_lock(&mutex); /* it has given that up, so it waits */
    mutex_unlock(&mutex);
}

int main(void)
{
    begin_main();
    mutex_init(&mutex);
    cond_init(&first);
    cond_init(&second);
    start(1, waiter, NULL);
    await_waiter(1);
    cond_signal(&first);
    await_waiter(2);
    visible_write(flag, 1);
    cond_signal(&second);
    await_end(1);
    return 0;
}
