/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll_mask - ppoll with a signal mask, which Heddle does not model (-DSAME: the mask is that of the
 * thread, so it changes nothing).
 *
 * Claim: it ends because there is something to read.  True here, where no thread sends a signal. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void *work(void *arg)
{
    assert(write(ends[1], "a", 1) == 1);
    return arg;
}

int main(void)
{
    sigset_t mask;

    sigemptyset(&mask);
#ifndef SAME
    sigaddset(&mask, SIGUSR1);
#endif
    assert(pipe(ends) == 0);
    struct pollfd one = { ends[0], POLLIN, 0 };
    pthread_t other = spawn(work);

    assert(ppoll(&one, 1, NULL, &mask) == 1);
    join(other);
    return 0;
}
