/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stdio_beside_flockfile.c - an ordinary output call waits while another thread holds
 * the stream, across a switch of threads. */
#include <sched.h>

#include "../conform.h"

static void *printer(void *arg)
{
    IS(puts("from the thread") >= 0, 1);
    IS(printf("%d\n", 1), 2);
    return arg;
}

int main(void)
{
    pthread_t t = start(printer, NULL);

    flockfile(stdout);
    IS(fputs("from ", stdout) >= 0, 1);
    sched_yield();
    IS(fputs("main\n", stdout) >= 0, 1);
    funlockfile(stdout);
    finish(t);
    IS(fflush(stdout), 0);
    return 0;
}
