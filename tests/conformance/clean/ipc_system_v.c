/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ipc_system_v.c - a thread waits for a message and for a semaphore of System V that
 * another provides.
 * Reduction: threads share pipes, sockets or locks of files
 * Denied: blocking I/O with other processes */
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "../conform.h"

struct message {
    long type;
    char c;
};

static int queue, set;
static struct message got;

static void *provider(void *arg)
{
    struct message m = {1, 'm'};
    struct sembuf up = {0, 1, 0};

    IS(msgsnd(queue, &m, 1, 0), 0);
    IS(semop(set, &up, 1), 0);
    return arg;
}

int main(void)
{
    struct sembuf down = {0, -1, 0};

    queue = msgget(IPC_PRIVATE, 0600);
    set = semget(IPC_PRIVATE, 1, 0600);
    pthread_t t = start(provider, NULL);
    ssize_t n = msgrcv(queue, &got, 1, 0, 0);
    int rc = semop(set, &down, 1);

    finish(t);
    msgctl(queue, IPC_RMID, NULL);
    semctl(set, 0, IPC_RMID);
    IS(n, 1);
    IS(got.c, 'm');
    IS(rc, 0);
    return 0;
}
