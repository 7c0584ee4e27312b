/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_one.c - one session of a search. */
#include "campaign/search/search_one.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "campaign/search/baseline.h"
#include "campaign/search/dry.h"
#include "campaign/search/live.h"
#include "campaign/search/quicksand.h"
#include "campaign/search/stages.h"
#include "campaign/session/resume.h"
#include "campaign/session/unseen_watch.h"
#include "program/scope.h"
#include "search/core/strategy.h"

/* Everything that one search needs. */
struct search {
    struct hd_session session;
    struct hd_findings findings;
    struct hd_live live;
    const struct hd_stage *stage; /* the stage to which the search belongs; NULL: the search has no stages */
    bool given_up;
};

static void close_with(struct search *s, const struct hd_result *r, int code)
{
    hd_live_close(&s->live, &r->totals, hd_verdict_text(r->verdict), code);
    hd_findings_deliver(&s->findings, r, code);
}

static void conclude(struct search *s, struct hd_one_result *out)
{
    struct hd_text *text = &s->session.text;
    struct hd_result r;

    hd_findings_result(&s->findings, &r);
    if (s->stage != NULL)
        s->stage->complete(s->stage->ctx, &s->session, &r);
    if (!s->session.o->quiet)
        hd_result_summary(text, &r);
    fflush(text->out);
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
    close_with(s, &r, out->code);
    if (!r.interrupted && r.verdict != HD_VERDICT_ERROR && hd_resume_is_over(&s->session))
        hd_resume_remove(&s->session);
}

/* Reports an error.  Scripts that requested a report file get one even if nothing could run. */
static void refuse(struct search *s, struct hd_one_result *out)
{
    struct hd_result r;

    if (s->session.error[0] == '\0')
        return;
    snprintf(out->what, sizeof out->what, "%s", s->session.error);
    hd_findings_result(&s->findings, &r);
    close_with(s, &r, out->code);
}

static void look(void *live, const struct hd_totals *t, double seconds)
{
    hd_live_look(live, t, seconds);
}

static bool is_given_up(struct hd_findings *all, void *ctx)
{
    struct search *s = ctx;

    s->given_up = s->stage->is_given_up(all, s->stage->ctx);
    return s->given_up;
}

/* Prepares the search so that it can be continued later, or continues it.  A stage that had not begun before the
 * interruption has no state. */
static int begin_saving(struct search *s)
{
    const struct hd_options *o = s->session.o;
    struct hd_kept at;

    if (s->session.wire->config.traits.native)
        return HD_EXIT_CLEAN;
    hd_resume_place(&s->session, s->stage != NULL ? (int)s->stage->number : -1, &at);
    hd_resume_open(&s->session, &at, (double)o->checkpoint_ms / 1e3);
    if (o->resume && (s->stage == NULL || hd_kept_is_there(&at)))
        return hd_resume_continue(&s->session);
    if (!o->quiet && s->stage == NULL && s->session.resume != NULL && hd_kept_is_there(&at))
        fputs("heddle: an interrupted search of this program can be continued with --resume\n", stderr);
    return HD_EXIT_CLEAN;
}

static int run(struct search *s, struct hd_outputs *outputs, uint64_t budget_ms)
{
    if (!hd_findings_open(&s->findings, &s->session, outputs))
        return HD_EXIT_USAGE;
    if (s->stage != NULL) {
        s->findings.is_given_up = is_given_up;
        s->findings.ctx = s;
    }
    hd_live_open(&s->live, &s->findings);
    s->session.on.look = look;
    s->session.on.look_ctx = &s->live;
    hd_unseen_begin(&s->session);
    int code = begin_saving(s);

    if (code != HD_EXIT_CLEAN)
        return code;
    return s->session.wire->config.traits.native ? hd_baseline_run(&s->findings, budget_ms)
                                                 : hd_session_run(&s->session, budget_ms);
}

/* Closes a search whose result is not shown.  Another search may then use its state. */
static void leave(struct search *s)
{
    struct hd_totals t;

    hd_merge_totals(&s->session.merge, &t);
    hd_live_close(&s->live, &t, hd_verdict_text(HD_VERDICT_BUDGET), HD_EXIT_BUDGET);
    hd_resume_remove(&s->session);
}

void hd_search_stage(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                     const struct hd_stage *stage, struct hd_one_result *out)
{
    struct search s = { .findings = { .s = NULL }, .stage = stage };

    memset(out, 0, sizeof *out);
    out->code = hd_session_open(&s.session, o, one->argv[0], one->argv);
    s.session.test = one->test;
    s.session.suite = one->suite;
    s.session.preloads_test = one->preloads;
    if (out->code == HD_EXIT_CLEAN)
        out->code = run(&s, outputs, o->budget_ms);
    if (out->code == HD_EXIT_CLEAN && s.given_up)
        leave(&s);
    else if (out->code == HD_EXIT_CLEAN)
        conclude(&s, out);
    else
        refuse(&s, out);
    hd_findings_close(&s.findings);
    hd_session_close(&s.session);
}

/* Puts the scopes that the source declares for the test before the filters of the options.  Returns false if they
 * cannot be applied; out says why. */
static bool take_scopes(struct hd_options *o, const struct hd_scopes *scopes, struct hd_one_result *out)
{
    struct hd_traits traits = hd_strategy_traits(o->strategy);
    const char *why = o->deepens ? "chooses the scheduling points itself"
                      : hd_traits_reduces(&traits) && !traits.blocks ? "needs every operation as a point" : NULL;

    if (why == NULL && scopes->n + o->nfilters > HD_MAX_FILTERS)
        why = "has more filters than there may be";
    if (why != NULL) {
        snprintf(out->what, sizeof out->what, "HEDDLE_WITHIN or HEDDLE_WITHOUT of the test: strategy %s %s; use dpor, dfs, "
                                              "ipb or idb", o->strategy, why);
        fprintf(stderr, "heddle: %s\n", out->what);
        out->code = HD_EXIT_USAGE;
        return false;
    }
    memmove(&o->filters[scopes->n], o->filters, o->nfilters * sizeof *o->filters);
    for (unsigned i = 0; i < scopes->n; i++) {
        o->filters[i].within = scopes->list[i].within;
        o->filters[i].function = scopes->list[i].function;
    }
    o->nfilters += scopes->n;
    return true;
}

static void search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out)
{
    if (o->dry)
        hd_dry_run(o, outputs, one, out);
    else if (o->deepens)
        hd_quicksand_search(o, one, out);
    else if (o->in_stages)
        hd_stages_search(o, outputs, one, out);
    else
        hd_search_stage(o, outputs, one, NULL, out);
}

void hd_search_one(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out)
{
    struct hd_options with = *o;
    struct hd_scopes scopes;

    memset(out, 0, sizeof *out);
    hd_scope_read(&scopes, one->argv);
    if (scopes.n == 0 || take_scopes(&with, &scopes, out))
        search(&with, outputs, one, out);
    hd_scope_free(&scopes);
}
