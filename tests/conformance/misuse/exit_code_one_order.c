/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_code_one_order.c - the program returns a failure in one order.
 * Expect: exit-code */
#include <semaphore.h>

#include "../conform.h"

static sem_t s;

static void *worker(void *arg)
{
    sem_post(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    pthread_t t = start(worker, NULL);
    int rc = sem_trywait(&s) == 0 ? 3 : 0;

    finish(t);
    return rc;
}
