/* SPDX-License-Identifier: BSD-2-Clause
 *
 * launch.c - starts the target.
 *
 * The target gets its own process group, so that Ctrl-C reaches only the conductor.  It dies with
 * the conductor, however the conductor ends, and its workers die with it.  Address randomisation
 * and lazy binding are off (a restored GOT would bind again in every execution), and standard input
 * is empty.  Output that bypasses the runtime (messages of the dynamic linker, constructors) goes
 * into a pipe of which the conductor keeps the last part: an unread terminal must not slow the
 * search down. */
#include "conductor/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/each.h"
#include "base/memory.h"
#include "base/noise.h"
#include "conductor/children.h"
#include "conductor/inherited.h"
#include "conductor/leftovers.h"
#include "wire/wire.h"

extern char **environ;

/* The child's report that it cannot become the target. */
struct trouble {
    int error;
    int step; /* index into steps */
};

enum { STEP_STDIN, STEP_EXEC };
static const char *const steps[] = { "opening /dev/null", "starting the program" };

/* ---- environment -------------------------------------------------------------------- */

static char *joined(const char *name, const char *first, const char *inherited)
{
    bool more = inherited != NULL && inherited[0] != '\0';

    return hd_formatted("%s=%s%s%s", name, first, more ? ":" : "", more ? inherited : "");
}

static char *wish(const char *test)
{
    return hd_formatted("%s=%s%s", HD_EACH_ENV, HD_EACH_RUN, test);
}

/* HEDDLE_ACTOR is for the program: libheddle-actor reads it. */
static bool is_own(const char *entry)
{
    return strncmp(entry, "HEDDLE_", 7) == 0 && strncmp(entry, "HEDDLE_ACTOR=", 13) != 0;
}

static bool replaced(const char *entry, const struct hd_launch *l)
{
    return is_own(entry) ||
           (!l->native && strncmp(entry, "LD_BIND_NOW=", 12) == 0) ||
           (l->preload != NULL && strncmp(entry, "LD_PRELOAD=", 11) == 0) ||
           (l->library_path != NULL && strncmp(entry, "LD_LIBRARY_PATH=", 16) == 0);
}

/* The variables that tell the runtime that it runs under Heddle. */
static size_t add_control(char **env, size_t n, const struct hd_launch *l)
{
    char wire[32];

    /* same length for all workers, because the environment determines where the program's stack begins */
    snprintf(wire, sizeof wire, "%03d:%03u", l->wire_fd, l->worker);
    env[n++] = joined(HD_WIRE_ENV, wire, NULL);
    env[n++] = joined("LD_BIND_NOW", "1", NULL);
    env[n++] = joined("GOMP_SPINCOUNT", "0", NULL); /* libgomp then waits by a system call without
                                                     * spinning first */
    return n;
}

/* The inherited environment without Heddle's own variables, plus those of the target.
 * Never freed: the caller is the child just before exec. */
static char **target_environment(const struct hd_launch *l)
{
    char *const *inherited = l->environment != NULL ? l->environment : environ;
    size_t n = 0, count = 0;

    while (inherited[count] != NULL)
        count++;
    char **env = hd_zeroed(count + 8, sizeof *env);

    for (size_t i = 0; i < count; i++)
        if (!replaced(inherited[i], l))
            env[n++] = inherited[i];
    if (!l->native)
        n = add_control(env, n, l);
    if (l->noise != NULL)
        env[n++] = joined(HD_NOISE_ENV, l->noise, NULL);
    if (l->test != NULL)
        env[n++] = wish(l->test);
    if (l->preload != NULL)
        env[n++] = joined("LD_PRELOAD", l->preload, getenv("LD_PRELOAD"));
    if (l->library_path != NULL)
        env[n++] = joined("LD_LIBRARY_PATH", l->library_path, getenv("LD_LIBRARY_PATH"));
    return env;
}

/* ---- the child ---------------------------------------------------------------------- */

static _Noreturn void child_fails(int trouble_fd, int step)
{
    struct trouble t = { errno, step };

    if (write(trouble_fd, &t, sizeof t) != sizeof t)
        _exit(HD_EXIT_INTERNAL);
    _exit(HD_EXIT_USAGE);
}

/* The conductor blocks and handles signals for itself; the target starts with the defaults. */
static void default_signals(void)
{
    sigset_t none;

    for (int s = 1; s < SIGRTMIN; s++)
        signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Becomes the target.  Returns the step that failed. */
static int replace_this_process(const struct hd_launch *l)
{
    hd_inherited_close_others(l->wire_fd);
    int empty = open("/dev/null", O_RDONLY);

    if (empty < 0)
        return STEP_STDIN;
    dup2(empty, STDIN_FILENO);
    if (empty > STDERR_FILENO)
        close(empty);
    default_signals();
    int now = personality(0xffffffff);

    if (now != -1 && !l->native)
        personality((unsigned long)now | ADDR_NO_RANDOMIZE);
    execve(l->path, l->argv, target_environment(l));
    return STEP_EXEC;
}

static _Noreturn void become_target(const struct hd_launch *l, pid_t conductor, int output,
                                    int trouble_fd)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != conductor) /* the conductor ended before the prctl */
        _exit(HD_EXIT_INTERNAL);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    child_fails(trouble_fd, replace_this_process(l));
}

