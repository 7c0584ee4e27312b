/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_signal.c - signal dispositions and masks, and the few other things
 * of the kernel's that an execution may change: what was changed is undone after
 * it (hd_kernel_restore).
 *
 * The handlers of fatal signals stay ours: the snapshot lives on SIGSEGV.  A
 * handler that the target installs for one is remembered and reported back to
 * it, but a crash is a finding all the same. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/channel.h"
#include "runtime/crash.h"
#include "runtime/early.h"
#include "runtime/intercept.h"
#include "runtime/intercept_misc.h"
#include "runtime/io_wait.h"
#include "runtime/process.h"
#include "runtime/real.h"
#include "runtime/rt.h"
#include "runtime/shared.h"
#include "runtime/thread.h"

enum { SIGNALS = 65 };

static struct {
    bool changed;
    struct sigaction before;
} dispositions[SIGNALS];
static struct {
    uint32_t epoch;
    struct sigaction wanted;
} fatal_wanted[SIGNALS];
static struct {
    bool changed;
    struct rlimit before;
} limits[RLIMIT_NLIMITS];
static bool any_limit, any_disposition, mask_known, mask_changed, cwd_changed, umask_changed, altstack_wanted;
static uint64_t mask_before;
static long cwd_before = -1;
static unsigned umask_before;
static stack_t altstack;
static uint32_t altstack_epoch;

/* ---- dispositions ------------------------------------------------------------------ */

static int set_fatal(int signal, const struct sigaction *act, struct sigaction *old)
{
    struct sigaction none = { .sa_handler = SIG_DFL };

    if (old != NULL)
        *old = fatal_wanted[signal].epoch == hd.epoch ? fatal_wanted[signal].wanted : none;
    if (act != NULL) {
        fatal_wanted[signal].epoch = hd.epoch;
        fatal_wanted[signal].wanted = *act;
        if (act->sa_handler != SIG_DFL)
            hd_mentioned("handlers for fatal signals are not run: a crash is a finding");
    }
    return 0;
}

static int set_action(int signal, const struct sigaction *act, struct sigaction *old, uint64_t pc)
{
    hd_state_use(act != NULL ? HD_EV_STATE_WRITE : HD_EV_STATE_READ, HD_STATE_SIGNALS, pc);
    if (act != NULL && act->sa_handler != SIG_DFL && act->sa_handler != SIG_IGN)
        hd_untried(HD_UNTRIED_HANDLER);
    if (hd_crash_owns(signal))
        return set_fatal(signal, act, old);
    if (old != NULL)
        hd_snapshot_touch(old, sizeof *old);
    if (act != NULL && signal > 0 && signal < SIGNALS && !dispositions[signal].changed &&
        HD_REAL(sigaction)(signal, NULL, &dispositions[signal].before) == 0)
        dispositions[signal].changed = any_disposition = hd.state_changed = true;
    return HD_REAL(sigaction)(signal, act, old);
}

HD_EXPORT int sigaction(int signal, const struct sigaction *act, struct sigaction *old)
{
    if (hd.cur == NULL)
        return HD_REAL(sigaction)(signal, act, old);
    return set_action(signal, act, old, HD_PC);
}

typedef void handler_fn(int);

HD_EXPORT handler_fn *signal(int number, handler_fn *handler)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = SA_RESTART }, old;

    if (hd.cur == NULL)
        return HD_REAL(signal)(number, handler);
    return set_action(number, &act, &old, HD_PC) == 0 ? old.sa_handler : SIG_ERR;
}

HD_EXPORT int sigaltstack(const stack_t *want, stack_t *old)
{
    stack_t none = { .ss_flags = SS_DISABLE };

    if (hd.cur == NULL)
        return HD_REAL(sigaltstack)(want, old);
    if (old != NULL)
        *old = altstack_wanted && altstack_epoch == hd.epoch ? altstack : none;
    if (want != NULL) {
        altstack = *want;
        altstack_wanted = true;
        altstack_epoch = hd.epoch;
    }
    return 0;
}

/* ---- masks --------------------------------------------------------------------------- */

static uint64_t without_fatal(uint64_t mask)
{
    for (int s = 1; s < SIGNALS; s++)
        if (hd_crash_owns(s))
            mask &= ~(UINT64_C(1) << (s - 1));
    return mask;
}

/* A handler runs with a mask that the kernel takes back when it returns, and it does not
 * return when the execution ends before. */
static void remember_mask(void)
{
    if (mask_known)
        return;
    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)&mask_before, 8, 0, 0);
    mask_known = hd.state_changed = true;
}

/* Each thread has a mask of its own; the kernel thread that runs them all has the one
 * that was set last, until it matters. */
void hd_signal_use_mask(void)
{
    uint64_t kernel = without_fatal(hd.cur->sigmask);

    if (mask_changed)
        hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&kernel, 0, 8, 0, 0);
}

