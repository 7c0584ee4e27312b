/* SPDX-License-Identifier: BSD-2-Clause
 *
 * startup_error.c - reports why a target did not run to its end. */
#include "campaign/session/startup_error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/check.h"

/* Returns the target that caused the end of the search. */
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

/* True if a broken invariant of the runtime (base/check.h) ended the target: the runtime prints a
 * message in that case.  Everything else that ends a program before main is a fault of the program. */
static bool broke_an_invariant(const struct hd_target *t)
{
    static const char mark[] = "heddle: internal error: ";

    return WIFEXITED(t->status) && WEXITSTATUS(t->status) == HD_EXIT_INTERNAL &&
           memmem(t->tail, t->tail_used, mark, sizeof mark - 1) != NULL;
}

static int refused(struct hd_session *s)
{
    const struct hd_wire *wire = s->wires.wire[s->watched.culprit];

    snprintf(s->error, sizeof s->error, "%.*s", (int)sizeof wire->refusal - 1, wire->refusal);
    fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
    return HD_EXIT_USAGE;
}

/* True if an execution has begun or a finding exists. */
static bool has_run(const struct hd_session *s)
{
    for (uint32_t i = 0; i < s->wires.n; i++)
        if (hd_campaign_totals(&s->wires.wire[i]->campaign)->begun > 0)
            return true;
    return s->nfound > 0;
}

/* Reports a target that did not reach main.  Constructors, and the dynamic linker before them, run
 * without Heddle's control. */
static int did_not_reach_main(struct hd_session *s)
{
    bool stuck = s->watched.end == HD_WATCH_STUCK_EARLY;
    char how[100];

    how_it_died(culprit(s)->status, how, sizeof how);
    if (stuck)
        snprintf(s->error, sizeof s->error,
                 "it did not reach main within %.0f seconds: a constructor, of the program or of a "
                 "library, loops or waits", s->watched.seconds);
    else
        snprintf(s->error, sizeof s->error, "it ended before main began (%s)", how);
    fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
    print_target_output(s);
    if (has_run(s))
        return HD_EXIT_CLEAN; /* only a replacement target failed: the findings of the others are a result */
    if (!stuck && broke_an_invariant(culprit(s)))
        return HD_EXIT_INTERNAL;
    fputs("heddle: run it alone first: it should do the same before main without Heddle (if it does not, that "
          "is a bug in Heddle)\n", stderr);
    return HD_EXIT_USAGE;
}

bool hd_ending_is_loss(const struct hd_schedule *sch)
{
    return (sch->kind == HD_FK_CRASH && strstr(sch->message, "the process was lost (signal ") != NULL) ||
           (sch->kind == HD_FK_EXIT_CODE && strstr(sch->message, "the process ended with exit code ") != NULL);
}

/* In a replay the only process is the one that runs the schedule.  If the recorded finding is the
 * loss of the process, then its loss is the finding. */
bool hd_ending_is_recorded(const struct hd_session *s)
{
    const struct hd_schedule *sch = s->recorded;
    int status = culprit(s)->status;
    char lost[80];

    if (sch == NULL || s->watched.end != HD_WATCH_DIED)
        return false;
    if (WIFSIGNALED(status)) {
        snprintf(lost, sizeof lost, "the process was lost (signal %d)", WTERMSIG(status));
        return sch->kind == HD_FK_CRASH && strstr(sch->message, lost) != NULL;
    }
    snprintf(lost, sizeof lost, "the process ended with exit code %d ", WEXITSTATUS(status));
    return sch->kind == HD_FK_EXIT_CODE && strstr(sch->message, lost) != NULL;
}

static int died(struct hd_session *s)
{
    const char *broken = s->wires.wire[s->watched.culprit]->internal_error;
    char how[100];

    if (hd_ending_is_recorded(s))
        return HD_EXIT_CLEAN;
    if (*broken != '\0') {
        snprintf(s->error, sizeof s->error, "internal error of Heddle");
        fputs(broken, stderr);
        return HD_EXIT_INTERNAL;
    }

    how_it_died(culprit(s)->status, how, sizeof how);
    snprintf(s->error, sizeof s->error,
             "the process that starts the executions ended unexpectedly (%s); the search cannot "
             "go on from there", how);
    fprintf(stderr, "heddle: %s: %s\n", s->program, s->error);
    print_target_output(s);
    return HD_EXIT_CLEAN; /* earlier findings are a result */
}

/* Reports that the program has overwritten Heddle's memory through a wild pointer that no memory
 * check has caught.  This is a bug of the program, although its schedule is lost with the rest of
 * that memory. */
static int damaged(struct hd_session *s)
{
    s->nfound++;
    snprintf(s->error, sizeof s->error, "%s", HD_DAMAGED);
    fprintf(s->text.out, "FOUND crash in %s: ", s->program);
    hd_text_wrap(&s->text, 16, 2, HD_DAMAGED);
    fputs("It cannot be replayed; AddressSanitizer or valgrind may show the write.\n\n", s->text.out);
    return HD_EXIT_CLEAN;
}

int hd_startup_error(struct hd_session *s)
{
    switch (s->watched.end) {
    case HD_WATCH_REFUSED:
        return refused(s);
    case HD_WATCH_STUCK_EARLY:
    case HD_WATCH_DIED_EARLY:
        return did_not_reach_main(s);
    case HD_WATCH_DIED:
        return died(s);
    case HD_WATCH_DAMAGED:
        return damaged(s);
    default:
        return HD_EXIT_CLEAN;
    }
}
