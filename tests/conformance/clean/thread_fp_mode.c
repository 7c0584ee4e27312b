/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_fp_mode.c - the rounding mode belongs to the thread and is inherited at
 * creation.
 * Compiler: -lm */
#include <fenv.h>
#include <sched.h>

#include "../conform.h"

static void *worker(void *arg)
{
    IS(fegetround(), FE_UPWARD);
    IS(fesetround(FE_DOWNWARD), 0);
    sched_yield();
    IS(fegetround(), FE_DOWNWARD);
    return arg;
}

int main(void)
{
    IS(fegetround(), FE_TONEAREST);
    IS(fesetround(FE_UPWARD), 0);
    pthread_t t = start(worker, NULL);
    sched_yield();
    IS(fegetround(), FE_UPWARD);
    finish(t);
    return 0;
}
