/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.c - a replay beside the search.  A process has one wire, at a fixed
 * address, and this one's is in use: a child of the conductor unmaps it, makes one of
 * its own, replays, and leaves what it saw in memory that both share.  Whatever goes
 * wrong there costs the report a stack, nothing else. */
#include "cli/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BUDGET_MS = 20000 };

/* What is wrong with a program has been said before. */
static void be_silent(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

static _Noreturn void look(const struct hd_session *s, const struct hd_schedule *schedule,
                           struct hd_witness *w)
{
    struct hd_wires of_the_search = s->wires;
    struct hd_options one_worker = *s->o;
    struct hd_session replay;

    be_silent();
    hd_wires_destroy(&of_the_search);
    one_worker.jobs = 1;
    one_worker.nsuppressions = 0; /* one schedule is run, whatever it finds */
    if (hd_session_open(&replay, &one_worker, s->program, s->argv) != HD_EXIT_CLEAN)
        _exit(HD_EXIT_USAGE);
    replay.measures = true;
    replay.test = s->test;
    replay.preloads_test = s->preloads_test;
    replay.progress.style = HD_PROGRESS_SILENT;
    hd_session_replays(&replay, schedule);
    replay.wire->witness = *w;
    if (hd_session_run(&replay, BUDGET_MS) == HD_EXIT_CLEAN)
        *w = replay.wire->witness;
    hd_session_close(&replay);
    _exit(HD_EXIT_CLEAN);
}

/* In memory that the child that looks shares; NULL: there is none. */
static struct hd_witness *new_witness(void)
{
    struct hd_witness *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return w != MAP_FAILED ? w : NULL;
}

static void run_again(const struct hd_session *s, const struct hd_schedule *schedule,
                      struct hd_witness *w)
{
    fflush(NULL);
    pid_t pid = fork();

    if (pid == 0)
        look(s, schedule, w);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static const struct hd_witness *if_seen(struct hd_witness *w, bool seen)
{
    if (!seen)
        hd_witness_free(w);
    return seen ? w : NULL;
}

const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule)
{
    struct hd_witness *w = new_witness();

    if (w == NULL)
        return NULL;
    w->race = r->race->race;
    run_again(s, schedule, w);
    return if_seen(w, w->seen);
}

const struct hd_witness *hd_witness_stacks(const struct hd_session *s,
                                           const struct hd_schedule *schedule,
                                           const uint32_t *events, unsigned n)
{
    struct hd_witness *w = new_witness();
    bool seen = false;

    if (w == NULL)
        return NULL;
    w->nwanted = n;
    memcpy(w->wanted, events, n * sizeof *events);
    run_again(s, schedule, w);
    for (unsigned i = 0; i < n; i++)
        seen |= w->event[i].pc != 0;
    return if_seen(w, seen);
}

const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n)
{
    struct hd_schedule schedule;

    hd_session_schedule(s, r, &schedule);
    const struct hd_witness *w = hd_witness_stacks(s, &schedule, events, n);

    hd_schedule_free(&schedule);
    return w;
}

void hd_witness_free(const struct hd_witness *w)
{
    if (w != NULL)
        munmap((void *)(uintptr_t)w, sizeof *w);
}
