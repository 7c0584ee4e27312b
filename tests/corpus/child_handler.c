/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_handler.c - main waits for the handler of SIGCHLD.  The child ends only after main, so that the test does not depend
 * on time; but nothing in this process tells that, and the handler might come.
 *   POLL  main polls a flag; else it waits for a semaphore */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static sem_t posted;

static void handler(int number)
{
    (void)number;
    ended = 1;
    sem_post(&posted);
}

static void *nothing(void *arg)
{
    return arg;
}

/* Ends when the other end of the pipe is closed, at the latest by the end of the parent process. */
static void child(const int ends[2])
{
    char c;

    close(ends[1]);
    _exit(read(ends[0], &c, 1) != 0);
}

int main(void)
{
    struct sigaction act = { .sa_handler = handler };
    pthread_t other;
    int ends[2];

    sem_init(&posted, 0, 0);
    sigaction(SIGCHLD, &act, NULL);
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&other, NULL, nothing, NULL);
    if (fork() == 0)
        child(ends);
#ifdef POLL
    while (!ended)
        usleep(1000);
#else
    while (sem_wait(&posted) != 0)
        continue;
#endif
    pthread_join(other, NULL);
    return 0;
}
