/* SPDX-License-Identifier: BSD-2-Clause
 *
 * on_the_machine.c - makes what outlives a process, or changes it in a way that the next execution would
 * notice, and never tidies up.  Call: on_the_machine WAY [KEY or NAME].  It fails when it meets what an
 * execution before has left; with "order" behind it also when the second thread comes first. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "state.h"

struct letter {
    long type;
    char text[8];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void messages(const char *key)
{
    struct letter l = { 1, "hello" }, other;
    int queue = msgget((key_t)strtol(key, NULL, 0), IPC_CREAT | 0600);

    assert(queue >= 0);
    assert(msgrcv(queue, &other, sizeof other.text, 0, IPC_NOWAIT) < 0 && errno == ENOMSG);
    assert(msgsnd(queue, &l, sizeof l.text, 0) == 0);
}

static void semaphores(const char *key)
{
    int set = semget((key_t)strtol(key, NULL, 0), 1, IPC_CREAT | IPC_EXCL | 0600);
    struct sembuf up = { 0, 1, 0 };

    assert(set >= 0);
    assert(semctl(set, 0, GETVAL) == 0);
    assert(semop(set, &up, 1) == 0);
}

static void segment(const char *key)
{
    int id = shmget((key_t)strtol(key, NULL, 0), 4096, IPC_CREAT | 0600);
    char *at = shmat(id, NULL, 0);

    assert(at != (void *)-1);
    assert(at[0] == 0);
    at[0] = 1;
}

static void by_number(const char *key)
{
    assert(syscall(SYS_msgget, strtol(key, NULL, 0), IPC_CREAT | IPC_EXCL | 0600) >= 0);
}

static void letters(const char *name)
{
    struct mq_attr attr = { .mq_maxmsg = 4, .mq_msgsize = 8 };
    mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attr);

    assert(queue >= 0);
    assert(mq_send(queue, "hello", 6, 0) == 0);
}

/* Less than anything needs. */
static void memory(int what)
{
    struct rlimit r, again;

    assert(getrlimit(what, &r) == 0 && r.rlim_cur == RLIM_INFINITY);
    r.rlim_cur = 1 << 20;
    assert(setrlimit(what, &r) == 0);
    assert(getrlimit(what, &again) == 0 && again.rlim_cur == 1 << 20);
}

static void setting(void)
{
    assert(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    assert(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}

static void root(const char *path)
{
    assert(access(path, F_OK) == 0);
    assert(chroot(path) == 0);
}

/* From a queue that another process has filled: there is one message only. */
static void take(const char *key)
{
    struct letter l;

    assert(msgrcv(msgget((key_t)strtol(key, NULL, 0), 0), &l, sizeof l.text, 0, IPC_NOWAIT) < 0);
}

/* The kernel ends the process at its next system call. */
static void perish(void)
{
    prctl(PR_SET_SECCOMP, 1 /* strict */, 0, 0, 0);
    syscall(SYS_getuid);
}

static void host(const char *name)
{
    char now[65] = "";

    gethostname(now, sizeof now - 1);
    assert(strcmp(now, name) != 0);
    assert(sethostname(name, strlen(name)) == 0);
}

/* Another program does it. */
static void command(const char *path)
{
    char line[4096];

    snprintf(line, sizeof line, "echo hello >%s", path);
    assert(access(path, F_OK) != 0);
    assert(system(line) == 0);
}

static void node(const char *path)
{
    assert(mknod(path, S_IFIFO | 0600, 0) == 0);
}

static void leave(const char *way, const char *what)
{
    if (strcmp(way, "messages") == 0)
        messages(what);
    else if (strcmp(way, "semaphores") == 0)
        semaphores(what);
    else if (strcmp(way, "segment") == 0)
        segment(what);
    else if (strcmp(way, "number") == 0)
        by_number(what);
    else if (strcmp(way, "queue") == 0)
        letters(what);
    else if (strcmp(way, "address-space") == 0)
        memory(RLIMIT_AS);
    else if (strcmp(way, "data") == 0)
        memory(RLIMIT_DATA);
    else if (strcmp(way, "setting") == 0)
        setting();
    else if (strcmp(way, "root") == 0)
        root(what);
    else if (strcmp(way, "command") == 0)
        command(what);
    else if (strcmp(way, "host") == 0)
        host(what);
    else if (strcmp(way, "node") == 0)
        node(what);
    else if (strcmp(way, "take") == 0)
        take(what);
    else if (strcmp(way, "perish") == 0)
        perish();
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&mutex);
    if (first == 0)
        first = (int)(intptr_t)arg;
    pthread_mutex_unlock(&mutex);
    return malloc(100000);
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    leave(argv[1], argc > 2 ? argv[2] : "");
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(argc < 4 || first == 1);
    return 0;
}
