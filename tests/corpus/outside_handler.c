/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outside_handler.c - a child process sends signals to this one, whose handler uses the model: a
 * semaphore and an atomic variable.  The handler must never run inside the runtime's own code. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 400 };

static atomic_int handled;
static sem_t posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void handler(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
    sem_post(&posted);
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = SA_RESTART };
    pthread_t other;
    int status;

    sem_init(&posted, 0, 0);
    sigaction(SIGUSR1, &act, NULL);
    pid_t child = fork();

    if (child == 0) {
        for (int i = 0; i < ROUNDS; i++)
            kill(getppid(), SIGUSR1);
        _exit(0);
    }
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    waitpid(child, &status, 0);
    return count == 2 * ROUNDS ? 0 : 1;
}
