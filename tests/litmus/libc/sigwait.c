/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sigwait.c - a thread waits for a signal, as in programs that handle signals in a thread of
 * their own.
 *
 *   sigwait         main waits until the worker has done its work, then sends the signal
 *   sigwait lost    the worker's notice may come before main waits: then no thread goes on, and the
 *                   thread that waits for the signal must not hide that */
#include <signal.h>
#include <string.h>

#include "../litmus.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done_cond = PTHREAD_COND_INITIALIZER;
static int done;
static sigset_t set;

static void *handler(void *unused)
{
    int sig = 0;

    assert(sigwait(&set, &sig) == 0 && sig == SIGUSR1);
    return unused;
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&done_cond);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    int lost = argc > 1 && strcmp(argv[1], "lost") == 0;
    pthread_t threads[2];

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&threads[0], NULL, handler, NULL);
    pthread_create(&threads[1], NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    while (lost || !done) {
        pthread_cond_wait(&done_cond, &mutex);
        lost = 0;
    }
    pthread_mutex_unlock(&mutex);
    pthread_kill(threads[0], SIGUSR1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
