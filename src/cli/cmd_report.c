/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_report.c - `heddle report`: renders a recorded finding.  A schedule contains neither values
 * nor stacks, so report runs it again.
 *
 * The text is for the terminal.  It is omitted if the user asks for a file.  The exit code is about
 * the rendering: it is a success if the finding was written, as with any renderer.  It is 5, as
 * with replay, only if the finding does not occur again. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "campaign/findings/findings.h"
#include "campaign/rerun/recorded.h"
#include "cli/registry.h"

static bool shows_again(const struct hd_findings *f, const struct hd_schedule *sch)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].kind == sch->kind)
            return true;
    /* a thread that hangs cannot report; the hang is the recorded finding */
    return f->s->watched.end == HD_WATCH_HUNG && sch->kind == HD_FK_LIVELOCK;
}

static int conclude(struct hd_findings *f, const struct hd_recorded *recorded)
{
    const struct hd_schedule *sch = &recorded->schedule;
    struct hd_result r;

    hd_findings_result(f, &r);
    if (!shows_again(f, sch)) {
        fprintf(stderr, "heddle: %s: the %s did not occur again; 'heddle replay %s' shows why\n",
                recorded->file, hd_finding_kind_text(sch->kind), recorded->file);
        return HD_EXIT_DIVERGED;
    }
    r.verdict = HD_VERDICT_BUG;
    hd_findings_deliver(f, &r, HD_EXIT_FINDING);
    return HD_EXIT_CLEAN;
}

/* Returns a stream that discards its output, or NULL if it cannot be opened. */
static FILE *silence(void)
{
    return fopen("/dev/null", "we");
}

static int render(struct hd_recorded *recorded, const struct hd_options *o, struct hd_outputs *outputs)
{
    struct hd_session s;
    struct hd_findings findings = { .s = NULL };
    FILE *nowhere = hd_outputs_wanted(o) ? silence() : NULL;
    int code = hd_recorded_open(recorded, &s, o);

    if (nowhere != NULL)
        s.text = (struct hd_text){ .out = nowhere };
    if (code == HD_EXIT_CLEAN && !hd_findings_open(&findings, &s, outputs))
        code = HD_EXIT_USAGE;
    if (code == HD_EXIT_CLEAN)
        code = hd_session_run(&s, 0);
    if (code == HD_EXIT_CLEAN)
        code = conclude(&findings, recorded);
    hd_findings_close(&findings);
    hd_session_close(&s);
    if (nowhere != NULL)
        fclose(nowhere);
    return code;
}

int hd_cmd_report(const struct hd_options *o)
{
    struct hd_recorded recorded;
    struct hd_outputs outputs;
    int code = HD_EXIT_USAGE;

    hd_outputs_open(&outputs, o);
    if (hd_recorded_read(&recorded, o)) {
        code = render(&recorded, o, &outputs);
        if (code == HD_EXIT_CLEAN && !hd_outputs_write(&outputs, recorded.program, NULL))
            code = HD_EXIT_USAGE;
    }
    hd_outputs_close(&outputs);
    hd_recorded_free(&recorded);
    return code;
}
