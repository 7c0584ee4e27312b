/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pids.c - calls that take or return the id of a process (pids.h). */
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/io.h"
#include "runtime/calls/misc.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/sys/compiler.h"

/* ---- groups and sessions (pids.h, I3) ---------------------------------------------------- */

static struct {
    uint32_t epoch;
    pid_t group, session;
} own;

static void begin(void)
{
    if (own.epoch == hd.epoch)
        return;
    own.epoch = hd.epoch;
    own.group = own.session = HD_VIRTUAL_PARENT;
}

static bool is_here(pid_t pid)
{
    return pid == 0 || hd_pid_real(pid) == (pid_t)hd_sys(SYS_getpid, 0, 0, 0);
}

static pid_t model_getpgid(pid_t pid)
{
    begin();
    if (is_here(pid))
        return own.group;
    if (pid == HD_VIRTUAL_PARENT)
        return HD_VIRTUAL_PARENT;
    pid_t group = HD_REAL(getpgid)(pid);

    return group == (pid_t)hd_sys(SYS_getpgid, 0, 0, 0) ? own.group : group;
}

static pid_t model_getsid(pid_t pid)
{
    begin();
    if (is_here(pid))
        return own.session;
    return pid == HD_VIRTUAL_PARENT ? HD_VIRTUAL_PARENT : HD_REAL(getsid)(pid);
}

static int failed(int error)
{
    errno = error;
    return -1;
}

static int model_setpgid(pid_t pid, pid_t group, uint64_t pc)
{
    begin();
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, pc);
    if (group < 0)
        return failed(EINVAL);
    if (!is_here(pid)) {
        if (pid == HD_VIRTUAL_PARENT || hd_pid_real(pid) < 0)
            return failed(ESRCH); /* pid is not one of its children */
        return HD_REAL(setpgid)(pid, group == own.group ? (pid_t)hd_sys(SYS_getpgid, 0, 0, 0) : group);
    }
    if (own.session == HD_VIRTUAL_PID) /* a session leader */
        return failed(EPERM);
    if (group != 0 && !is_here(group) && group != HD_VIRTUAL_PARENT)
        return failed(EPERM); /* the model does not know the groups of its children */
    own.group = group == HD_VIRTUAL_PARENT ? HD_VIRTUAL_PARENT : HD_VIRTUAL_PID;
    return 0;
}

static pid_t model_setsid(uint64_t pc)
{
    begin();
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, pc);
    if (own.group == HD_VIRTUAL_PID)
        return failed(EPERM);
    own.group = own.session = HD_VIRTUAL_PID;
    return HD_VIRTUAL_PID;
}

/* ---- signals ------------------------------------------------------------------------------ */

static int model_killpg(pid_t group, int number, uint64_t pc)
{
    if (group < 0)
        return failed(EINVAL);
    hd_act_for(pc);
    int rc = kill(-group, number); /* group 0 is its own group */

    hd_act_for(0);
    return rc;
}

/* Returns the live thread of the target with this id, or NULL if there is none. */
static const struct hd_thread *thread_of(pid_t tid)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].state == HD_TH_LIVE && (pid_t)(HD_VIRTUAL_PID + hd.thread[i].slot) == tid)
            return &hd.thread[i];
    return NULL;
}

static int model_tgkill(pid_t process, pid_t tid, int number, uint64_t pc)
{
    const struct hd_thread *t = is_here(process) && process > 0 ? thread_of(tid) : NULL;

    if (t == NULL && is_here(process))
        hd_fact(HD_FACT_SIGNAL); /* in another order the thread may still be live */
    if (t == NULL)
        return hd_pid_allowed(&process, EPERM, "a signal to the parent process, which is Heddle: not sent") &&
                       !is_here(process)
                   ? HD_REAL(tgkill)(process, tid, number)
                   : failed(process == HD_VIRTUAL_PARENT ? EPERM : ESRCH);
    hd_act_for(pc);
    int rc = pthread_kill((pthread_t)t->fsbase, number);

    hd_act_for(0);
    return rc == 0 ? 0 : failed(rc);
}

static int model_pidfd_open(pid_t pid, unsigned flags)
{
    hd_io_descriptor();
    return hd_pid_allowed(&pid, ESRCH, "pidfd_open of the parent process, which is Heddle: refused")
               ? HD_REAL(pidfd_open)(pid, flags)
               : -1;
}

/* ---- other processes' memory ---------------------------------------------------------------- */

/* PTRACE_TRACEME would make the parent process the tracer, and the parent is Heddle. */
HD_EXPORT long ptrace(enum __ptrace_request request, ...)
{
    va_list ap;

    va_start(ap, request);
    pid_t pid = va_arg(ap, pid_t);
    void *addr = va_arg(ap, void *), *data = va_arg(ap, void *);
    va_end(ap);
    if (hd.cur == NULL)
        return HD_REAL(ptrace)(request, hd_pid_in_child(pid), addr, data);
    if (request == PTRACE_TRACEME || hd_pid_real(pid) != pid) {
        hd_uncontrolled("ptrace of the program itself or of its parent: refused");
        return failed(EPERM);
    }
    return HD_REAL(ptrace)(request, pid, addr, data);
}

/* Notes the accesses to memory of the caller when bytes are copied between `own` and v. v is NULL if it describes
 * memory of another process. */
static void note_copied(const struct iovec *own, int n, const struct iovec *v, int m, bool is_read, ssize_t bytes,
                        uint64_t pc)
{
    hd_io_vector_accessed(own, n, bytes, is_read, pc);
    if (v != NULL)
        hd_io_vector_accessed(v, m, bytes, !is_read, pc);
}

#define MEMORY(name, is_read)                                                                                   \
    HD_EXPORT ssize_t name(pid_t pid, const struct iovec *own_v, unsigned long n, const struct iovec *v, \
                           unsigned long m, unsigned long flags)                                       \
    {                                                                                                  \
        if (hd.cur == NULL)                                                                            \
            return HD_REAL(name)(hd_pid_in_child(pid), own_v, n, v, m, flags);                         \
        hd_io_vector_writes(own_v, (int)n);                                                            \
        if (!hd_pid_allowed(&pid, EPERM, #name " of the parent process, which is Heddle: refused"))    \
            return -1;                                                                                 \
        if (is_here(pid))                                                                              \
            hd_io_vector_writes(v, (int)m);                                                            \
        return NOTED(HD_REAL(name)(pid, own_v, n, v, m, flags),                                        \
                     note_copied(own_v, (int)n, is_here(pid) ? v : NULL, (int)m, is_read, result, pc)); \
    }
MEMORY(process_vm_readv, true)
MEMORY(process_vm_writev, false)

/* ---- priorities ------------------------------------------------------------------------------ */

int hd_pid_getscheduler(pid_t pid)
{
    return hd_pid_allowed(&pid, ESRCH, "the scheduling of the parent process, which is Heddle") ?
               HD_REAL(sched_getscheduler)(pid) :
               -1;
}

int hd_pid_getpriority(int which, id_t who)
{
    pid_t pid = (pid_t)who;

    if (which == PRIO_USER)
        return HD_REAL(getpriority)(which, who);
    return hd_pid_real(pid) < 0 || is_here(pid) ? HD_REAL(getpriority)(PRIO_PROCESS, 0)
                                                : HD_REAL(getpriority)(which, who);
}

#define CALLS_PIDS
#include "runtime/calls/calls.def"
