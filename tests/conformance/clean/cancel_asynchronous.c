/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_asynchronous.c - asynchronous cancellation: a request takes effect at once; a
 * thread that cancels itself does not return from the call.
 * Reduction: threads are cancelled */
#include "../conform.h"

static void *victim(void *arg)
{
    int old;

    IS(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
    IS(old, PTHREAD_CANCEL_DEFERRED);
    pthread_cancel(pthread_self());
    abort();
    return arg;
}

int main(void)
{
    IS(finish(start(victim, NULL)) == PTHREAD_CANCELED, 1);
    return 0;
}
