/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cloning.c - the ways to fork that pass by fork(): each child runs on its own, and the wire is
 * its parent's alone. */
#define _GNU_SOURCE
#include <assert.h>
#include <pty.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char stack[65536] __attribute__((aligned(16)));

/* Operations that a controlled process would announce. */
static void work(void)
{
    for (int i = 0; i < 50; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static int child(void *arg)
{
    (void)arg;
    work();
    return 3;
}

static void ends_well(pid_t pid)
{
    int status = 0;

    assert(pid > 0);
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void *body(void *arg)
{
    work();
    return arg;
}

int main(void)
{
    int master;
    pthread_t t;
    pid_t pid = _Fork();

    if (pid == 0)
        _exit(child(NULL));
    ends_well(pid);
    ends_well(clone(child, stack + sizeof stack, SIGCHLD, NULL));
    pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
        _exit(child(NULL));
    ends_well(pid);
    pid = forkpty(&master, NULL, NULL, NULL);
    if (pid == 0)
        _exit(child(NULL));
    ends_well(pid);
    pthread_create(&t, NULL, body, NULL);
    pthread_join(t, NULL);
    return 0;
}
