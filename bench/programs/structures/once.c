/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once - something is set up by the first of the threads that need it, and the others wait.
 *
 * Claim: it is set up once, and ready for every thread that goes on.  What is set up is plain.  TWO_STEPS:
 * a thread that finds that no thread has begun begins, without looking whether another thread did meanwhile.
 * DONE_FIRST: it is called ready before it is.  NO_WAIT: a thread that finds that another thread has begun goes on.
 */
#include "../program.h"

#include <sched.h>

enum { THREADS = 3, NEW = 0, BEGUN, READY };

static int state;
static int resource;

static bool begin(void)
{
#ifdef TWO_STEPS
    if (atomic_read(state) != NEW)
        return false;
    atomic_write(state, BEGUN);
    return true;
#else
    return atomic_cas(state, NEW, BEGUN);
#endif
}

static void set_up(void)
{
    if (begin()) {
#ifdef DONE_FIRST
        atomic_write(state, READY);
        resource++;
#else
        resource++;
        atomic_write(state, READY);
#endif
        return;
    }
#ifndef NO_WAIT
    while (atomic_read(state) != READY)
        sched_yield();
#endif
}

static void *need(void *arg)
{
    set_up();
    assert(resource == 1);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(need);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