void hd_launch_here(const struct hd_launch *l, const char **what)
{
    *what = steps[replace_this_process(l)];
}

/* ---- the parent --------------------------------------------------------------------- */

/* Some sandboxes forbid personality().  The test makes no lasting change. */
bool hd_can_fix_addresses(void)
{
    int now = personality(0xffffffff);

    if (now == -1 || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1)
        return false;
    personality((unsigned long)now);
    return true;
}

static bool child_started(int trouble_fd, const char **what)
{
    struct trouble t;
    ssize_t n;

    do
        n = read(trouble_fd, &t, sizeof t);
    while (n < 0 && errno == EINTR);
    if (n != sizeof t)
        return true; /* closed by exec: the child became the target */
    errno = t.error;
    *what = steps[t.step];
    return false;
}

static bool start(const struct hd_launch *l, struct hd_target *t, int output[2], int trouble[2],
                  const char **what)
{
    pid_t self = getpid();

    *what = "starting a process";
    t->pid = fork();
    if (t->pid < 0)
        return false;
    if (t->pid == 0)
        become_target(l, self, output[1], trouble[1]);
    hd_children_add(t->pid);
    setpgid(t->pid, t->pid); /* both processes call it, because either may run first */
    close(output[1]);
    close(trouble[1]);
    output[1] = trouble[1] = -1;
    if (!child_started(trouble[0], what)) {
        int saved = errno;

        waitpid(t->pid, NULL, 0);
        hd_children_forget(t->pid);
        errno = saved;
        return false;
    }
    t->pidfd = (int)syscall(SYS_pidfd_open, t->pid, 0);
    if (t->pidfd >= 0)
        return true;
    *what = "watching the program";
    hd_target_kill(t);
    return false;
}

static void close_pair(int fd[2])
{
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            close(fd[i]);
}

double hd_seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Makes a pipe whose descriptors are above 2, even if 0, 1 or 2 is closed in this process: the child opens its
 * standard files at these numbers. */
static bool make_pipe(int fd[2])
{
    if (pipe2(fd, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        if (fd[i] > STDERR_FILENO)
            continue;
        int high = fcntl(fd[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

        if (high < 0)
            return false;
        close(fd[i]);
        fd[i] = high;
    }
    return true;
}

bool hd_launch(const struct hd_launch *l, struct hd_target *t, const char **what)
{
    int output[2] = { -1, -1 }, trouble[2] = { -1, -1 };

    memset(t, 0, sizeof *t);
    t->pidfd = t->output = t->undo_fd = -1;
    snprintf(t->undo, sizeof t->undo, "%s", l->undo != NULL ? l->undo : "");
    t->undo_fd = hd_leftovers_open(t->undo);
    t->started = hd_seconds_now();
    hd_children_note();
    t->randomised = !hd_can_fix_addresses();
    *what = "making a pipe";
    bool ok = make_pipe(output) && make_pipe(trouble) &&
              fcntl(output[0], F_SETFL, O_NONBLOCK) == 0 && start(l, t, output, trouble, what);
    int saved = errno;

    if (ok) {
        t->output = output[0];
        output[0] = -1;
    }
    close_pair(output);
    close_pair(trouble);
    if (!ok && t->undo_fd >= 0) {
        hd_leftovers_end(t->undo_fd, t->undo);
        t->undo_fd = -1;
    }
    errno = saved;
    return ok;
}

static void keep_tail(struct hd_target *t, const char *data, size_t n)
{
    size_t room = sizeof t->tail - t->tail_used;

    if (n > room) {
        size_t drop = n - room;

        memmove(t->tail, t->tail + drop, t->tail_used - drop);
        t->tail_used -= drop;
    }
    memcpy(t->tail + t->tail_used, data, n);
    t->tail_used += n;
}

void hd_target_drain(struct hd_target *t)
{
    char buf[HD_OUTPUT_KEPT / 4];

    while (t->output >= 0) {
        ssize_t n = read(t->output, buf, sizeof buf);

        if (n > 0) {
            keep_tail(t, buf, (size_t)n);
        } else if (n == 0) {
            close(t->output);
            t->output = -1;
        } else if (errno != EINTR) {
            return;
        }
    }
}

bool hd_target_ended(struct hd_target *t)
{
    pid_t rc = !t->reaped && t->pid > 0 ? waitpid(t->pid, &t->status, WNOHANG) : 0;

    if (rc > 0 || (rc < 0 && errno == ECHILD))
        t->reaped = true;
    return t->reaped;
}

void hd_target_kill(struct hd_target *t)
{
    if (t->pid > 0) {
        kill(-t->pid, SIGKILL);
        if (!t->reaped) {
            kill(t->pid, SIGKILL);
            while (waitpid(t->pid, &t->status, 0) < 0 && errno == EINTR)
                continue;
            t->reaped = true;
        }
        hd_children_forget(t->pid);
        hd_children_end_others(); /* its workers and their children, which are now children of this
                                   * process */
        hd_leftovers_end(t->undo_fd, t->undo);
        t->undo_fd = -1;
    }
    hd_target_drain(t);
    if (t->output >= 0)
        close(t->output);
    if (t->pidfd >= 0)
        close(t->pidfd);
    t->output = t->pidfd = -1;
    t->pid = 0;
}
