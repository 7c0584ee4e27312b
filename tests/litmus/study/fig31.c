/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fig31 - the study's example for what the two bounds mean: T1 writes x and y,
 * T2 writes z, T3 compares x and y.
 *
 * Claim: x == y.  False between T1's writes.  The example counts four steps:
 * x=1, y=1, z=1 and the comparison, with all threads there from the start.  So
 * main creates them inside the initialiser of a pthread_once, and the first
 * operation of each is to wait for it: no thread can move before all exist, and
 * that wait and the (unseen) accesses after it are the thread's first step. */
#include "../litmus.h"

static pthread_once_t gate = PTHREAD_ONCE_INIT;
static int x, y, z;

static void create_all(void);

static void *t1(void *arg)
{
    pthread_once(&gate, create_all);
    unseen_write(&x, 1);
    visible_write(y, 1);
    return arg;
}

static void *t2(void *arg)
{
    pthread_once(&gate, create_all);
    unseen_write(&z, 1);
    return arg;
}

static void *t3(void *arg)
{
    pthread_once(&gate, create_all);
    assert(unseen_read(&x) == unseen_read(&y));
    return arg;
}

static void create_all(void)
{
    spawn(t1);
    spawn(t2);
    spawn(t3);
}

int main(void)
{
    pthread_once(&gate, create_all);
    return 0;
}
