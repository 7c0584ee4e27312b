/* SPDX-License-Identifier: BSD-2-Clause
 *
 * put_off.c - a signal is sent to main before main sets its mask.  The signal is not blocked, so POSIX requires its
 * delivery before pthread_sigmask returns, even if the call changes nothing.
 *   KEEP  the call that changes nothing; else it unblocks the signal */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdatomic.h>

static pthread_t first;
static atomic_int handled;

static void handler(int number)
{
    (void)number;
    handled++;
}

static void *sends(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    struct sigaction act = { .sa_handler = handler };
    sigset_t set;
    pthread_t other;

    first = pthread_self();
    sigaction(SIGUSR1, &act, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
#ifndef KEEP
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
    pthread_create(&other, NULL, sends, NULL);
    pthread_join(other, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(handled == 1);
    return 0;
}
