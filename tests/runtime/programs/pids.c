/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pids.c - numbers of processes: the program's own, its parent's and those of groups mean what they
 * mean natively, and none of them reaches the kernel, where it could be a stranger's. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 1 << 22 }; /* that the kernel gives */

static volatile sig_atomic_t got;

static void handler(int number)
{
    got = number;
}

static int arrived(int rc)
{
    int was = got;

    got = 0;
    return rc == 0 && was == SIGUSR1;
}

static int refused(long rc, int error)
{
    return rc == -1 && errno == error;
}

static void signals(void)
{
    union sigval none = { 0 };

    signal(SIGUSR1, handler);
    assert(arrived(kill(getpid(), SIGUSR1)));
    assert(arrived(kill(0, SIGUSR1)));
    assert(arrived(killpg(0, SIGUSR1)));
    assert(arrived(killpg(getpgrp(), SIGUSR1)));
    assert(arrived(sigqueue(getpid(), SIGUSR1, none)));
    assert(arrived((int)syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1)));
    assert(arrived((int)syscall(SYS_tkill, gettid(), SIGUSR1)));
    assert(kill(getpid(), 0) == 0 && kill(getppid(), 0) == 0);
    assert(refused(kill(getppid(), SIGTERM), EPERM));
    assert(refused(sigqueue(getppid(), SIGTERM, none), EPERM));
    assert(refused(kill(-1, SIGTERM), EPERM));
    assert(refused(tgkill(getpid(), getpid() + 77, SIGUSR1), ESRCH));
    assert(refused(kill(getpid() + 50, 0), ESRCH));
}

static void others(void)
{
    int value = 7, copy = 0;
    struct iovec to = { &copy, sizeof copy }, from = { &value, sizeof value };
    struct rlimit limit;
    char path[64];

    assert(pidfd_open(getpid(), 0) > 0 && refused(pidfd_open(getppid(), 0), ESRCH));
    assert(refused(ptrace(PTRACE_TRACEME, 0, 0, 0), EPERM));
    assert(refused(ptrace(PTRACE_ATTACH, getppid(), 0, 0), EPERM));
    assert(process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof copy && copy == 7);
    assert(refused(process_vm_readv(getppid(), &to, 1, &from, 1, 0), EPERM));
    assert(refused(waitpid(getppid(), NULL, 0), ECHILD));
    assert(prlimit(getpid(), RLIMIT_NOFILE, NULL, &limit) == 0);
    assert(refused(prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit), EPERM));
    snprintf(path, sizeof path, "/proc/%d/status", getpid());
    assert(access(path, R_OK) == 0 && open(path, O_RDONLY) >= 0);
    snprintf(path, sizeof path, "/proc/%d/status", getppid());
    assert(open(path, O_RDONLY) < 0);
}

static void groups(void)
{
    assert(getpgid(0) == getpgrp() && getpgid(getpid()) == getpgrp() && getsid(0) == getsid(getpid()));
    assert(setpgid(0, 0) == 0 && getpgrp() == getpid());
    assert(refused(setsid(), EPERM));
}

/* A child knows its parent by the number that the parent sees; a command that gets it by its
 * arguments reaches no process. */
static void children(void)
{
    char command[64];
    pid_t self = getpid(), child = fork();
    int status;

    if (child == 0)
        _exit(getppid() != self || kill(self, SIGUSR1) != 0);
    while (waitpid(child, &status, 0) < 0)
        assert(errno == EINTR);
    assert(status == 0);
    snprintf(command, sizeof command, "kill -TERM %d 2>/dev/null", getpid());
    assert(system(command) != 0);
    snprintf(command, sizeof command, "kill -TERM %d 2>/dev/null", getppid());
    assert(system(command) != 0);
}

int main(void)
{
    assert(getpid() > LARGEST && getppid() > LARGEST);
    assert(syscall(SYS_getpid) == getpid() && gettid() == getpid());
    signals();
    others();
    groups();
    children();
    return 0;
}
