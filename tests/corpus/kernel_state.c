/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_state - changes something that the kernel keeps for the process, which must be
 * as before when the next execution begins.  By CASE, in the order of the table.
 *
 * Claim: it is.  True.  Where this machine does not permit the change, nothing is done. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef CASE
#define CASE 1
#endif
/* Keys and names of IPC objects belong to the whole machine: two programs that run at the
 * same time must not share them.  The suite gives each program a number of its own. */
#ifndef TEST_ID
#define TEST_ID 1
#endif
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

enum { KEY = TEST_ID };
#define QUEUE_NAME "/heddle-corpus-" TEXT(TEST_ID)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void signal_mask(void)
{
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    assert(!sigismember(&set, SIGUSR1));
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void settings(void)
{
    assert(prctl(PR_GET_DUMPABLE) == 1);
    prctl(PR_SET_DUMPABLE, 0);
    assert(prctl(PR_GET_CHILD_SUBREAPER, &(int){ 0 }) == 0);
    assert(prctl(PR_GET_TIMERSLACK) > 1);
    prctl(PR_SET_TIMERSLACK, 1L);
}

static void limits(int which)
{
    struct rlimit limit;

    getrlimit(which, &limit);
    assert(limit.rlim_max != 123456789);
    limit.rlim_cur = limit.rlim_max = 123456789;
    setrlimit(which, &limit);
}

static void hard_limit(void)
{
    limits(RLIMIT_CORE);
}

static void address_space(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_AS, &limit);
    assert(limit.rlim_cur == RLIM_INFINITY);
    limit.rlim_cur = 1UL << 46;
    setrlimit(RLIMIT_AS, &limit);
}

static void shared_memory(void)
{
    int id = shmget(KEY, 4096, IPC_CREAT | IPC_EXCL | 0600);

    assert(id >= 0);
    shmctl(id, IPC_RMID, NULL);
}

static void semaphores(void)
{
    int id = semget(KEY, 1, IPC_CREAT | IPC_EXCL | 0600);

    assert(id >= 0);
    semctl(id, 0, IPC_RMID);
}

static void messages(void)
{
    int id = msgget(KEY, IPC_CREAT | IPC_EXCL | 0600);

    assert(id >= 0);
    msgctl(id, IPC_RMID, NULL);
}

static void queue(void)
{
    mqd_t id = mq_open(QUEUE_NAME, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);

    assert(id >= 0);
    mq_unlink(QUEUE_NAME);
    mq_close(id);
}

static void root(void)
{
    assert(access("data.txt", F_OK) == 0);
    assert(access("/data.txt", F_OK) != 0);
    if (geteuid() == 0 && chroot(".") != 0)
        assert(0);
}

static void locked_memory(void)
{
    mlockall(MCL_CURRENT | MCL_FUTURE);
}

static void creation_mask(void)
{
    assert(umask(0123) != 0123);
}

static void (*const cases[])(void) = { NULL, signal_mask, settings, hard_limit, address_space,
    shared_memory, semaphores, messages, queue, root, locked_memory, creation_mask };

int main(void)
{
    cases[CASE]();
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    return sum != 2;
}
