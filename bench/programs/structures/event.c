/* SPDX-License-Identifier: BSD-2-Clause
 *
 * event - an event that resets itself: setting it lets one waiter pass.
 *
 * Two threads pass a token by an event each, and back.  Claim: each waits until it is its turn, and
 * no thread waits forever.  PULSE: setting only wakes threads that wait at that moment, and is lost if no thread
 * does.  NO_RESET: an event that was set stays so, and a thread does not wait the second time. */
#include "../program.h"

enum { ROUNDS = 2 };

struct event {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_set;
};

static struct event events[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1},
                                 {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}};
static int turns;

static void set(struct event *event)
{
    pthread_mutex_lock(&event->lock);
#ifndef PULSE
    event->is_set = 1;
#endif
    pthread_cond_signal(&event->changed);
    pthread_mutex_unlock(&event->lock);
}

static void wait_for(struct event *event)
{
    pthread_mutex_lock(&event->lock);
#ifdef PULSE
    if (!event->is_set)
        pthread_cond_wait(&event->changed, &event->lock);
#else
    while (!event->is_set)
        pthread_cond_wait(&event->changed, &event->lock);
#endif
#ifndef NO_RESET
    event->is_set = 0;
#endif
    pthread_mutex_unlock(&event->lock);
}

static void *take_turns(void *arg)
{
    int me = number_of(arg);

    for (int round = 0; round < ROUNDS; round++) {
        wait_for(&events[me]);
        assert(turns == 2 * round + me);
        turns++;
        set(&events[1 - me]);
    }
    return NULL;
}

int main(void)
{
    pthread_t a = spawn_numbered(take_turns, 0), b = spawn_numbered(take_turns, 1);

    join(a);
    join(b);
    assert(turns == 2 * ROUNDS);
    return 0;
}
