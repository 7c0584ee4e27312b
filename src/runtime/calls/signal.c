/* SPDX-License-Identifier: BSD-2-Clause
 *
 * signal.c - actions and masks of signals, and sending them (the model is in signals.h).  It also
 * restores kernel state that an execution may change (hd_kernel_restore).
 *
 * The handlers of fatal signals remain those of the runtime, because the snapshot needs SIGSEGV.
 * If the target installs a handler for a fatal signal, the runtime remembers it and returns it to
 * the target, but never runs it: a crash is a finding. */
#include "runtime/calls/signal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/calls/signal.h"
#include "base/sys.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/core/early_threads.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/imports.h"
#include "runtime/core/ledger.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/outside_signals.h"
#include "runtime/kernel/pids.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signals.h"
#include "runtime/kernel/timers.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/compiler.h"
#include "runtime/sys/mem.h"
#include "runtime/watch/transaction.h"

static struct {
    uint32_t epoch;
    struct sigaction wanted;
} fatal_wanted[HD_SIGNALS];
static bool mask_known, mask_changed, cwd_changed, umask_changed;
static uint64_t mask_before;
static long cwd_before = -1;
static unsigned umask_before;
static uint32_t signalfd_epoch; /* the execution in which signalfd_set is valid */
static uint64_t signalfd_set;

/* ---- actions ------------------------------------------------------------------------ */

static int set_fatal(int signal, const struct sigaction *act, struct sigaction *old)
{
    struct sigaction none = { .sa_handler = SIG_DFL };

    if (old != NULL)
        *old = fatal_wanted[signal].epoch == hd.epoch ? fatal_wanted[signal].wanted : none;
    if (act != NULL) {
        fatal_wanted[signal].epoch = hd.epoch;
        fatal_wanted[signal].wanted = *act;
        if (act->sa_handler != SIG_DFL)
            hd_qualified("handlers for fatal signals are not run: a crash is a finding");
    }
    return 0;
}

static uint64_t without_fatal(uint64_t mask)
{
    for (int s = 1; s < HD_SIGNALS; s++)
        if (hd_signal_is_fatal(s))
            mask &= ~hd_signal_bit(s);
    return mask;
}

int hd_signal_set_action(int signal, const struct sigaction *act, struct sigaction *old, uint64_t pc)
{
    if (signal <= 0 || signal >= HD_SIGNALS)
        return HD_REAL(sigaction)(signal, act, old); /* the real call sets errno */
    hd_tx_calls_kernel(pc);
    hd_state_use(act != NULL ? HD_EV_STATE_WRITE : HD_EV_STATE_READ, HD_STATE_SIGNALS, pc);
    if (act != NULL && act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN)
        hd_untried(HD_UNTRIED_HANDLER);
    if (hd_signal_is_fatal(signal))
        return set_fatal(signal, act, old);
    struct sigaction before = hd_signal_action(signal);
    int rc = act != NULL ? hd_outside_signal_set(signal, act) : 0;

    if (rc != 0)
        return rc;
    if (act != NULL) {
        struct sigaction now = *act;

        hd_signal_acts(signal, &now);
        if (hd.signals)
            hd_signal_mask(hd.cur->signals.mask, pc); /* takes pending signals that have become deliverable */
        hd_timers_wake();
    }
    if (old != NULL)
        *old = before;
    return 0;
}

static int model_sigaltstack(const stack_t *want, stack_t *old)
{
    int error = hd_signal_stack(want, old);

    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* ---- masks --------------------------------------------------------------------------- */

/* Saves the kernel's mask.  It must be restored after the execution: the kernel restores it when a
 * handler of a signal from outside returns, but the execution may end before the handler returns. */
static void remember_mask(void)
{
    if (mask_known)
        return;
    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)&mask_before, 8, 0, 0);
    mask_known = hd_changes.kernel = true;
}

static uint64_t read_by_descriptor(void)
{
    return signalfd_epoch == hd.epoch ? signalfd_set : 0;
}

static void set_kernel_mask(uint64_t mask)
{
    uint64_t kernel = without_fatal(mask | read_by_descriptor());

    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&kernel, 0, 8, 0, 0);
}

/* Each thread has its own mask in the model.  The kernel thread that runs all of them keeps the
 * mask that was set last, until a signal may arrive. */
void hd_signal_use_mask(void)
{
    if (mask_changed)
        set_kernel_mask(hd.cur->signals.mask);
}

/* Makes the stack below the stack pointer writable if a pending signal from outside may arrive with
 * this mask.  The kernel writes the signal frame to the stack, and a write-protected page there
 * would kill the process. */
