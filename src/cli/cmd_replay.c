/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_replay.c - `heddle replay`: runs one recorded schedule again in a new process and verifies
 * every step.  The program must be the same build.  If the execution differs, replay names the
 * first differing step. */
#include <stdio.h>

#include "base/check.h"
#include "campaign/findings/findings.h"
#include "campaign/rerun/gdb.h"
#include "campaign/rerun/recorded.h"
#include "campaign/session/startup_error.h"
#include "cli/registry.h"
#include "report/evidence/describe.h"

/* ---- the result --------------------------------------------------------------------------- */

static void expected_step(const struct hd_schedule *sch, uint32_t step, char *buf, size_t cap)
{
    if (step >= sch->nsteps) {
        snprintf(buf, cap, "the end of the recorded schedule");
        return;
    }
    const struct hd_schedule_step *e = &sch->steps[step];
    char who[16];

    if (e->decision.alternatives != 0) {
        snprintf(buf, cap, "choice: %u (of 0..%u) at %s", e->decision.chosen,
                 e->decision.alternatives - 1u, e->site);
        return;
    }
    hd_describe_tid(e->decision.chosen, who, sizeof who);
    snprintf(buf, cap, "%s: %s%s%s at %s", who, hd_kind_info[e->kind].text,
             e->object[0] != '\0' ? " " : "", e->object, e->site[0] != '\0' ? e->site : "?");
}

static void found_step(struct hd_session *s, char *buf, size_t cap)
{
    const struct hd_execution *x = &s->wire->exec;
    const struct hd_event *e = &x->diverged_found;
    struct hd_report r = { .wire = s->wire, .symbols = hd_session_symbols(s),
                           .threads = x->threads,
                           .nthreads = x->nthreads < HD_MAX_THREADS ? x->nthreads
                                                                    : HD_MAX_THREADS };
    char who[16], object[256];
    const char *site = hd_describe_site(&r, e);

    if (e->kind == HD_EV_NONE || e->kind >= HD_EV_COUNT) {
        snprintf(buf, cap, "that thread cannot run there");
        return;
    }
    hd_describe_tid(e->tid, who, sizeof who);
    hd_describe_object(&r, e->obj, object, sizeof object);
    snprintf(buf, cap, "%s: %s%s%s at %s", who, hd_kind_info[e->kind].text,
             object[0] != '\0' ? " " : "", object, site[0] != '\0' ? site : "?");
}

static void explain_divergence(struct hd_session *s, const struct hd_schedule *sch)
{
    uint32_t step = s->wire->exec.diverged_step;
    char expected[400], found[400], shown[2][800];

    expected_step(sch, step, expected, sizeof expected);
    found_step(s, found, sizeof found);
    hd_text_visible(expected, shown[0], sizeof shown[0]);
    hd_text_visible(found, shown[1], sizeof shown[1]);
    fprintf(s->text.out,
            "DIVERGED: the program did not repeat itself, first at step %u\n"
            "  recorded: %s\n"
            "  now:      %s\n"
            "Something that Heddle does not control differs: input, files, time, the machine.\n",
            step + 1, shown[0], shown[1]);
}

static bool reappeared(const struct hd_findings *f, const struct hd_schedule *sch)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->list[i].kind == sch->kind)
            return true;
    return false;
}

/* Judges a replay that hung.  A program that hangs cannot write its finding to the wire if there is
 * no worker process to end.  So the hang itself is the expected finding. */
static enum hd_verdict judge_hang(struct hd_session *s, const struct hd_schedule *sch)
{
    bool expected = sch->kind == HD_FK_LIVELOCK;
    char line[200];

    snprintf(line, sizeof line, "%s: the program made no step for %d seconds: it hangs in code "
                                "that Heddle does not control, or computes too long",
             expected ? "FOUND livelock" : "DIVERGED", HD_WATCHDOG_MS / 1000);
    hd_text_wrap(&s->text, 0, 2, line);
    return expected ? HD_VERDICT_BUG : HD_VERDICT_DIVERGED;
}

/* Judges a replay whose process was lost.  It cannot write its finding either. */
static enum hd_verdict judge_lost(struct hd_session *s, const struct hd_schedule *sch)
{
    char line[700];

