/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy - three threads, one section each: two add to a number, one looks at it
 * (bounded-DPOR study).
 *
 * Claim: none but that they end; the study left the assertion out.  3! = 6 classes, all
 * without a preemption.  CLAIM puts the assertion in: the sum is never seen.  False when
 * the thread that looks comes last. */
#include "../program.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *work(void *arg)
{
    int me = number_of(arg);

    pthread_mutex_lock(&lock);
    if (me > 0)
        data += me;
#ifdef CLAIM
    else
        assert(data < 3);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t looks = spawn_numbered(work, 0);
    pthread_t adds_one = spawn_numbered(work, 1), adds_two = spawn_numbered(work, 2);

    join(adds_one);
    join(adds_two);
    join(looks);
    return 0;
}
