/* SPDX-License-Identifier: BSD-2-Clause
 *
 * semaphore - what comes before the post is seen after the wait; what comes after it
 * is not. */
#include "races.h"

#include <semaphore.h>

static int data;
static sem_t ready;

static void *sender(void *arg)
{
    if (is("early"))
        sem_post(&ready);
    PUT(data, 1);
    if (!is("early"))
        sem_post(&ready);
    return arg;
}

static void *receiver(void *arg)
{
    sem_wait(&ready);
    (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    sem_init(&ready, 0, 0);
    return run_two(argc, argv, sender, receiver);
}
