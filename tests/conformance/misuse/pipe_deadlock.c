/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pipe_deadlock.c - two threads wait for each other's word through pipes; each wants to hear
 * before it speaks.
 * Expect: deadlock */
#include <unistd.h>

#include "../conform.h"

static int to_main[2], to_thread[2];

static void *partner(void *arg)
{
    char c;

    IS(read(to_thread[0], &c, 1), 1);
    IS(write(to_main[1], "b", 1), 1);
    return arg;
}

int main(void)
{
    char c;

    IS(pipe(to_main), 0);
    IS(pipe(to_thread), 0);
    pthread_t t = start(partner, NULL);
    IS(read(to_main[0], &c, 1), 1);
    IS(write(to_thread[1], "a", 1), 1);
    finish(t);
    return 0;
}
