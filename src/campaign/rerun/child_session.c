/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_session.c - opens and runs a session in a child process. */
#include "campaign/rerun/child_session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conductor/signals.h"

/* Discards the output of the child: the parent has already reported what is wrong with the program. */
static void be_silent(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

/* Opens the session of the child.  The settings come from the schedule, not from the options of
 * this command.  Returns false if the session cannot be opened. */
static bool open_session(struct hd_session *s, const struct hd_options *o,
                         const struct hd_session *of, uint8_t judged,
                         const struct hd_schedule *schedule)
{
    if (hd_session_open(s, o, of->program, of->argv) != HD_EXIT_CLEAN)
        return false;
    s->test = of->test;
    s->preloads_test = of->preloads_test;
    s->progress.style = HD_PROGRESS_SILENT;
    for (uint32_t i = 0; i < schedule->nfilters; i++)
        if (!hd_session_filter(s, schedule->filters[i].within, schedule->filters[i].function))
            return false;
    hd_session_replays(s, schedule);
    s->wire->config.judged = judged; /* distinguish findings by the same rule as the search */
    return true;
}

static _Noreturn void in_child(const struct hd_session *of, const struct hd_schedule *schedule,
                               hd_child_session_fn *fn, void *ctx)
{
    struct hd_wires others = of->wires;
    struct hd_options o = *of->o;
    struct hd_session s;
    uint8_t judged = of->wire->config.judged;

    be_silent();
    hd_wires_destroy(&others);
    o.jobs = 1;
    o.nsuppressions = o.mute = 0; /* run the schedule to its end, whatever it finds */
    o.nfilters = o.npoint_at = 0;
    memset(o.files, 0, sizeof o.files);
    if (open_session(&s, &o, of, judged, schedule))
        fn(&s, ctx);
    hd_session_close(&s);
    _exit(HD_EXIT_CLEAN);
}

pid_t hd_child_session_fork(void)
{
    pid_t parent = getpid();
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(HD_EXIT_CLEAN);
    return 0;
}

void hd_child_session_wait(pid_t pid)
{
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Waits for the end of the child.  Forwards the user's signals to the child, which then ends in
 * order.  Returns the last signal that arrived, so that the caller can raise it again in this
 * process; 0 if none arrived. */
static int wait_and_forward(pid_t pid)
{
    sigset_t ours;
    int came = 0;

    hd_signals_ours(&ours);
    sigaddset(&ours, SIGCHLD);
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        int sig = sigwaitinfo(&ours, NULL);

        if (sig > 0 && sig != SIGCHLD) {
            kill(pid, sig);
            came = sig;
        }
    }
    return came;
}

/* Takes the turn to change files.  While workers change files, another target must not see their changes, and they
 * must not see its changes (runtime/restore/file_turns.h).  Returns false if a worker did not end its execution in
 * time. */
static bool take_turn(struct hd_common *c)
{
    enum { TRIES = 3000 };
    const struct timespec pause = { 0, 1000000 };

    __atomic_store_n(&c->other_target, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < TRIES && __atomic_load_n(&c->files_used, __ATOMIC_SEQ_CST) != 0; i++) {
        uint32_t nobody = 0;

        if (__atomic_compare_exchange_n(&c->files_turn, &nobody, HD_MAX_WORKERS + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return true;
        nanosleep(&pause, NULL);
    }
    if (__atomic_load_n(&c->files_used, __ATOMIC_SEQ_CST) == 0)
        return true;
    __atomic_store_n(&c->other_target, 0, __ATOMIC_SEQ_CST);
    return false;
}

static void end_turn(struct hd_common *c)
{
    uint32_t own = HD_MAX_WORKERS + 1;

    __atomic_compare_exchange_n(&c->files_turn, &own, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    __atomic_store_n(&c->other_target, 0, __ATOMIC_SEQ_CST);
}

void hd_child_session(const struct hd_session *s, const struct hd_schedule *schedule, hd_child_session_fn *fn,
              void *ctx)
{
    sigset_t before, child;
    int came = 0;

    if (!take_turn(s->wires.common))
        return;

    fflush(NULL);
    hd_signals_hold(&before);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL); /* otherwise SIGCHLD could arrive before sigwaitinfo and be lost */
    pid_t pid = hd_child_session_fork();

    if (pid == 0) {
        sigprocmask(SIG_UNBLOCK, &child, NULL);
        in_child(s, schedule, fn, ctx);
    }
    if (pid > 0)
        came = wait_and_forward(pid);
    end_turn(s->wires.common);
    if (came != 0)
        raise(came);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void *hd_child_session_memory(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0);

    return p != MAP_FAILED ? p : NULL;
}