/* The kernel writes its frame to the stack, and a page of it that is still protected would
 * kill the process. */
static void touch_stack(void)
{
    enum { FRAME = 16384 };
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);

    hd_snapshot_touch((void *)(sp - FRAME), FRAME);
}

/* A signal that waits may arrive when this becomes the mask. */
static void room_for_frame(uint64_t mask)
{
    uint64_t pending = 0;

    hd_sys(SYS_rt_sigpending, &pending, sizeof pending, 0);
    if ((pending & ~mask) != 0)
        touch_stack();
}

/* What was sent to this thread alone, and its mask no longer keeps out, arrives. */
static void let_in(struct hd_thread *t)
{
    for (int s = 1; (t->sigpending & ~t->sigmask) != 0 && s < SIGNALS; s++)
        if ((t->sigpending & ~t->sigmask) >> (s - 1) & 1) {
            t->sigpending &= ~(UINT64_C(1) << (s - 1));
            touch_stack();
            HD_REAL(raise)(s);
        }
}

static int set_mask(int how, const sigset_t *set, sigset_t *old)
{
    struct hd_thread *t = hd.cur;
    uint64_t want = set != NULL ? *(const uint64_t *)(const void *)set : 0;

    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (old != NULL)
        *(uint64_t *)(void *)old = t->sigmask;
    if (set == NULL)
        return 0;
    t->sigmask = how == SIG_SETMASK ? want : how == SIG_BLOCK ? t->sigmask | want : t->sigmask & ~want;
    uint64_t kernel = without_fatal(t->sigmask);

    room_for_frame(kernel);
    remember_mask();
    hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&kernel, 0, 8, 0, 0);
    mask_changed = true;
    let_in(t);
    return 0;
}

HD_EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_sigmask)(how, set, old);
    return set_mask(how, set, old);
}

HD_EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    if (hd.cur == NULL)
        return HD_REAL(sigprocmask)(how, set, old);
    int rc = set_mask(how, set, old);

    if (rc == 0)
        return 0;
    errno = rc;
    return -1;
}

/* ---- sending ------------------------------------------------------------------------- */

/* The signal may arrive in this call: with the thread's mask. */
static void prepare_for_signal(void)
{
    touch_stack();
    remember_mask();
    hd_signal_use_mask();
}

/* Who waits for signals waits for this (io_wait.h).  A handler is code of the target, so the
 * operation ends before it. */
static void announce_signal(uint64_t pc)
{
    hd_fact(HD_FACT_SIGNAL);
    hd_io_attempt(pc);
    hd_channel_signal(true);
    hd_channel_told(0, 0);
}

/* What a handler does here in the place of another thread is no race with that one: both are
 * ordered with everybody. */
static void order_if(bool foreign, uint64_t pc)
{
    if (foreign)
        hd_note(HD_EV_FENCE, NULL, HD_FENCE_EVERYBODY, pc);
}

static int raise_here(int number, bool foreign, uint64_t pc)
{
    hd_state_use(HD_EV_STATE_READ, HD_STATE_SIGNALS, pc);
    prepare_for_signal();
    order_if(foreign, pc);
    int rc = HD_REAL(raise)(number);

    order_if(foreign, pc);
    hd_io_changed();
    return rc;
}

/* In an interposer: send a signal to a process, whose number is the kernel's in the call. */
#define SEND(call)                           \
    int rc = 0;                              \
                                             \
    if (!hd_pid_signal(&pid, number, &rc))   \
        return rc;                           \
    announce_signal(HD_PC);                  \
    prepare_for_signal();                    \
    rc = call;                               \
                                    \
    hd_io_changed();                \
    return rc

HD_EXPORT int kill(pid_t pid, int number)
{
    if (hd.cur == NULL)
        return HD_REAL(kill)(hd_pid_in_child(pid), number);
    SEND(HD_REAL(kill)(pid, number));
}

HD_EXPORT int sigqueue(pid_t pid, int number, const union sigval value)
{
    if (hd.cur == NULL)
        return HD_REAL(sigqueue)(hd_pid_in_child(pid), number, value);
    SEND(HD_REAL(sigqueue)(pid, number, value));
}

static uint32_t signalfd_epoch; /* the execution in which signals may be read */

HD_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
    if (hd.cur == NULL)
        return HD_REAL(signalfd)(fd, set, flags);
    signalfd_epoch = hd.epoch;
    hd.io_used = 1;
    return HD_REAL(signalfd)(fd, set, flags);
}

/* Then it waits, for sigwait or until it is let in.  The kernel knows one thread only, which
 * would mix up what was sent to several; where the kernel is asked for them, it has to know. */
