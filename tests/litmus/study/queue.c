/* SPDX-License-Identifier: BSD-2-Clause
 *
 * queue - a producer and a consumer that take turns by two flags; both count
 * their rounds also when it is not their turn (SCT study, row 18).
 *
 * Claim: the element taken in round i is the one put in round i.  False once a
 * side has let a round pass.  A round that put nothing has left a zero in the
 * list of what was put, and the first element is zero too: such rounds agree by
 * chance, and the study's counts depend on it.  Nothing races: everything is
 * under the one lock.
 * Twin (-DFIXED): elements are compared by their number, and the first put lets
 * the consumer take. */
#include "../litmus.h"

enum { ROUNDS = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[ROUNDS];
static int head, tail;
static int put_in_round[ROUNDS];
static int may_put = 1, may_take;

static void put(int round)
{
#ifdef FIXED
    put_in_round[tail] = round;
    queue[tail++] = round;
#else
    queue[tail++] = round;
    put_in_round[round] = round;
#endif
}

static void *produce(void *arg)
{
    pthread_mutex_lock(&lock);
    put(0);
#ifdef FIXED
    may_put = 0;
    may_take = 1;
#endif
    pthread_mutex_unlock(&lock);
    for (int round = 1; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        if (may_put) {
            put(round);
            may_put = 0;
            may_take = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consume(void *arg)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        if (may_take) {
#ifdef FIXED
            assert(head < tail && queue[head] == put_in_round[head]);
#else
            assert(head < tail && queue[head] == put_in_round[round]);
#endif
            head++;
            may_take = 0;
            may_put = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t a = spawn(produce);
    pthread_t b = spawn(consume);

    join(a);
    join(b);
    return 0;
}
