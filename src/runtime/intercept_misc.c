/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_misc.c - processor, priority, thread ids and names, waiting for signals
 * and other calls that name kernel threads, of which the fibers have only one. */
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/channel.h"
#include "runtime/intercept.h"
#include "runtime/intercept_misc.h"
#include "runtime/intercept_time.h"
#include "runtime/io_wait.h"
#include "runtime/mem.h"
#include "runtime/real.h"
#include "runtime/syscalls.h"

/* Main's is the process's, as in real life. */
pid_t hd_virtual_tid(void)
{
    return (pid_t)(HD_VIRTUAL_PID + hd.cur->slot);
}

HD_EXPORT pid_t getpid(void)
{
    return hd.cur == NULL ? (pid_t)hd_sys(SYS_getpid, 0, 0, 0) : HD_VIRTUAL_PID;
}

HD_EXPORT pid_t getppid(void)
{
    return hd.cur == NULL ? hd_pid_parent_of_child() : HD_VIRTUAL_PARENT;
}

HD_EXPORT pid_t gettid(void)
{
    if (hd.cur == NULL)
        return (pid_t)hd_sys(SYS_gettid, 0, 0, 0);
    return hd_virtual_tid();
}

/* ---- processors and priorities --------------------------------------------------- */

HD_EXPORT int sched_getcpu(void)
{
    if (hd.cur == NULL)
        return HD_REAL(sched_getcpu)();
    return 0;
}

HD_EXPORT int getcpu(unsigned *cpu, unsigned *node)
{
    if (hd.cur == NULL)
        return HD_REAL(getcpu)(cpu, node);
    if (cpu != NULL)
        *cpu = 0;
    if (node != NULL)
        *node = 0;
    return 0;
}

HD_EXPORT int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
    if (hd.cur == NULL)
        return HD_REAL(sched_setaffinity)(pid, size, set);
    return 0;
}

HD_EXPORT int pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *set)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_setaffinity_np)(t, size, set);
    return 0;
}

/* Priorities restrict no interleaving: a thread of low priority can run whenever
 * the others happen to block, on another processor at any time. */
HD_EXPORT int pthread_setschedparam(pthread_t t, int policy, const struct sched_param *p)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_setschedparam)(t, policy, p);
    return 0;
}

HD_EXPORT int pthread_setschedprio(pthread_t t, int priority)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_setschedprio)(t, priority);
    return 0;
}

HD_EXPORT int sched_setscheduler(pid_t pid, int policy, const struct sched_param *p)
{
    if (hd.cur == NULL)
        return HD_REAL(sched_setscheduler)(pid, policy, p);
    return 0;
}

HD_EXPORT int sched_setparam(pid_t pid, const struct sched_param *p)
{
    if (hd.cur == NULL)
        return HD_REAL(sched_setparam)(pid, p);
    return 0;
}

HD_EXPORT int setpriority(__priority_which_t which, id_t who, int priority)
{
    if (hd.cur == NULL)
        return HD_REAL(setpriority)(which, who, priority);
    return 0;
}

/* ---- prctl ------------------------------------------------------------------------ */

/* The kernel would name the one thread that runs them all.  As there, a long name is
 * cut. */
int hd_set_name(const char *name)
{
    char *own = hd.exec->threads[hd.cur->tid].name;
    size_t n = 0;

    while (n + 1 < sizeof hd.exec->threads[0].name && name[n] != '\0')
        n++;
    hd_mem_copy(own, name, n);
    own[n] = '\0';
    return 0;
}

static int get_name(char *name)
{
    const char *own = hd.exec->threads[hd.cur->tid].name;

    hd_snapshot_touch(name, sizeof hd.exec->threads[0].name);
    if (own[0] == '\0') /* the program's */
        hd_sys(SYS_prctl, PR_GET_NAME, name, 0);
    else
        hd_mem_copy(name, own, sizeof hd.exec->threads[0].name);
    return 0;
}

/* A worker dies with its zygote, whatever the target wants: nobody else would end it. */
static struct {
    uint32_t epoch;
    int signal;
} death;

static int death_signal(int option, unsigned long arg)
{
    if (death.epoch != hd.epoch)
        death.signal = 0;
    death.epoch = hd.epoch;
    if (option == PR_SET_PDEATHSIG && arg > 64) {
        errno = EINVAL;
        return -1;
    }
    if (option == PR_SET_PDEATHSIG)
        death.signal = (int)arg;
    else
        *(int *)arg = death.signal;
    return 0;
}

