/* SPDX-License-Identifier: BSD-2-Clause
 *
 * summary.c - the end of the terminal output: counts, notes, verdict, warnings. */
#include <string.h>

#include "report/suppress/suppressed.h"
#include "report/verdict/ledger_print.h"
#include "report/verdict/native.h"
#include "report/verdict/result.h"
#include "report/verdict/sentence.h"

static void count_line(const struct hd_text *t, const struct hd_result *r)
{
    char line[400];
    struct hd_sentence s = { line, sizeof line, 0 };
    char rate[32], number[32];

    hd_text_number((uint64_t)hd_result_rate(r), rate, sizeof rate);
    hd_say_executions(&s, r->totals.executions);
    if (r->totals.redundant > 0) {
        hd_text_number(r->totals.redundant, number, sizeof number);
        hd_say(&s, " (and %s cut off as redundant", number);
        hd_text_number(r->totals.over_bound, number, sizeof number);
        if (r->totals.over_bound > 0)
            hd_say(&s, ", %s of them by the bound", number);
        hd_say(&s, ")");
    }
    if (r->totals.restarts > 0) {
        hd_text_number(r->totals.discarded, number, sizeof number);
        hd_say(&s, ", after %s in %llu earlier pass%s%s", number, (unsigned long long)r->totals.restarts,
            r->totals.restarts == 1 ? "" : "es", r->totals.sites > 0 ? " with fewer points" : "");
    }
    if (r->seconds < 1)
        hd_say(&s, " in %.0f ms", r->seconds * 1e3);
    else
        hd_say(&s, " in %.1f s", r->seconds);
    hd_say(&s, " (%s per second), strategy %s", rate, r->config->strategy);
    if (hd_traits_samples(&r->config->traits))
        hd_say(&s, ", seed %llu", (unsigned long long)r->config->seed);
    if (r->config->nworkers > 1)
        hd_say(&s, ", %u workers", r->config->nworkers);
    hd_text_number(r->totals.steps_max, number, sizeof number);
    if (!hd_native_is(r)) /* native executions are not counted in steps */
        hd_say(&s, "; at most %llu thread%s, %s step%s", (unsigned long long)r->totals.threads_max,
            r->totals.threads_max == 1 ? "" : "s", number, r->totals.steps_max == 1 ? "" : "s");
    if (r->totals.tree_max > 0) {
        hd_text_number(r->totals.tree_max, number, sizeof number);
        hd_say(&s, "; wakeup tree: at most %s nodes", number);
    }
    hd_text_wrap(t, 0, 2, line);
}

/* Prints for example "Stages: mix 1,000 executions; dpor 1,000, not finished; mix 24,000". */
static void stages_line(const struct hd_text *t, const struct hd_result *r)
{
    char line[600], number[32];
    struct hd_sentence s = { line, sizeof line, 0 };

    if (r->nstages < 2)
        return;
    hd_say(&s, "Stages: ");
    for (size_t i = 0; i < r->nstages; i++) {
        const struct hd_result_stage *stage = &r->stages[i];
        hd_text_number(stage->executions, number, sizeof number);
        hd_say(&s, "%s%s %s%s%s", i > 0 ? "; " : "", stage->strategy, number, i == 0 ? " executions" : "",
            stage->complete ? ", complete" : stage->proves && !stage->ended ? ", not finished" : "");
    }
    hd_text_wrap(t, 0, 2, line);
}

/* Says where a long test takes most of its steps, if its search was not finished. */
static void long_test_line(const struct hd_text *t, const struct hd_result *r)
{
    char line[600], steps[32], times[32];
    const struct hd_result_longest *l = &r->longest;

    if (r->verdict != HD_VERDICT_BUDGET || l->steps == 0 || l->place[0] == '\0')
        return;
    hd_text_number(l->steps, steps, sizeof steps);
    hd_text_number(l->times, times, sizeof times);
    snprintf(line, sizeof line,
             "The test is long: an execution has %s steps, %s of them at %s. Reduce the rounds there to one or two: "
             "Heddle itself tries different orders (docs/guide.md, \"Making a test small\")", steps, times, l->place);
    hd_text_wrap(t, 0, 2, line);
}