static bool is_kept_out(const struct hd_thread *t, int number)
{
    return (t->sigmask >> (number - 1) & 1) != 0 && !hd_crash_owns(number) && signalfd_epoch != hd.epoch;
}

static int keep(struct hd_thread *t, int number)
{
    t->sigpending |= UINT64_C(1) << (number - 1);
    hd_io_changed();
    return 0;
}

HD_EXPORT int raise(int number)
{
    if (hd.cur == NULL)
        return HD_REAL(raise)(number);
    if (number <= 0 || number >= SIGNALS || !is_kept_out(hd.cur, number))
        return raise_here(number, false, HD_PC);
    announce_signal(HD_PC);
    return keep(hd.cur, number);
}

HD_EXPORT int pthread_kill(pthread_t thread, int number)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_kill)(hd_early_awaited(thread), number);
    struct hd_thread *t = hd_thread_find(thread);

    if (t == NULL)
        return ESRCH;
    if (number < 0 || number >= SIGNALS)
        return EINVAL;
    if (number == 0 || t->state != HD_TH_LIVE)
        return 0;
    announce_signal(HD_PC);
    if (is_kept_out(t, number))
        return keep(t, number);
    bool foreign = t != hd.cur && (t->sigmask >> (number - 1) & 1) == 0;

    if (foreign)
        hd_uncontrolled("a signal to another thread is handled by the thread that sends it");
    return raise_here(number, foreign, HD_PC) == 0 ? 0 : errno;
}

/* To the kernel all threads are one: what another one has to take waits for the process. */
HD_EXPORT int pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
    if (hd.cur == NULL)
        return HD_REAL(pthread_sigqueue)(hd_early_awaited(thread), number, value);
    const struct hd_thread *t = hd_thread_find(thread);

    if (t == NULL)
        return ESRCH;
    if (number == 0 || t->state != HD_TH_LIVE)
        return 0;
    hd_act_for(HD_PC);
    int rc = sigqueue(HD_VIRTUAL_PID, number, value) == 0 ? 0 : errno;

    hd_act_for(0);
    return rc;
}

HD_EXPORT int sigpending(sigset_t *set)
{
    if (hd.cur == NULL)
        return HD_REAL(sigpending)(set);
    hd_snapshot_touch(set, sizeof *set);
    hd_fact(HD_FACT_SIGNAL);
    hd_io_attempt(HD_PC);
    hd_signal_use_mask();
    int rc = HD_REAL(sigpending)(set);

    *(uint64_t *)(void *)set |= hd.cur->sigpending;
    hd_channel_signal(false);
    hd_channel_told(*(const uint64_t *)(const void *)set, HD_EVF_FAILED); /* it takes nothing */
    return rc;
}

/* ---- directory and umask ----------------------------------------------------------------- */

static void remember_cwd(void)
{
    if (!cwd_changed)
        cwd_before = hd_sys6(SYS_openat, AT_FDCWD, (long)".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
    cwd_changed = hd.state_changed = true;
}

HD_EXPORT int chdir(const char *path)
{
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
    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_SURROUNDINGS, HD_PC);
    mode_t old = (mode_t)hd_sys(SYS_umask, mask, 0, 0);

    if (hd.cur != NULL && !umask_changed) {
        umask_before = old;
        umask_changed = hd.state_changed = true;
    }
    return old;
}

HD_EXPORT int setrlimit(__rlimit_resource_t what, const struct rlimit *limit)
{
    unsigned i = (unsigned)what;

    hd_state_use(HD_EV_STATE_WRITE, HD_STATE_LIMITS, HD_PC);
    if (hd.cur != NULL && i < RLIMIT_NLIMITS && !limits[i].changed &&
        hd_sys(SYS_getrlimit, i, &limits[i].before, 0) == 0)
        limits[i].changed = any_limit = hd.state_changed = true;
    return HD_REAL(setrlimit)(what, limit);
}

void hd_kernel_restore(void)
{
    for (unsigned i = 0; any_limit && i < RLIMIT_NLIMITS; i++)
        if (limits[i].changed) {
            hd_sys(SYS_setrlimit, i, &limits[i].before, 0);
            limits[i].changed = false;
        }
    for (int s = 1; any_disposition && s < SIGNALS; s++)
        if (dispositions[s].changed) {
            HD_REAL(sigaction)(s, &dispositions[s].before, NULL);
            dispositions[s].changed = false;
        }
    if (mask_known)
        hd_sys6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask_before, 0, 8, 0, 0);
    if (cwd_changed) {
        hd_sys(SYS_fchdir, cwd_before, 0, 0);
        hd_sys(SYS_close, cwd_before, 0, 0);
    }
    if (umask_changed)
        hd_sys(SYS_umask, umask_before, 0, 0);
    any_limit = any_disposition = mask_known = mask_changed = cwd_changed = umask_changed = false;
    hd.state_changed = false;
}
