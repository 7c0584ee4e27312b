/* SPDX-License-Identifier: BSD-2-Clause
 *
 * masked_kill - a signal to the whole process, without a handler, which main blocks and
 * another thread does not.
 *
 * Claim: the program survives.  False: the other thread takes the signal (POSIX 2.4.1); with
 * ENDS the thread may have ended before, and main never unblocks the signal. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <signal.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
#ifndef ENDS
    while (!go)
        pthread_cond_wait(&cond, &lock);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    assert(!sigismember(&set, SIGUSR1)); /* nothing is left of the execution before */
    pthread_t other = spawn(work);

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    pthread_mutex_lock(&lock);
    go = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    join(other);
    return 0;
}
