/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pids.c - translates process ids between the target's view and the kernel's. */
#include "runtime/kernel/pids.h"

#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"

static pid_t child_of; /* in a child of the target: the kernel's pid of its parent */
static pid_t conductor; /* becomes the parent of a process whose parent has ended */

static bool is_own(pid_t pid)
{
    return pid == HD_VIRTUAL_PID ||
           (pid > HD_VIRTUAL_PID && pid < HD_VIRTUAL_PID + HD_MAX_THREADS &&
            (unsigned)(pid - HD_VIRTUAL_PID) < hd.nslots);
}

static bool is_virtual(pid_t pid)
{
    return pid >= HD_VIRTUAL_PARENT && pid < HD_VIRTUAL_PID + HD_MAX_THREADS;
}

pid_t hd_pid_real(pid_t pid)
{
    if (is_own(pid))
        return (pid_t)hd_sys(SYS_getpid, 0, 0, 0);
    return is_virtual(pid) ? -1 : pid;
}

bool hd_pid_allowed(pid_t *pid, int error, const char *why)
{
    pid_t real = hd_pid_real(*pid);

    if (real >= 0) {
        *pid = real;
        return true;
    }
    if (*pid == HD_VIRTUAL_PARENT)
        hd_uncontrolled(why);
    errno = *pid == HD_VIRTUAL_PARENT ? error : ESRCH;
    return false;
}

/* The only process with that id is Heddle: sending signal 0 (a test) succeeds, other signals fail. */
static int refuse(int number, const char *why)
{
    if (number == 0)
        return 0;
    hd_uncontrolled(why);
    errno = EPERM;
    return -1;
}

bool hd_pid_signal(pid_t *pid, int number, int *result)
{
    pid_t to = *pid, self = (pid_t)hd_sys(SYS_getpid, 0, 0, 0);

    if (to == 0 || to == -HD_VIRTUAL_PID || to == -HD_VIRTUAL_PARENT) { /* the target's own group */
        *pid = self;
        return true;
    }
    if (to == -1)
        *result = refuse(number, "kill(-1, ...), a signal to all processes: not sent");
    else if (to == HD_VIRTUAL_PARENT)
        *result = refuse(number, "a signal to the parent process, which is Heddle: not sent");
    else if (to == INT_MIN || is_virtual(to < 0 ? -to : to)) {
        *pid = hd_pid_real(to);
        if (to > 0 && *pid > 0)
            return true;
        errno = ESRCH;
        *result = -1;
    } else
        return true;
    return false;
}

void hd_pid_conductor_is(pid_t pid)
{
    conductor = pid;
}

void hd_pid_forked(pid_t parent)
{
    child_of = parent;
}

pid_t hd_pid_in_child(pid_t pid)
{
    return child_of != 0 && pid == HD_VIRTUAL_PID ? child_of : pid;
}

pid_t hd_pid_parent_of_child(void)
{
    pid_t parent = (pid_t)hd_sys(SYS_getppid, 0, 0, 0);

    if (child_of == 0)
        return parent;
    return parent == child_of ? HD_VIRTUAL_PID : parent == conductor ? HD_VIRTUAL_PARENT : parent;
}

const char *hd_pid_path(const char *path)
{
    static char full[PATH_MAX];
    static const char proc[] = "/proc/", self[] = "/proc/self";
    const char *at = path;
    long number = 0;
    size_t n = 0;

    if (hd.cur == NULL || path == NULL)
        return path;
    for (; *at == proc[at - path] && *at != '\0'; at++)
        ;
    if (proc[at - path] != '\0')
        return path;
    for (; *at >= '0' && *at <= '9' && number < INT_MAX / 10; at++)
        number = number * 10 + (*at - '0');
    if ((*at != '/' && *at != '\0') || !is_own((pid_t)number))
        return path;
    for (; self[n] != '\0'; n++)
        full[n] = self[n];
    for (; *at != '\0' && n + 1 < sizeof full; n++)
        full[n] = *at++;
    full[n] = '\0';
    return full;
}
