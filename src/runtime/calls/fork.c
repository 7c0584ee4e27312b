/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fork.c - other calls that fork.  Inside them libc forks without calling an interposer: the child would continue
 * as a controlled program, and two processes would write to one wire. */
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <stdarg.h>
#include <unistd.h>
#include <utmp.h>

#include "runtime/calls/fork.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/core/ledger.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/kernel/outside_signals.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/processor_clock.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/tx_cpuid.h"

/* The program continues in the same process.  The parent process, which would see the first process
 * end, is Heddle. */
static int model_daemon(int keep_directory, int keep_output)
{
    hd_uncontrolled("daemon(): the program goes on in the same process");
    setsid();
    if (!keep_directory && chdir("/") != 0)
        return -1;
    int null = keep_output ? -1 : open("/dev/null", O_RDWR);

    if (null < 0)
        return keep_output ? 0 : -1;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    if (null > STDERR_FILENO)
        close(null);
    return 0;
}

/* Ends control in the child of a fork that libc or the kernel has made. */
static void leave_control(pid_t parent)
{
    hd.cur = NULL;
    hd_processor_clock_allow();
    hd_tx_cpuid_allow();
    hd_pid_forked(parent);
    hd_outside_signals_release();
}

static pid_t own_number(void)
{
    return (pid_t)hd_sys(SYS_getpid, 0, 0, 0);
}

/* _Fork runs no fork handlers, as documented in its manual page. */
static pid_t model__Fork(uint64_t pc)
{
    hd_child_process("it forks", pc);
    pid_t self = own_number(), pid = HD_REAL(_Fork)();

    if (pid == 0)
        leave_control(self);
    return pid;
}

HD_EXPORT int forkpty(int *master, char *name, const struct termios *settings, const struct winsize *size)
{
    int ends[2];

    if (hd.cur == NULL)
        return HD_REAL(forkpty)(master, name, settings, size);
    if (HD_REAL(openpty)(&ends[0], &ends[1], name, settings, size) != 0)
        return -1;
    pid_t pid = fork();

    if (pid == 0) {
        close(ends[0]);
        if (HD_REAL(login_tty)(ends[1]) != 0)
            _exit(1);
        return 0;
    }
    close(ends[1]);
    if (pid > 0)
        *master = ends[0];
    else
        close(ends[0]);
    return pid;
}

/* Arguments for the child of a clone.  They lie on the stack of the parent. */
struct beginning {
    int (*fn)(void *);
    void *arg;
    pid_t parent;
};

static int begin_child(void *p)
{
    struct beginning b = *(struct beginning *)p;

    leave_control(b.parent);
    return b.fn(b.arg);
}

HD_EXPORT int clone(int (*fn)(void *), void *stack, int flags, void *arg, ...)
{
    va_list ap;

    va_start(ap, arg);
    pid_t *parent_tid = va_arg(ap, pid_t *);
    void *tls = va_arg(ap, void *);
    pid_t *child_tid = va_arg(ap, pid_t *);
    va_end(ap);
    if (hd.cur == NULL)
        return HD_REAL(clone)(fn, stack, flags, arg, parent_tid, tls, child_tid);
    if ((flags & CLONE_VM) != 0) {
        hd_uncontrolled("clone() of a thread that shares the memory: refused with EPERM");
        errno = EPERM;
        return -1;
    }
    hd_child_process("it forks", HD_PC);
    struct beginning b = { fn, arg, own_number() }; /* the child has its own copy */

    return HD_REAL(clone)(begin_child, stack, flags, &b, parent_tid, tls, child_tid);
}

/* Works like fork.  Refuses a child that shares memory or has another stack. */
long hd_raw_clone(const long a[6], uint64_t pc)
{
    if ((a[0] & CLONE_VM) != 0 || a[1] != 0) {
        hd_uncontrolled("clone by a raw system call with a stack or shared memory: refused with EPERM");
        return -EPERM;
    }
    hd_child_process("it starts a process by a raw system call", pc);
    pid_t self = own_number();
    long pid = hd_sys6(SYS_clone, a[0], 0, a[2], a[3], a[4], 0);

    if (pid == 0)
        leave_control(self);
    return pid;
}

#define CALLS_FORK
#include "runtime/calls/calls.def"
