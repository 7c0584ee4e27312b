/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reload - a thread of its own waits for the signal to read the settings again, and leaves
 * when it is told to stop; but main may have sent the signal before it says so. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sigset_t wanted;
static atomic_int stop;

static void *reloader(void *arg)
{
    int number;

    while (!stop)
        sigwait(&wanted, &number);
    return arg;
}

int main(void)
{
    pthread_t thread;

    sigemptyset(&wanted);
    sigaddset(&wanted, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &wanted, NULL);
    pthread_create(&thread, NULL, reloader, NULL);
    pthread_kill(thread, SIGHUP);
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
