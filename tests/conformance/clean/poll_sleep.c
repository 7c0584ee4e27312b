/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_sleep.c - polling with usleep, nanosleep and clock_nanosleep. */
#include <stdatomic.h>
#include <unistd.h>

#include "../conform.h"

static atomic_int stage;

static void *worker(void *arg)
{
    struct timespec t = {.tv_nsec = 1000};

    while (atomic_load(&stage) != 1)
        nanosleep(&t, NULL);
    atomic_store(&stage, 2);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);
    struct timespec pause = {.tv_nsec = 1000};

    atomic_store(&stage, 1);
    while (atomic_load(&stage) != 2)
        usleep(10);
    while (atomic_load(&stage) != 2)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    finish(t);
    return 0;
}
