/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_in_handler.c - _exit in an exit handler ends the program with a code of its own,
 * while another thread waits for good.
 * Expect: exit-code */
#include <semaphore.h>
#include <unistd.h>

#include "../conform.h"

static sem_t never;

static void *waiter(void *arg)
{
    sem_wait(&never);
    return arg;
}

static void handler(void)
{
    _exit(3);
}

int main(void)
{
    IS(sem_init(&never, 0, 0), 0);
    IS(atexit(handler), 0);
    start(waiter, NULL);
    return 0;
}
