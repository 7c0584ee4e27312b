/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raw_process.c - system calls about time, signals, memory, processes and what they have
 * in common, by the interposers of libc's functions (see intercept_raw.c). */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/membarrier.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/calls/fork.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/random.h"
#include "runtime/calls/raw.h"
#include "runtime/calls/time.h"
#include "runtime/hooks/syscalls.h"
#include "runtime/kernel/pids.h"
#include "runtime/report/crash.h"

static long failed(int error)
{
    errno = error;
    return -1;
}

static long or_error(int error)
{
    return error == 0 ? 0 : failed(error);
}

/* ---- time and processors ------------------------------------------------------------------- */

static long membarrier(const long a[6], uint64_t pc)
{
    if (a[0] == MEMBARRIER_CMD_QUERY) {
        long r = hd_sys(SYS_membarrier, a[0], a[1], a[2]);

        return r >= 0 ? r : failed((int)-r);
    }
    hd_note(HD_EV_FENCE, NULL, HD_FENCE_EVERYBODY, pc);
    return 0;
}

long hd_raw_time(long nr, const long a[6], uint64_t pc, bool *known)
{
    switch (nr) {
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)a[0], PTR(1));
    case SYS_clock_getres:
        return clock_getres((clockid_t)a[0], PTR(1));
    case SYS_gettimeofday:
        return gettimeofday(PTR(0), PTR(1));
    case SYS_time:
        return time(PTR(0));
    case SYS_times:
        return times(PTR(0));
    case SYS_nanosleep:
        return or_error(hd_sleep_for(PTR(0), pc));
    case SYS_clock_nanosleep:
        return or_error(clock_nanosleep((clockid_t)a[0], INT(1), PTR(2), PTR(3)));
    case SYS_alarm:
        return alarm((unsigned)a[0]);
    case SYS_getitimer:
        return getitimer((__itimer_which_t)a[0], PTR(1));
    case SYS_setitimer:
        return setitimer((__itimer_which_t)a[0], PTR(1), PTR(2));
    case SYS_sched_yield:
        hd_yield(pc);
        return 0;
    case SYS_getcpu:
        return getcpu(PTR(0), PTR(1));
    case SYS_sched_getaffinity: /* the kernel tells how many bytes it has written */
        return sched_getaffinity((pid_t)a[0], SIZE(1), PTR(2)) == 0 ? (long)sizeof(long) : -1;
    case SYS_sched_getparam:
        return sched_getparam((pid_t)a[0], PTR(1));
    case SYS_sched_rr_get_interval:
        return sched_rr_get_interval((pid_t)a[0], PTR(1));
    case SYS_membarrier:
        return membarrier(a, pc);
    default:
        *known = false;
        return 0;
    }
}

/* ---- signals ------------------------------------------------------------------------------- */

