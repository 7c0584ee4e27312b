/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw.c - models of system calls that a program makes by syscall() or by the instruction itself.
 * Libraries do so to avoid cancellation points, or if libc had no wrapper yet. hooks/syscalls.def
 * names the model of each call, nearly always the interposer of its wrapper.  If a call went
 * directly to the kernel, a thread that waits at the other end of a pipe would not notice it and
 * would look deadlocked.  This file contains the models whose results or arguments differ from
 * those of libc's function. */
#include "runtime/calls/raw.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <mqueue.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "base/sys.h"
#include "runtime/calls/fork.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/random.h"
#include "runtime/calls/time.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/operation.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/pids.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/text.h"
#include "runtime/watch/transaction.h"

/* The arguments of the call.  They are in the array `a`. */
#define INT(i) ((int)a[i])
#define LONG(i) (a[i])
#define SIZE(i) ((size_t)a[i])
#define PTR(i) ((void *)a[i])
#define ADDRESS(i) ((__SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })
#define CONST_ADDRESS(i) ((__CONST_SOCKADDR_ARG){ .__sockaddr__ = PTR(i) })
/* Converts the kernel's signal set of 8 bytes to a sigset_t.  NULL remains NULL. */
#define MASK(i) mask_at(&(sigset_t){ 0 }, PTR(i))

static const sigset_t *mask_at(sigset_t *to, const void *mask)
{
    if (mask == NULL)
        return NULL;
    *to = (sigset_t){ { *(const unsigned long *)mask } };
    return to;
}

static long failed(int error)
{
    errno = error;
    return -1;
}

/* Converts the result of a function that returns an error number. */
static long or_error(int error)
{
    return error == 0 ? 0 : failed(error);
}

/* Converts the result of a system call. */
static long or_negative(long result)
{
    return result >= 0 ? result : failed((int)-result);
}

static long membarrier(int command, const long a[6], uint64_t pc)
{
    if (command == MEMBARRIER_CMD_QUERY)
        return or_negative(hd_sys(SYS_membarrier, a[0], a[1], a[2]));
    hd_note(HD_EV_FENCE, NULL, HD_FENCE_EVERYBODY, pc);
    return 0;
}

/* ---- waiting ---------------------------------------------------------------------------------- */

/* pselect6: the last argument points to the mask and its size. */
static long wait_for_sets(const long a[6])
{
    void **last = PTR(5);

    return pselect(INT(0), PTR(1), PTR(2), PTR(3), PTR(4),
                   last != NULL ? mask_at(&(sigset_t){ 0 }, *last) : NULL);
}

static long wait_for_epoll(const long a[6])
{
    return PTR(4) == NULL ? epoll_wait(INT(0), PTR(1), INT(2), INT(3))
                          : epoll_pwait(INT(0), PTR(1), INT(2), INT(3), MASK(4));
}

static long wait_for_signal(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
    return limit != NULL ? sigtimedwait(set, info, limit) : sigwaitinfo(set, info);
}

static long send_to_queue(const long a[6])
{
    return PTR(4) != NULL ? mq_timedsend(INT(0), PTR(1), SIZE(2), INT(3), PTR(4))
                          : mq_send(INT(0), PTR(1), SIZE(2), INT(3));
}

static long receive_from_queue(const long a[6])
{
    return PTR(4) != NULL ? mq_timedreceive(INT(0), PTR(1), SIZE(2), PTR(3), PTR(4))
                          : mq_receive(INT(0), PTR(1), SIZE(2), PTR(3));
}

/* ---- signals ---------------------------------------------------------------------------------- */

static long set_action(int number, const struct hd_kernel_sigaction *want, struct hd_kernel_sigaction *old)
{
    struct sigaction to = { 0 }, from = { 0 };

    if (want != NULL) {
        to.sa_handler = (void (*)(int))(void *)want->handler;
        to.sa_flags = (int)(want->flags & ~UINT64_C(0x04000000)); /* without SA_RESTORER, which libc sets */
        to.sa_mask.__val[0] = want->mask;
    }
    if (sigaction(number, want != NULL ? &to : NULL, old != NULL ? &from : NULL) != 0)
        return -1;
    if (old != NULL)
        *old = (struct hd_kernel_sigaction){
            .handler = (void (*)(int, siginfo_t *, void *))(void *)from.sa_handler,
            .flags = (unsigned long)from.sa_flags,
            .mask = from.sa_mask.__val[0],
        };
    return 0;
}

static long set_mask(int how, const void *want, uint64_t *old)
{
    sigset_t to, from;
    int rc = sigprocmask(how, mask_at(&to, want), old != NULL ? &from : NULL);

    if (rc == 0 && old != NULL)
        *old = from.__val[0];
    return rc;
}

static long pending_set(uint64_t *to)
{
    sigset_t set;

    if (sigpending(&set) != 0)
        return -1;
    hd_snapshot_touch(to, sizeof *to);
    *to = set.__val[0];
    return 0;
}

static union sigval value_of(const siginfo_t *info)
{
    return info != NULL ? info->si_value : (union sigval){ 0 };
}

/* ---- memory and queues ------------------------------------------------------------------------ */

static long random_bytes(void *to, size_t n)
{
    hd_random_fill(to, n);
    return (long)n;
}

/* Adds a slash: names of message queues begin with one in libc, but not in the kernel. */
static const char *with_slash(const char *name)
{
    static char full[NAME_MAX + 2];

    hd_format(full, sizeof full, "/%s", name);
    return full;
}

/* The system call returns the break; libc's brk returns only an error. */
static long raw_break(void *end)
{
    if (end != NULL)
        (void)!brk(end);
    return (long)sbrk(0);
}

/* ---- the table --------------------------------------------------------------------------------- */

static long model(long nr, const long a[6], uint64_t pc, bool *known)
{
    *known = true;
    switch (nr) {
#define HD_SYSCALL_BY(nr, name, inside, call) \
    case nr:                                  \
        return call;
#include "runtime/hooks/syscalls.def"
    default:
        *known = false;
        return 0;
    }
}

long hd_raw(long nr, const long a[6], uint64_t pc, bool *known)
{
    *known = false;
    hd_tx_calls_kernel(pc);
    return hd_syscall_judge(nr, a) == HD_SYSCALL_OUTSIDE ? 0 : model(nr, a, pc, known);
}
