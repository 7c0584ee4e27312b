/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sections A B - a worker runs A locked sections while main runs B.
 *
 * Claim: none; it is there to be counted.  Sections exclude each other, so an
 * execution is an order of sections and the place of the worker's start: when j
 * of main's sections come before the worker's first, the start has 2j + 1 places
 * and the rest C(A-1+B-j, A-1) orders.  For A = 1 the sum is (B+1)^2. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static int rounds;

static void run_sections(int times)
{
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
}

static void *work(void *arg)
{
    run_sections(rounds);
    return arg;
}

int main(int argc, char **argv)
{
    int own_rounds = argc > 2 ? atoi(argv[2]) : 1;
    pthread_t worker;

    rounds = argc > 1 ? atoi(argv[1]) : 1;
    worker = spawn(work);
    run_sections(own_rounds);
    join(worker);
    assert(counter == rounds + own_rounds);
    return 0;
}