static void room_for_frame(uint64_t mask)
{
    enum { FRAME = 16384 };
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    uint64_t pending = 0;

    hd_sys(SYS_rt_sigpending, &pending, sizeof pending, 0);
    if ((pending & ~mask) != 0)
        hd_snapshot_touch((void *)(sp - FRAME), FRAME);
}

/* True if the program may send signals.  Only then are changes of masks operations.  (The program cannot call a
 * function that it does not import: see imports.h.) */
static bool sends;

void hd_signal_init(void)
{
    static const char *const names[] = {
        "raise", "gsignal", "kill", "killpg", "pthread_kill", "tgkill", "sigqueue", "pthread_sigqueue",
        "timer_create", "alarm", "ualarm", "setitimer", "syscall", "dlsym", "dlvsym", NULL,
    };

    sends = hd_imports_any(names);
}

int hd_signal_set_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc)
{
    struct hd_thread *t = hd.cur;
    uint64_t want = set != NULL ? hd_signal_word(set) : 0;

    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    hd_tx_calls_kernel(pc);
    uint64_t before = t->signals.mask;
    uint64_t mask = how == SIG_SETMASK ? want : how == SIG_BLOCK ? before | want : before & ~want;

    /* A deferred signal is taken before the call returns, even if the mask does not change. */
    if (set != NULL && (mask != before || sends)) {
        if (sends)
            hd_state_use(HD_EV_STATE_UPDATE, HD_STATE_SIGNALS, pc);
        room_for_frame(without_fatal(mask));
        remember_mask();
        mask_changed = true;
        set_kernel_mask(mask);
        hd_signal_mask(mask, pc);
        hd_timers_wake();
    }
    if (old != NULL)
        *(uint64_t *)(void *)old = before;
    return 0;
}

static int model_sigprocmask(int how, const sigset_t *set, sigset_t *old, uint64_t pc)
{
    int rc = hd_signal_set_mask(how, set, old, pc);

    if (rc == 0)
        return 0;
    errno = rc;
    return -1;
}

/* ---- sending ------------------------------------------------------------------------- */

/* Raises a fatal signal in the running thread, whichever thread it was sent to.  This is a finding. */
static int raise_fatal(int number)
{
    long pid = hd_sys(SYS_getpid, 0, 0, 0), tid = hd_sys(SYS_gettid, 0, 0, 0);

    hd_sys(SYS_tgkill, pid, tid, number);
    return 0;
}

/* True if the program may read this signal from a signalfd.  The kernel must have such a signal
 * pending and blocked. */
static bool is_for_descriptor(int number)
{
    return (read_by_descriptor() & hd_signal_bit(number)) != 0 &&
           (hd.cur->signals.mask & hd_signal_bit(number)) != 0;
}

static void leave_to_kernel(const siginfo_t *info)
{
    remember_mask();
    mask_changed = true;
    set_kernel_mask(hd.cur->signals.mask);
    hd_sys(SYS_rt_sigqueueinfo, hd_sys(SYS_getpid, 0, 0, 0), info->si_signo, info);
}

/* Sends a signal to a thread (NULL: the process).  Threads that wait for signals wait for this
 * operation (io_wait.h).  Returns 0 or EINVAL. */
static int send(struct hd_thread *to, const siginfo_t *info, uint64_t pc)
{
    int number = info->si_signo;

    if (number < 0 || number >= HD_SIGNALS)
        return EINVAL;
    hd_tx_calls_kernel(pc);
    if (number == 0)
        return 0;
    if (hd_signal_is_fatal(number) && (to == NULL || to->state == HD_TH_LIVE))
        return raise_fatal(number);
    if (to == hd.cur) {
        hd_state_use(HD_EV_STATE_READ, HD_STATE_SIGNALS, pc);
        if (hd_signal_take_own(info, pc))
            return 0;
    }
    hd_fact(HD_FACT_SIGNAL);
    hd_io_attempt(pc);
    hd_channel_signal(true);
    if (to != NULL && to->state != HD_TH_LIVE) { /* in another order the thread gets the signal before its end */
        hd_channel_flow(0, 0);
        return 0;
    }
    if (is_for_descriptor(number))
        leave_to_kernel(info);
    else
        hd_signal_send(to, info);
    hd_channel_flow(0, 0);
    hd_touch_unit(hd_shared_place(HD_STATE_SIGNALS), true, pc);
    hd_io_changed();
    hd_signal_sent(to, number, pc);
    return 0;
}

static siginfo_t info_of(int number, int code)
{
    return (siginfo_t){ .si_signo = number, .si_code = code, .si_pid = HD_VIRTUAL_PID,
                        .si_uid = (uid_t)hd_sys(SYS_getuid, 0, 0, 0) };
}

