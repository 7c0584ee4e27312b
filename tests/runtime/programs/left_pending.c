/* SPDX-License-Identifier: BSD-2-Clause
 *
 * left_pending.c - main blocks a signal and sends it to the process; the other thread does
 * not block it, so every execution ends by it. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go;

static void *waits(void *unused)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    sigset_t usr1;

    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_create(&t, NULL, waits, NULL);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    kill(getpid(), SIGUSR1);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return pthread_join(t, NULL);
}