static void notes(const struct hd_text *t, const struct hd_result *r)
{
    char line[400];

    stages_line(t, r);
    long_test_line(t, r);
    if (r->interrupted)
        fputs("Interrupted.\n", t->out);
    if (r->forked && r->fork_reason[0] != '\0') {
        snprintf(line, sizeof line, "Each execution ran in a process of its own, because: %s",
                 r->fork_reason);
        hd_text_wrap(t, 0, 2, line);
    }
    if (r->workers_lost > 0)
        fprintf(t->out, "Worker processes lost and replaced: %u\n", r->workers_lost);
    if (r->discarded > r->for_waits)
        fprintf(t->out, "Executions discarded, because of what was found out about a barrier, heddle_always or the last thread: %llu\n",
                (unsigned long long)(r->discarded - r->for_waits));
    if (r->stopped_early > 0)
        fprintf(t->out, "Time was over before %u finding%s as small as possible (--minimize-budget)\n",
                r->stopped_early, r->stopped_early == 1 ? " was" : "s were");
    if (r->not_looked_at > 0)
        fprintf(t->out, "Time was over before %u finding%s run again to see more stacks (--budget)\n",
                r->not_looked_at, r->not_looked_at == 1 ? " was" : "s were");
    if (r->nfindings == 0) /* each finding prints the whole ledger */
        hd_ledger_text(t, r->ledger, r->verdict == HD_VERDICT_BUDGET && !hd_native_is(r));
}

static void warning(const struct hd_text *t, const struct hd_result_warning *w)
{
    char line[1200];

    fputc('\n', t->out);
    hd_text_ink(t, HD_INK_MARK, "WARNING ");
    snprintf(line, sizeof line, "%s: %s", hd_warning_kind_text(w->kind), w->message);
    hd_text_wrap(t, 8, 2, line);
    for (const char *p = w->details; p != NULL && *p != '\0';) {
        int n = (int)strcspn(p, "\n");

        snprintf(line, sizeof line, "%.*s", n, p);
        fputs("  ", t->out);
        hd_text_wrap(t, 2, 4, line);
        p += n + (p[n] != '\0');
    }
}

static void warnings(const struct hd_text *t, const struct hd_result *r)
{
    for (size_t i = 0; i < r->nwarnings && i < HD_WARNINGS_SHOWN; i++)
        warning(t, &r->warnings[i]);
    if (r->nwarnings > HD_WARNINGS_SHOWN)
        fprintf(t->out, "\n%zu more warnings: see the JSON result (--json)\n",
                r->nwarnings - HD_WARNINGS_SHOWN);
}

/* Prints what --count has counted, for example: "Reached: 24 classes, 11 lazy classes, 3 final states." */
static void list_reached(const struct hd_text *t, const struct hd_result *r)
{
    static const char *const one[] = { "class", "lazy class", "final state" };
    static const char *const many[] = { "classes", "lazy classes", "final states" };
    const char *before = "Reached: ";
    char number[32];

    for (unsigned i = 0; r->reached != NULL && i < HD_REACHED_KINDS; i++) {
        if (!(r->config->count >> i & 1))
            continue;
        hd_text_number(r->reached->n[i], number, sizeof number);
        if (r->reached->unsure >> i & 1)
            fprintf(t->out, "%san unknown number of %s (a mutex is used by more than lock and unlock)", before, many[i]);
        else
            fprintf(t->out, "%s%s%s %s", before, r->reached->full >> i & 1 ? "at least " : "", number,
                    r->reached->n[i] == 1 ? one[i] : many[i]);
        before = ", ";
    }
    if (r->reached != NULL)
        fputs(".\n", t->out);
}

/* Lists what --mute has kept out of the findings. */
static void list_muted(const struct hd_text *t, const struct hd_result *r)
{
    enum { SHOWN = 10 };
    char line[sizeof r->muted->message + 64];

    for (size_t i = 0; i < r->nmuted && i < SHOWN; i++) {
        snprintf(line, sizeof line, "Muted %s: %s", hd_finding_kind_text(r->muted[i].kind), r->muted[i].message);
        hd_text_wrap(t, 0, 2, line);
    }
    if (r->nmuted > SHOWN)
        fprintf(t->out, "... and %zu more that are muted.\n", r->nmuted - SHOWN);
}

void hd_result_summary(const struct hd_text *t, const struct hd_result *r)
{
    char sentence[HD_GUARANTEE_TEXT];

    if (r->recheck != NULL) {
        hd_text_wrap(t, 0, 2, r->recheck->sentence);
        return;
    }
    count_line(t, r);
    hd_linear_text(t, r->linear);
    notes(t, r);
    hd_suppressed_text(t, r->suppressions);
    list_muted(t, r);
    list_reached(t, r);
    if (r->nfindings > 1)
        fprintf(t->out, "%zu different findings.\n", r->nfindings);
    hd_race_outcome_summary(t, r);
    hd_result_guarantee(r, sentence, sizeof sentence);
    const char *word = r->verdict == HD_VERDICT_CLEAN ? "CLEAN"
                       : r->verdict == HD_VERDICT_BUG ? "FAILED"
                                                      : "INCOMPLETE";
    enum hd_ink ink = r->verdict == HD_VERDICT_CLEAN ? HD_INK_GOOD
                      : r->verdict == HD_VERDICT_BUG ? HD_INK_BAD
                                                     : HD_INK_MARK;

    hd_text_ink(t, ink, word);
    fputs(": ", t->out);
    hd_text_wrap(t, (unsigned)strlen(word) + 2, 2, sentence);
    warnings(t, r);
}
