/* SPDX-License-Identifier: BSD-2-Clause
 *
 * priority_sema - two threads of equal priority wait for a semaphore, main raises it twice (a test
 * of Pintos kernels).
 *
 * Claim: both go on, and no thread takes a unit that is not there.  VALUE_LATE: a thread that raises unblocks a
 * waiter, which may run at once, and only then counts the unit; the waiter sees none and blocks
 * again.  IF: a thread that was unblocked does not look again.  EMPTY_ONLY: a waiter is unblocked only when
 * there was no unit. */
#include "pintos.h"

enum { WAITERS = 2 };

static int value;
static int waiting[WAITERS], waiting_count;

static void down(int me)
{
    disable_interrupts();
#ifdef IF
    if (value == 0) {
#else
    while (value == 0) {
#endif
        waiting[waiting_count++] = me;
        block(me);
    }
    value--;
    assert(value >= 0);
    enable_interrupts();
}

static void unblock_one(void)
{
    if (waiting_count > 0)
        unblock(waiting[--waiting_count]);
}

static void up(void)
{
    disable_interrupts();
#if defined(VALUE_LATE)
    unblock_one();
    enable_interrupts();
    disable_interrupts();
    value++;
#elif defined(EMPTY_ONLY)
    if (value++ == 0)
        unblock_one();
#else
    value++;
    unblock_one();
#endif
    enable_interrupts();
}

static void *waiter(void *arg)
{
    down(number_of(arg));
    return NULL;
}

int main(void)
{
    pthread_t waiters[WAITERS];

    set_up_threads();
    for (int i = 0; i < WAITERS; i++)
        waiters[i] = spawn_numbered(waiter, i);
    for (int i = 0; i < WAITERS; i++)
        up();
    for (int i = 0; i < WAITERS; i++)
        join(waiters[i]);
    assert(value == 0);
    return 0;
}
