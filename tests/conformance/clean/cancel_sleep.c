/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cancel_sleep.c - sleeping is a cancellation point.
 * Reduction: threads are cancelled */
#include <unistd.h>

#include "../conform.h"

static void *victim(void *arg)
{
    struct timespec t = {.tv_sec = 100};

    nanosleep(&t, NULL);
    return arg;
}

int main(void)
{
    pthread_t t = start(victim, NULL);

    IS(pthread_cancel(t), 0);
    void *value = finish(t);
    IS(value == PTHREAD_CANCELED || value == NULL, 1);
    return 0;
}
