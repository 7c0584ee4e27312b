/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pause_waits - pause() (default) or sigsuspend() (SUSPEND) where no thread sends a signal.
 *
 * Claim: it does not return.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int returned;

static void *work(void *arg)
{
#ifdef SUSPEND
    sigset_t none;

    sigemptyset(&none);
    sigsuspend(&none);
#else
    pause();
#endif
    returned = 1;
    return arg;
}

int main(void)
{
    pthread_detach(spawn(work));
    usleep(1000);
    assert(returned == 0);
    return 0;
}