static long set_action(int number, const struct hd_kernel_sigaction *want, struct hd_kernel_sigaction *old)
{
    struct sigaction to = { 0 }, from = { 0 };

    if (want != NULL) {
        to.sa_handler = (void (*)(int))(void *)want->handler;
        to.sa_flags = (int)(want->flags & ~UINT64_C(0x04000000)); /* the restorer is libc's business */
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

static long pending_set(uint64_t *to)
{
    sigset_t set;

    if (sigpending(&set) != 0)
        return -1;
    hd_snapshot_touch(to, sizeof *to);
    *to = set.__val[0];
    return 0;
}

long hd_raw_signals(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    sigset_t mask, old;
    int rc;

    switch (nr) {
    case SYS_rt_sigaction:
        return set_action(INT(0), PTR(1), PTR(2));
    case SYS_rt_sigprocmask:
        rc = sigprocmask(INT(0), hd_raw_mask(&mask, PTR(1)), a[2] != 0 ? &old : NULL);
        if (rc == 0 && a[2] != 0)
            *(uint64_t *)a[2] = old.__val[0];
        return rc;
    case SYS_rt_sigpending:
        return pending_set(PTR(0));
    case SYS_rt_sigtimedwait:
        return a[2] != 0 ? sigtimedwait(hd_raw_mask(&mask, PTR(0)), PTR(1), PTR(2))
                         : sigwaitinfo(hd_raw_mask(&mask, PTR(0)), PTR(1));
    case SYS_rt_sigsuspend:
        return sigsuspend(hd_raw_mask(&mask, PTR(0)));
    case SYS_pause:
        return pause();
    case SYS_sigaltstack:
        return sigaltstack(PTR(0), PTR(1));
    case SYS_kill:
        return kill((pid_t)a[0], INT(1));
    default:
        *known = false;
        return 0;
    }
}

/* ---- processes ----------------------------------------------------------------------------- */

long hd_raw_processes(long nr, const long a[6], uint64_t pc, bool *known)
{
    long r;

    switch (nr) {
    case SYS_getpid:
        return HD_VIRTUAL_PID;
    case SYS_getppid:
        return HD_VIRTUAL_PARENT;
    case SYS_gettid:
        return hd_virtual_tid();
    case SYS_getrandom:
        hd_random_fill(PTR(0), SIZE(1));
        return a[1];
    case SYS_fork:
    case SYS_vfork:
        return fork();
    case SYS_clone:
        r = hd_raw_clone(a, pc);
        return r >= 0 ? r : failed((int)-r);
    case SYS_clone3:
        return failed(ENOSYS); /* libraries that know it fall back to clone */
    case SYS_execve:
        return execve(PTR(0), PTR(1), PTR(2));
    case SYS_execveat:
        return (a[4] & AT_EMPTY_PATH) != 0 ? fexecve(INT(0), PTR(2), PTR(3)) : failed(ENOSYS);
    case SYS_exit: /* the raw call would end the only kernel thread */
        pthread_exit(NULL);
    case SYS_exit_group:
        _exit(INT(0));
    case SYS_prctl:
        return prctl(INT(0), a[1], a[2], a[3], a[4]);
    case SYS_uname:
        return uname(PTR(0));
    case SYS_sysinfo:
        return sysinfo(PTR(0));
    case SYS_getrusage:
        return getrusage((__rusage_who_t)a[0], PTR(1));
    case SYS_getrlimit:
        return getrlimit((__rlimit_resource_t)a[0], PTR(1));
    case SYS_setrlimit:
        return setrlimit((__rlimit_resource_t)a[0], PTR(1));
    case SYS_prlimit64:
        return prlimit((pid_t)a[0], (__rlimit_resource_t)a[1], PTR(2), PTR(3));
    default:
        *known = false;
        return 0;
    }
}

long hd_raw_ids(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_setuid:
        return setuid((uid_t)a[0]);
    case SYS_setgid:
        return setgid((gid_t)a[0]);
    case SYS_setreuid:
        return setreuid((uid_t)a[0], (uid_t)a[1]);
    case SYS_setregid:
        return setregid((gid_t)a[0], (gid_t)a[1]);
    case SYS_setresuid:
        return setresuid((uid_t)a[0], (uid_t)a[1], (uid_t)a[2]);
    case SYS_setresgid:
        return setresgid((gid_t)a[0], (gid_t)a[1], (gid_t)a[2]);
    case SYS_getresuid:
        return getresuid(PTR(0), PTR(1), PTR(2));
    case SYS_getresgid:
        return getresgid(PTR(0), PTR(1), PTR(2));
    case SYS_getgroups:
        return getgroups(INT(0), PTR(1));
    case SYS_setgroups:
        return setgroups(SIZE(0), PTR(1));
    default:
        *known = false;
        return 0;
    }
}

/* ---- memory and queues --------------------------------------------------------------------- */

/* The wrapper of brk tells only whether it has gone well; the system call tells where the
 * break is then. */
/* The kernel's names of message queues have none. */
static const char *with_slash(const char *name)
{
    static char full[NAME_MAX + 2];

    hd_format(full, sizeof full, "/%s", name);
    return full;
}

static long raw_break(void *end)
{
    if (end != NULL)
        (void)!brk(end);
    return (long)sbrk(0);
}

long hd_raw_memory(long nr, const long a[6], uint64_t pc, bool *known)
{
    (void)pc;
    switch (nr) {
    case SYS_mmap:
        return (long)mmap(PTR(0), SIZE(1), INT(2), INT(3), INT(4), a[5]);
    case SYS_munmap:
        return munmap(PTR(0), SIZE(1));
    case SYS_mremap:
        return (long)mremap(PTR(0), SIZE(1), SIZE(2), INT(3), PTR(4));
    case SYS_mprotect:
        return mprotect(PTR(0), SIZE(1), INT(2));
    case SYS_brk:
        return raw_break(PTR(0));
    case SYS_shmat:
        return (long)shmat(INT(0), PTR(1), INT(2));
    case SYS_shmdt:
        return shmdt(PTR(0));
    case SYS_semop:
        return semop(INT(0), PTR(1), SIZE(2));
    case SYS_semtimedop:
        return semtimedop(INT(0), PTR(1), SIZE(2), PTR(3));
    case SYS_semctl:
        return semctl(INT(0), INT(1), INT(2), a[3]);
    case SYS_msgsnd:
        return msgsnd(INT(0), PTR(1), SIZE(2), INT(3));
    case SYS_msgrcv:
        return msgrcv(INT(0), PTR(1), SIZE(2), a[3], INT(4));
    case SYS_shmget:
        return shmget((key_t)a[0], SIZE(1), INT(2));
    case SYS_semget:
        return semget((key_t)a[0], INT(1), INT(2));
    case SYS_msgget:
        return msgget((key_t)a[0], INT(1));
    case SYS_mq_open:
        return mq_open(with_slash(PTR(0)), INT(1), (mode_t)a[2], (struct mq_attr *)PTR(3));
    case SYS_mq_unlink:
        return mq_unlink(with_slash(PTR(0)));
    case SYS_msgctl:
        return msgctl(INT(0), INT(1), PTR(2));
    case SYS_mq_timedsend:
        return a[4] != 0 ? mq_timedsend(INT(0), PTR(1), SIZE(2), (unsigned)a[3], PTR(4))
                         : mq_send(INT(0), PTR(1), SIZE(2), (unsigned)a[3]);
    case SYS_mq_timedreceive:
        return a[4] != 0 ? mq_timedreceive(INT(0), PTR(1), SIZE(2), PTR(3), PTR(4))
                         : mq_receive(INT(0), PTR(1), SIZE(2), PTR(3));
    default:
        *known = false;
        return 0;
    }
}
