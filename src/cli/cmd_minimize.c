/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_minimize.c - `heddle minimize`: minimises a recorded schedule. */
#include <stdio.h>

#include "base/check.h"
#include "campaign/findings/findings.h"
#include "campaign/rerun/recorded.h"
#include "cli/registry.h"
#include "conductor/signals.h"

enum { USUAL_MS = 60000 };

static void count(char *buf, size_t cap, const char *one, const char *many, uint32_t before,
                  uint32_t after)
{
    int n = snprintf(buf, cap, "%u %s", after, after == 1 ? one : many);

    if (before != after)
        snprintf(buf + n, cap - (size_t)n, " instead of %u", before);
}

/* Prints, for example: "1 preemption instead of 3 (fewest possible), 2 switches instead of 9, 12
 * steps" */
static void tell(const struct hd_session *s, const struct hd_minimized *m)
{
    char preemptions[80], switches[80], steps[80], line[400], bound[100];

    count(preemptions, sizeof preemptions, "preemption", "preemptions", m->before.preemptions,
          m->after.preemptions);
    count(switches, sizeof switches, "switch", "switches", m->before.switches, m->after.switches);
    count(steps, sizeof steps, "step", "steps", m->before.steps, m->after.steps);
    if (m->fewest == HD_FEWEST_PROVED)
        snprintf(bound, sizeof bound, "fewest possible");
    else
        snprintf(bound, sizeof bound, "at most %u; fewer not excluded", m->after.preemptions);
    snprintf(line, sizeof line, "Minimized: %s (%s), %s, %s", preemptions, bound, switches, steps);
    hd_text_wrap(&s->text, 0, 2, line);
    if (m->early)
        hd_text_wrap(&s->text, 0, 2, "The time was over before everything was tried (--budget; time without a processor does "
                                     "not count): more time may make the schedule smaller");
    fputc('\n', s->text.out);
    fflush(s->text.out);
}

static int complain(const struct hd_recorded *r, bool interrupted, bool slow)
{
    if (interrupted) {
        fprintf(stderr, "heddle: %s: interrupted before there was a result\n", r->file);
        return HD_EXIT_BUDGET;
    }
    if (slow) {
        fprintf(stderr, "heddle: %s: there was no time to run anything else; give more with --budget\n",
                r->file);
        return HD_EXIT_BUDGET;
    }
    fprintf(stderr, "heddle: %s: the %s did not occur again; 'heddle replay %s' shows why\n", r->file,
            hd_finding_kind_text(r->schedule.kind), r->file);
    return HD_EXIT_DIVERGED;
}

/* Minimises the schedule.  A signal ends this early; the result so far is saved and shown. */
static int minimize(struct hd_findings *findings, const struct hd_recorded *r, uint64_t budget_ms)
{
    const struct hd_session *s = findings->s;
    bool slow;
    struct hd_minimized *m = hd_minimize(s, &r->schedule, 0, budget_ms, &slow);
    bool interrupted = hd_signals_take();

    if (m == NULL)
        return complain(r, interrupted, slow);
    if (!s->o->quiet)
        tell(s, m);
    if (!hd_findings_add_minimized(findings, &r->schedule, m))
        return complain(r, false, false);
    return m->fewest == HD_FEWEST_PROVED ? HD_EXIT_CLEAN : HD_EXIT_BUDGET;
}

int hd_cmd_minimize(const struct hd_options *o)
{
    struct hd_recorded recorded;
    struct hd_session s;
    struct hd_findings findings = { .s = NULL };
    sigset_t before;
    int code = HD_EXIT_USAGE;

    if (!hd_recorded_read(&recorded, o)) {
        /* a message was printed */
    } else if (!hd_minimize_allowed(recorded.schedule.kind)) {
        fputs("heddle: a finding that does not repeat itself cannot be minimised; remove the cause of the "
              "nondeterminism first\n", stderr);
    } else {
        hd_signals_hold(&before);
        code = hd_recorded_open(&recorded, &s, o);
        if (code == HD_EXIT_CLEAN && !hd_findings_open(&findings, &s, NULL))
            code = HD_EXIT_USAGE;
        if (code == HD_EXIT_CLEAN)
            code = minimize(&findings, &recorded, o->budget_ms != 0 ? o->budget_ms : USUAL_MS);
        hd_findings_close(&findings);
        hd_session_close(&s);
        hd_signals_take();
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    hd_recorded_free(&recorded);
    return code;
}
