/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stores A B - a worker makes A visible writes while main makes B.
 *
 * Claim: none; it is there to be counted.  After the creation the worker has
 * A + 1 steps (its start is one) and main has B, and nothing ever blocks, so
 * there are C(A+1+B, B) orders; the join and the exit are forced. */
#include "../litmus.h"

static int shared;
static int rounds;

static void *work(void *arg)
{
    for (int i = 0; i < rounds; i++)
        visible_write(shared, i);
    return arg;
}

int main(int argc, char **argv)
{
    int own_rounds = argc > 2 ? atoi(argv[2]) : 1;
    pthread_t worker;

    rounds = argc > 1 ? atoi(argv[1]) : 1;
    worker = spawn(work);
    for (int i = 0; i < own_rounds; i++)
        visible_write(shared, i);
    join(worker);
    return 0;
}
