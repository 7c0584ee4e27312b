/* SPDX-License-Identifier: BSD-2-Clause
 *
 * key_iterations.c - a destructor that sets its value again is called again, at most
 * PTHREAD_DESTRUCTOR_ITERATIONS times; others run in between. */
#include "../conform.h"

static pthread_key_t stubborn, polite;
static int stubborn_runs, polite_runs;

static void set_again(void *value)
{
    stubborn_runs++;
    IS(pthread_setspecific(stubborn, value), 0);
    if (stubborn_runs == 1)
        IS(pthread_setspecific(polite, value), 0);
}

static void count(void *value)
{
    (void)value;
    polite_runs++;
}

static void *worker(void *arg)
{
    IS(pthread_setspecific(stubborn, &stubborn_runs), 0);
    return arg;
}

int main(void)
{
    IS(pthread_key_create(&stubborn, set_again), 0);
    IS(pthread_key_create(&polite, count), 0);
    finish(start(worker, NULL));
    IS(stubborn_runs, PTHREAD_DESTRUCTOR_ITERATIONS);
    IS(polite_runs, 1);
    return 0;
}
