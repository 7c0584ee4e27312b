/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_testcancel.c - a thread that cancels itself goes on until its next cancellation
 * point; mutexes are none.
 * Reduction: threads are cancelled */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int passed;

static void *victim(void *arg)
{
    IS(pthread_cancel(pthread_self()), 0);
    IS(pthread_mutex_lock(&m), 0);
    passed = 1;
    IS(pthread_mutex_unlock(&m), 0);
    pthread_testcancel();
    passed = 2;
    return arg;
}

int main(void)
{
    IS(finish(start(victim, NULL)) == PTHREAD_CANCELED, 1);
    IS(passed, 1);
    return 0;
}