HD_EXPORT int prctl(int option, ...)
{
    unsigned long a[4];
    va_list ap;

    va_start(ap, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(ap, unsigned long);
    va_end(ap);
    if (hd.cur != NULL && option == PR_SET_NAME)
        return hd_set_name((const char *)a[0]);
    if (hd.cur != NULL && option == PR_GET_NAME)
        return get_name((char *)a[0]);
    if (hd.cur != NULL && (option == PR_SET_PDEATHSIG || option == PR_GET_PDEATHSIG))
        return death_signal(option, a[0]);
    if (hd.cur != NULL && (option == PR_GET_PDEATHSIG || option == PR_GET_CHILD_SUBREAPER ||
                           option == PR_GET_TSC || option == PR_GET_TID_ADDRESS))
        hd_snapshot_touch((void *)a[0], sizeof(void *));
    if (hd.cur != NULL)
        hd_syscall_account(SYS_prctl, (const long[]){ option, (long)a[0], (long)a[1], (long)a[2], (long)a[3], 0 },
                           HD_PC);
    return HD_REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}

/* ---- hidden threads ------------------------------------------------------------------ */

static void hidden_thread(const char *call)
{
    hd_uncontrolled(call);
    hd_needs_fork("libc starts a thread of its own for it");
    hd.cut = 1; /* who waits for what it does is not deadlocked */
    hd.exec->loop_cuts++;
}

HD_EXPORT int mq_notify(mqd_t queue, const struct sigevent *how)
{
    if (hd.cur != NULL && how != NULL && how->sigev_notify == SIGEV_THREAD)
        hidden_thread("mq_notify: its thread is not controlled");
    return HD_REAL(mq_notify)(queue, how);
}

HD_EXPORT int aio_read(struct aiocb *cb)
{
    if (hd.cur != NULL)
        hidden_thread("asynchronous I/O (aio_*): its threads are not controlled");
    return HD_REAL(aio_read)(cb);
}

HD_EXPORT int aio_write(struct aiocb *cb)
{
    if (hd.cur != NULL)
        hidden_thread("asynchronous I/O (aio_*): its threads are not controlled");
    return HD_REAL(aio_write)(cb);
}

HD_EXPORT int lio_listio(int mode, struct aiocb *const list[restrict], int n,
                         struct sigevent *restrict how)
{
    if (hd.cur != NULL)
        hidden_thread("asynchronous I/O (aio_*): its threads are not controlled");
    return HD_REAL(lio_listio)(mode, list, n, how);
}

HD_EXPORT int getaddrinfo_a(int mode, struct gaicb *list[restrict], int n,
                            struct sigevent *restrict how)
{
    if (hd.cur != NULL)
        hidden_thread("getaddrinfo_a: its threads are not controlled");
    return HD_REAL(getaddrinfo_a)(mode, list, n, how);
}

/* ---- waiting for a signal --------------------------------------------------------------- */

/* All fibers share one kernel thread: if it waited, nobody could send the signal.
 * So these calls look, let the others go, and look again; sigwait and its like do so only where
 * signals may come from outside (io_wait.h). */
static void signals_uncontrolled(void)
{
    hd_fact(HD_FACT_SIGNAL);
    hd_uncontrolled("waiting for signals (pause, sigsuspend, or from outside): a poll, woken at any time");
}

HD_POLL_ENTRY(pause);
int hd_impl_pause(void)
{
    if (hd.cur == NULL)
        return HD_REAL(pause)();
    hd_cancel_point();
    signals_uncontrolled();
    hd_yield(HD_PC);
    hd_cancel_point();
    errno = EINTR;
    return -1;
}

HD_POLL_ENTRY(sigsuspend);
int hd_impl_sigsuspend(const sigset_t *mask)
{
    if (hd.cur == NULL)
        return HD_REAL(sigsuspend)(mask);
    sigset_t old;

    hd_cancel_point();
    signals_uncontrolled();
    hd_yield(HD_PC);
    hd_cancel_point();
    pthread_sigmask(SIG_SETMASK, mask, &old); /* what is pending arrives here */
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = EINTR;
    return -1;
}

/* One that was sent to this thread alone; 0: none. */
static int take_own(const sigset_t *set, siginfo_t *info)
{
    uint64_t own = hd.cur->sigpending & *(const uint64_t *)(const void *)set;

    if (own == 0)
        return 0;
    int sig = __builtin_ctzll(own) + 1;

    hd.cur->sigpending &= ~(own & -own);
    if (info != NULL)
        *info = (siginfo_t){ .si_signo = sig, .si_code = SI_TKILL, .si_pid = HD_VIRTUAL_PID };
    return sig;
}

/* One look; the signal, or 0 when none is pending. */
static int take_signal(const sigset_t *set, siginfo_t *info)
{
    static const struct timespec at_once;
    long sig;

    if (info != NULL)
        hd_snapshot_touch(info, sizeof *info);
    if ((sig = take_own(set, info)) != 0)
        return (int)sig;
    hd_signal_use_mask();
    sig = hd_sys6(SYS_rt_sigtimedwait, (long)set, (long)info, (long)&at_once, 8, 0, 0);
    return sig > 0 ? (int)sig : 0;
}

struct awaited {
    const struct hd_thread *by;
    const sigset_t *set;
};

static bool is_pending(const void *what)
{
    const struct awaited *w = what;
    uint64_t pending = 0;

    hd_sys(SYS_rt_sigpending, &pending, sizeof pending, 0);
    return ((pending | w->by->sigpending) & *(const uint64_t *)(const void *)w->set) != 0;
}

static bool comes_from_within(const void *unused)
{
    (void)unused;
    return hd_io_signals_are_inner();
}

static int taken_signal(int sig)
{
    hd_channel_signal(false);
    hd_channel_told((uint64_t)sig, 0);
    return sig;
}

static int wait_signal(const sigset_t *set, siginfo_t *info, uint64_t pc)
{
    struct awaited awaited = { hd.cur, set };
    struct hd_io_wait wait = { is_pending, comes_from_within, &awaited, HD_STATE_SIGNALS };
    int sig;

    hd_fact(HD_FACT_SIGNAL);
    hd_io_await(&wait, pc);
    while ((sig = take_signal(set, info)) == 0) {
        hd_done(0, HD_EVF_FAILED);
        signals_uncontrolled();
        hd_yield(pc);
        hd_io_outside();
        hd_cancel_point();
        hd_io_attempt(pc);
    }
    return taken_signal(sig);
}

/* The signal, or 0 when the time is over; a limit of 0 asks only. */
static int wait_signal_until(const sigset_t *set, siginfo_t *info, uint64_t limit_ns, uint64_t pc)
{
    struct awaited awaited = { hd.cur, set };
    struct hd_io_wait wait = { is_pending, comes_from_within, &awaited, HD_STATE_SIGNALS };

    hd_fact(HD_FACT_SIGNAL);
    if (limit_ns == 0 || !hd_io_signals_are_inner()) {
        if (limit_ns != 0) {
            signals_uncontrolled();
            hd_sleep_until(hd.now_ns + limit_ns, pc);
        }
        hd_io_attempt(pc);
    } else if (!hd_io_await_until(&wait, limit_ns, pc)) {
        return 0;
    }
    int sig = take_signal(set, info);

    if (sig != 0)
        return taken_signal(sig);
    hd_done(0, HD_EVF_FAILED);
    return 0;
}

HD_POLL_ENTRY(sigwait);
int hd_impl_sigwait(const sigset_t *set, int *sig)
{
    if (hd.cur == NULL)
        return HD_REAL(sigwait)(set, sig);
    *sig = wait_signal(set, NULL, HD_PC);
    return 0;
}

HD_POLL_ENTRY(sigwaitinfo);
int hd_impl_sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
    if (hd.cur == NULL)
        return HD_REAL(sigwaitinfo)(set, info);
    return wait_signal(set, info, HD_PC);
}

HD_POLL_ENTRY(sigtimedwait);
int hd_impl_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
    if (hd.cur == NULL)
        return HD_REAL(sigtimedwait)(set, info, limit);
    if (limit == NULL)
        return wait_signal(set, info, HD_PC);
    if (!hd_time_valid(limit) || limit->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    int sig = wait_signal_until(set, info, hd_time_ns(limit), HD_PC);

    if (sig != 0)
        return sig;
    errno = EAGAIN;
    return -1;
}
