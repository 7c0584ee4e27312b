/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_xadd - two threads raise a counter, each in its own way (Landslide's example of a bug that
 * needs a preemption between two accesses that race).
 *
 * Claim: no raising is lost.  XADD: one thread reads and writes it under a mutex, the other adds to
 * it atomically without that, so that switches at locks alone never show it. */
#include "../program.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *locked(void *arg)
{
    int seen;

    pthread_mutex_lock(&mutex);
    seen = visible_read(counter);
    visible_write(counter, seen + 1);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void *added(void *arg)
{
#ifdef XADD
    atomic_add(counter, 1);
    return arg;
#else
    return locked(arg);
#endif
}

int main(void)
{
    pthread_t one = spawn(locked), two = spawn(added);

    join(one);
    join(two);
    assert(counter == 2);
    return 0;
}
