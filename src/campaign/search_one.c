/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_one.c - one session of a search. */
#include "campaign/search_one.h"

#include <string.h>

#include "base/check.h"
#include "campaign/baseline.h"
#include "campaign/live.h"
#include "campaign/unseen_watch.h"

static void conclude(struct hd_session *s, struct hd_one_result *out)
{
    struct hd_result r;

    hd_session_result(s, &r);
    if (!s->o->quiet)
        hd_result_summary(&s->text, &r);
    fflush(s->text.out);
    out->ran = true;
    out->code = hd_verdict_exit_code(r.verdict);
    out->verdict = r.verdict;
    out->interrupted = r.interrupted;
    out->executions = r.totals.executions;
    out->seconds = r.seconds;
    out->nfindings = r.nfindings;
    if (r.nfindings > 0)
        snprintf(out->what, sizeof out->what, "%s: %.400s", hd_finding_kind_text(r.findings[0].kind),
                 r.findings[0].message);
    else if (r.error != NULL)
        snprintf(out->what, sizeof out->what, "%s", r.error);
    hd_live_close(s->live, s, &r.totals, hd_verdict_text(r.verdict), out->code);
    hd_session_deliver(s, &r, out->code);
}

/* Reports an error.  Scripts that requested a report file get one even if nothing could run. */
static void refuse(struct hd_session *s, struct hd_one_result *out)
{
    struct hd_result r;

    if (s->live == NULL || s->error[0] == '\0')
        return;
    snprintf(out->what, sizeof out->what, "%s", s->error);
    hd_session_result(s, &r);
    hd_live_close(s->live, s, &r.totals, hd_verdict_text(r.verdict), out->code);
    hd_session_deliver(s, &r, out->code);
}

void hd_search_one(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out)
{
    struct hd_session s;
    struct hd_live live;

    memset(out, 0, sizeof *out);
    out->code = hd_session_open(&s, o, one->argv[0], one->argv);
    s.outputs = outputs;
    s.test = one->test;
    s.preloads_test = one->preloads;
    if (out->code == HD_EXIT_CLEAN) {
        hd_live_open(&live, &s);
        s.live = &live;
        hd_unseen_begin(&s);
        out->code = s.wire->config.traits.native ? hd_baseline_run(&s, o->budget_ms)
                                                         : hd_session_run(&s, o->budget_ms);
    }
    if (out->code == HD_EXIT_CLEAN)
        conclude(&s, out);
    else
        refuse(&s, out);
    hd_session_close(&s);
}
