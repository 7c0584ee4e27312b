/* SPDX-License-Identifier: BSD-2-Clause
 *
 * circular_buffer - a sender and a receiver that take turns by two flags; both
 * count their rounds also when it is not their turn (SCT study, row 7).
 *
 * Claim: what arrives in round i is i.  False once a side has let a round pass.
 * Nothing races: everything is under the one lock.
 * Twin (-DFIXED): what arrives is counted, not the rounds. */
#include "../litmus.h"

enum { ROUNDS = 7, PLACES = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[PLACES];
static unsigned first, next;
static int may_send = 1, may_receive;

static void *sender(void *arg)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        if (may_send) {
#ifdef FIXED
            ring[next % PLACES] = (int)next;
            next++;
#else
            ring[next++ % PLACES] = round;
#endif
            may_send = 0;
            may_receive = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *receiver(void *arg)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        if (may_receive) {
#ifdef FIXED
            assert(ring[first % PLACES] == (int)first);
            first++;
#else
            assert(ring[first++ % PLACES] == round);
#endif
            may_receive = 0;
            may_send = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(sender);
    pthread_t b = spawn(receiver);

    join(a);
    join(b);
    return 0;
}
