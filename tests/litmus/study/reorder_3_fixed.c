/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder_3_fixed - reorder_3 with the pair under a lock.
 *
 * Claim: the pair is (0,0) or (1,-1).  True.  Nothing races.
 * Twin: reorder_3.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *set(void *arg)
{
    pthread_mutex_lock(&lock);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t1 = spawn(set);
    pthread_t t2 = spawn(set);
    pthread_t t3 = spawn(check);

    join(t1);
    join(t2);
    join(t3);
    return 0;
}
