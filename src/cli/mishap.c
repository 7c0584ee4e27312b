/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mishap.c - saying why a target did not run to its end. */
#include "cli/mishap.h"

#include <string.h>
#include <sys/wait.h>

#include "base/check.h"

/* The target that the end of the search is due to. */
static const struct hd_target *culprit(const struct hd_session *s)
{
    return &s->targets[s->watched.culprit];
}

static void print_target_output(const struct hd_session *s)
{
    struct hd_text err = { .out = stderr };

    if (culprit(s)->tail_used == 0)
        return;
    fputs("heddle: it printed:\n", stderr);
    hd_text_output(&err, culprit(s)->tail, culprit(s)->tail_used, 20);
}

static void how_it_died(int status, char *buf, size_t cap)
{
    if (WIFSIGNALED(status))
        snprintf(buf, cap, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(buf, cap, "exit code %d", WEXITSTATUS(status));
}

static int did_not_run(struct hd_session *s)
{
    char how[100];

    const struct hd_wire *wire = s->wires.wire[s->watched.culprit];

    how_it_died(culprit(s)->status, how, sizeof how);
    switch (s->watched.end) {
    case HD_WATCH_REFUSED:
        snprintf(s->error, sizeof s->error, "%.*s", (int)sizeof wire->refusal - 1, wire->refusal);
        fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
        return HD_EXIT_USAGE;
    case HD_WATCH_STUCK_EARLY:
        snprintf(s->error, sizeof s->error,
                 "it did not reach main within %d seconds; does a constructor wait for something?",
                 HD_START_MS / 1000);
        break;
    default:
        snprintf(s->error, sizeof s->error, "it ended before main began (%s)", how);
    }
    fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
    print_target_output(s);
    return s->watched.end == HD_WATCH_DIED_EARLY && WIFSIGNALED(culprit(s)->status)
               ? HD_EXIT_INTERNAL : HD_EXIT_USAGE;
}

static int died(struct hd_session *s)
{
    char how[100];

    how_it_died(culprit(s)->status, how, sizeof how);
    snprintf(s->error, sizeof s->error,
             "the process that starts the executions ended unexpectedly (%s); the search cannot "
             "go on from there", how);
    fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
    print_target_output(s);
    return HD_EXIT_CLEAN; /* what was found before is a result */
}

int hd_mishap(struct hd_session *s)
{
    switch (s->watched.end) {
    case HD_WATCH_REFUSED:
    case HD_WATCH_STUCK_EARLY:
    case HD_WATCH_DIED_EARLY:
        return did_not_run(s);
    case HD_WATCH_DIED:
        return died(s);
    default:
        return HD_EXIT_CLEAN;
    }
}