    snprintf(line, sizeof line, "FOUND %s: %.600s", hd_finding_kind_text(sch->kind), sch->message);
    hd_text_wrap(&s->text, 0, 2, line);
    return HD_VERDICT_BUG;
}

static enum hd_verdict judge(const struct hd_findings *f, const struct hd_schedule *sch)
{
    struct hd_session *s = f->s;
    bool diverged = s->wire->exec.ending == HD_END_DIVERGED && sch->kind != HD_FK_NONDETERMINISM;

    if (!diverged && reappeared(f, sch))
        return HD_VERDICT_BUG;
    if (hd_ending_is_recorded(s))
        return judge_lost(s, sch);
    if (s->error[0] != '\0')
        return HD_VERDICT_ERROR;
    if (s->watched.interrupted)
        return HD_VERDICT_BUDGET;
    if (s->watched.end == HD_WATCH_HUNG)
        return judge_hang(s, sch);
    if (diverged)
        explain_divergence(s, sch);
    else if (f->n > 0)
        fprintf(s->text.out, "DIVERGED: expected %s, but found %s\n",
                hd_finding_kind_text(sch->kind), hd_finding_kind_text(f->list[0].kind));
    else
        fprintf(s->text.out, "DIVERGED: the recorded schedule ran to its end without the expected "
                             "%s\n", hd_finding_kind_text(sch->kind));
    return HD_VERDICT_DIVERGED;
}

/* Shows the output that the runtime captured.  If there is none, shows the output from the pipe. */
static void show_output(struct hd_session *s)
{
    const struct hd_finding *f = hd_wire_finding_first(s->wire);
    const struct hd_section *out = f != NULL ? hd_finding_section(f, HD_SEC_OUTPUT, HD_NO_TID)
                                             : NULL;

    fputs("Printed by the program\n", s->text.out);
    if (out != NULL)
        hd_text_output(&s->text, (const char *)(out + 1), out->bytes, UINT32_MAX);
    hd_text_output(&s->text, s->targets[0].tail, s->targets[0].tail_used, UINT32_MAX);
}

static int conclude(struct hd_findings *f, const struct hd_schedule *sch)
{
    struct hd_session *s = f->s;
    struct hd_result r;

    if (s->o->show_output)
        show_output(s);
    hd_findings_result(f, &r);
    r.verdict = judge(f, sch);
    if (r.verdict == HD_VERDICT_BUG && !s->o->quiet)
        fprintf(s->text.out, "Replayed %u steps: the same %s again.\n", sch->nsteps,
                hd_finding_kind_text(sch->kind));
    fflush(s->text.out);
    int code = hd_verdict_exit_code(r.verdict);

    hd_findings_deliver(f, &r, code);
    return code;
}

static int replay(struct hd_recorded *recorded, const struct hd_options *o, struct hd_outputs *outputs)
{
    struct hd_session s;
    struct hd_findings findings = { .s = NULL };
    int code = hd_recorded_open(recorded, &s, o);

    if (code == HD_EXIT_CLEAN && !hd_findings_open(&findings, &s, outputs))
        code = HD_EXIT_USAGE;
    if (code == HD_EXIT_CLEAN)
        code = hd_session_run(&s, 0);
    if (code == HD_EXIT_CLEAN)
        code = conclude(&findings, &recorded->schedule);
    hd_findings_close(&findings);
    hd_session_close(&s);
    if (!hd_outputs_write(outputs, recorded->program, NULL) && code != HD_EXIT_FINDING)
        code = HD_EXIT_USAGE;
    return code;
}

int hd_cmd_replay(const struct hd_options *o)
{
    struct hd_recorded recorded;
    struct hd_outputs outputs;
    int code = HD_EXIT_USAGE;

    hd_outputs_open(&outputs, o);
    if (hd_recorded_read(&recorded, o))
        code = o->gdb ? hd_gdb(&recorded, o) : replay(&recorded, o, &outputs);
    hd_outputs_close(&outputs);
    hd_recorded_free(&recorded);
    return code;
}
