/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aside.c - a session in a child of its own. */
#include "cli/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is wrong with a program has been said before. */
static void be_silent(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

/* What the schedule was made with counts, not what this command was told. */
static bool open_session(struct hd_session *s, const struct hd_options *o,
                         const struct hd_session *of, uint8_t judged,
                         const struct hd_schedule *schedule)
{
    if (hd_session_open(s, o, of->program, of->argv) != HD_EXIT_CLEAN)
        return false;
    s->measures = true;
    s->test = of->test;
    s->preloads_test = of->preloads_test;
    s->progress.style = HD_PROGRESS_SILENT;
    for (uint32_t i = 0; i < schedule->nfilters; i++)
        if (!hd_session_filter(s, schedule->filters[i].within, schedule->filters[i].function))
            return false;
    hd_session_replays(s, schedule);
    s->wire->config.judged = judged; /* findings are told apart as they were */
    return true;
}

static _Noreturn void in_child(const struct hd_session *of, const struct hd_schedule *schedule,
                               hd_aside_fn *fn, void *ctx)
{
    struct hd_wires others = of->wires;
    struct hd_options o = *of->o;
    struct hd_session s;
    uint8_t judged = of->wire->config.judged;

    be_silent();
    hd_wires_destroy(&others);
    o.jobs = 1;
    o.nsuppressions = 0; /* one schedule is run, whatever it finds */
    o.nfilters = 0;
    o.json_file = o.junit_file = o.sarif_file = o.html_file = NULL;
    if (open_session(&s, &o, of, judged, schedule))
        fn(&s, ctx);
    hd_session_close(&s);
    _exit(HD_EXIT_CLEAN);
}

pid_t hd_aside_fork(void)
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

void hd_aside_wait(pid_t pid)
{
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void hd_aside(const struct hd_session *s, const struct hd_schedule *schedule, hd_aside_fn *fn,
              void *ctx)
{
    fflush(NULL);
    pid_t pid = hd_aside_fork();

    if (pid == 0)
        in_child(s, schedule, fn, ctx);
    hd_aside_wait(pid);
}

void *hd_aside_memory(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0);

    return p != MAP_FAILED ? p : NULL;
}