static int result(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

/* Sends a signal to a process, which may be this one. pid is the id that the program knows. */
static int send_to_process(pid_t pid, const siginfo_t *info, uint64_t pc)
{
    int rc = 0;

    hd_tx_calls_kernel(pc);
    if (!hd_pid_signal(&pid, info->si_signo, &rc))
        return rc;
    if (pid == (pid_t)hd_sys(SYS_getpid, 0, 0, 0))
        return result(send(NULL, info, pc));
    hd_fact(HD_FACT_SIGNAL);
    hd_io_attempt(pc);
    hd_channel_signal(true);
    hd_channel_flow(0, 0);
    long error = info->si_code == SI_USER ? hd_sys(SYS_kill, pid, info->si_signo, 0)
                                          : hd_sys(SYS_rt_sigqueueinfo, pid, info->si_signo, info);

    hd_io_changed();
    return result((int)-error);
}

static int model_kill(pid_t pid, int number, uint64_t pc)
{
    siginfo_t info = info_of(number, SI_USER);

    return send_to_process(pid, &info, pc);
}

static int model_sigqueue(pid_t pid, int number, const union sigval value, uint64_t pc)
{
    siginfo_t info = info_of(number, SI_QUEUE);

    info.si_value = value;
    return send_to_process(pid, &info, pc);
}

static int model_signalfd(int fd, const sigset_t *set, int flags)
{
    signalfd_set = read_by_descriptor() | hd_signal_word(set);
    signalfd_epoch = hd.epoch;
    hd_changes.io = 1;
    return HD_REAL(signalfd)(fd, set, flags);
}

static int send_to(struct hd_thread *t, int number, siginfo_t info, uint64_t pc)
{
    if (t == NULL)
        return ESRCH;
    if (number < 0 || number >= HD_SIGNALS)
        return EINVAL;
    return send(t, &info, pc);
}

static int model_pthread_sigqueue(pthread_t thread, int number, const union sigval value, uint64_t pc)
{
    siginfo_t info = info_of(number, SI_QUEUE);

    info.si_value = value;
    return send_to(hd_thread_find(thread), number, info, pc);
}

/* tid is a value of gettid. */
struct hd_thread *hd_signal_thread(pid_t tid)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].state == HD_TH_LIVE && (pid_t)(HD_VIRTUAL_PID + hd.thread[i].slot) == tid)
            return &hd.thread[i];
    return NULL;
}

static int model_sigpending(sigset_t *set, uint64_t pc)
{
    uint64_t kernel = 0;

    hd_snapshot_touch(set, sizeof *set);
    hd_fact(HD_FACT_SIGNAL);
    hd_io_attempt(pc);
    hd_signal_use_mask();
    hd_sys(SYS_rt_sigpending, &kernel, sizeof kernel, 0);
    uint64_t pending = (kernel | hd_signal_pending(hd.cur)) & hd.cur->signals.mask;

    hd_mem_zero(set, sizeof *set);
    hd_mem_copy(set, &pending, sizeof pending);
    hd_channel_signal(false);
    hd_channel_flow(pending, HD_EVF_FAILED); /* sigpending does not take the signals */
    return 0;
}

/* ---- directory and umask ----------------------------------------------------------------- */

static void remember_cwd(void)
{
    if (!cwd_changed)
        cwd_before = hd_sys6(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
    cwd_changed = hd_changes.kernel = true;
}

HD_EXPORT int chdir(const char *path)
{
    hd_range_of_text(path, HD_PC);
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, HD_PC);
    if (hd.cur != NULL)
        remember_cwd();
    return HD_REAL(chdir)(path);
}

HD_EXPORT int fchdir(int fd)
{
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, HD_PC);
    if (hd.cur != NULL)
        remember_cwd();
    return HD_REAL(fchdir)(fd);
}

HD_EXPORT mode_t umask(mode_t mask)
{
    hd_tx_calls_kernel(HD_RETURN_PC);
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, HD_PC);
    mode_t old = (mode_t)hd_sys(SYS_umask, mask, 0, 0);

    if (hd.cur != NULL && !umask_changed) {
        umask_before = old;
        umask_changed = hd_changes.kernel = true;
    }
    return old;
}

void hd_kernel_restore(void)
{
    hd_limits_restore();
    hd_outside_signals_restore();
    if (mask_known)
        hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask_before, 0, 8, 0, 0);
    if (cwd_changed) {
        hd_sys(SYS_fchdir, cwd_before, 0, 0);
        hd_sys(SYS_close, cwd_before, 0, 0);
    }
    if (umask_changed)
        hd_sys(SYS_umask, umask_before, 0, 0);
    mask_known = mask_changed = cwd_changed = umask_changed = false;
    hd_changes.kernel = false;
}

#define CALLS_SIGNAL
#include "runtime/calls/calls.def"
