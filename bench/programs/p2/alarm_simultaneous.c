/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alarm_simultaneous - two threads sleep until the same tick of a clock (a test of Pintos kernels);
 * the clock stops when both have woken up.
 *
 * Claim: no thread wakes up early, no thread sleeps forever.  INTERRUPTS_ON: a thread enters the list of
 * the threads that sleep without disabling interrupts, and another entry is lost.  LOOK_FIRST: it looks
 * whether the tick is past before it disables them, and sleeps through the last tick.  ONE: a tick
 * wakes one of the threads that are due. */
#include "pintos.h"

enum { SLEEPERS = 2, DUE = 2 };

static int ticks;
static int sleeping[SLEEPERS], sleeping_count;

static void enter_list(int me)
{
    int count = visible_read(sleeping_count);

    visible_write(sleeping[count], me);
    visible_write(sleeping_count, count + 1);
}

static void sleep_until_due(int me)
{
#if defined(INTERRUPTS_ON)
    enter_list(me);
    disable_interrupts();
    if (visible_read(ticks) < DUE)
        block(me);
#elif defined(LOOK_FIRST)
    bool is_due = visible_read(ticks) >= DUE;

    disable_interrupts();
    if (!is_due) {
        enter_list(me);
        block(me);
    }
#else
    disable_interrupts();
    if (visible_read(ticks) < DUE) {
        enter_list(me);
        block(me);
    }
#endif
    assert(visible_read(ticks) >= DUE);
    enable_interrupts();
}

static void wake_sleepers(void)
{
    int count = visible_read(sleeping_count);

#ifdef ONE
    if (count > 0)
        unblock(visible_read(sleeping[0]));
#else
    for (int i = 0; i < count; i++)
        unblock(visible_read(sleeping[i]));
#endif
    visible_write(sleeping_count, 0);
}

static void tick(void)
{
    disable_interrupts();
    visible_write(ticks, visible_read(ticks) + 1);
    if (visible_read(ticks) == DUE)
        wake_sleepers();
    enable_interrupts();
}

static void *sleeper(void *arg)
{
    sleep_until_due(number_of(arg));
    return NULL;
}

int main(void)
{
    pthread_t sleepers[SLEEPERS];

    set_up_threads();
    for (int i = 0; i < SLEEPERS; i++)
        sleepers[i] = spawn_numbered(sleeper, i);
    for (int i = 0; i < DUE; i++)
        tick();
    for (int i = 0; i < SLEEPERS; i++)
        join(sleepers[i]);
    return 0;
}
