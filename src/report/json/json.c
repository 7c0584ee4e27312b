/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.c - prints the result of a run as one JSON object, for scripts.  Within one version, fields
 * are only added and the meaning of a field does not change. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/evidence/kinds.h"
#include "report/evidence/list.h"
#include "report/evidence/suggest.h"
#include "report/evidence/variables.h"
#include "report/suppress/suppressed.h"
#include "report/verdict/format.h"
#include "report/verdict/ledger_print.h"

#define JSON_VERSION 1

/* ---- members of the object ----------------------------------------------------------- */

static void finding(struct hd_json *j, const struct hd_result_finding *f)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "id", f->id);
    hd_json_put_string(j, "kind", hd_finding_kind_text(f->kind));
    hd_json_put_string(j, "message", f->message);
    hd_json_put_int_or_null(j, "execution", f->execution != 0, (int64_t)f->execution);
    hd_json_put_uint(j, "preemptions", f->preemptions);
    hd_json_put_string_or_null(j, "schedule", f->schedule);
    hd_json_put_string_or_null(j, "why", f->why.sentence);
    hd_json_key(j, "repeated");
    if (f->again == HD_CONFIRMED_UNKNOWN)
        hd_json_null(j);
    else
        hd_json_bool(j, f->again == HD_CONFIRMED_YES);
    if (f->race_key != 0) {
        hd_json_put_string(j, "status", hd_race_outcome_word(f->race_outcome));
        hd_json_put_bool(j, "both_orders_seen", (f->seen & HD_RACE_BOTH) == HD_RACE_BOTH);
        hd_json_put_string(j, "phase", hd_race_phase_word(f->phase));
        hd_json_put_bool(j, "fails_in_one_order", (f->seen & HD_RACE_ONE_WAY) != 0);
    }
    if (f->kept[HD_FORMAT_json] != NULL)
        hd_json_raw(hd_json_line(j), f->kept[HD_FORMAT_json]);
    hd_json_end(j);
}

static void warning(struct hd_json *j, const struct hd_result_warning *w)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "kind", hd_warning_kind_text(w->kind));
    hd_json_put_string(j, "message", w->message);
    hd_json_put_string(j, "details", w->details != NULL ? w->details : "");
    hd_json_end(j);
}

static void unseen(struct hd_json *j, const struct hd_result_unseen *u)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "object", u->object);
    hd_json_put_string(j, "function", u->function);
    hd_json_put_string(j, "kind", u->kind);
    hd_json_put_bool(j, "ran_with_threads", u->ran);
    hd_json_put_bool(j, "allowed", u->allowed);
    hd_json_end(j);
}

/* Begins a member that is a list, on its own line. */
static void list(struct hd_json *j, const char *key)
{
    hd_json_put_array(hd_json_line(j), key);
}

/* Prints the findings, the warnings, and what Heddle did not control or see. */
static void lists(struct hd_json *j, const struct hd_result *r)
{
    list(j, "findings");
    for (size_t i = 0; i < r->nfindings; i++)
        finding(j, &r->findings[i]);
    hd_json_end(j);
    list(j, "warnings");
    for (size_t i = 0; i < r->nwarnings; i++)
        warning(j, &r->warnings[i]);
    hd_json_end(j);
    hd_json_key(hd_json_line(j), "uncontrolled");
    hd_ledger_sentences_json(j, r->ledger);
    hd_json_key(hd_json_line(j), "ledger");
    hd_ledger_json(j, r->ledger);
    list(j, "unseen");
    for (size_t i = 0; i < r->nunseen; i++)
        unseen(j, &r->unseen[i]);
    hd_json_end(j);
}

static void places(struct hd_json *j, const char *name, const char *const *all, uint32_t n)
{
    list(j, name);
    for (uint32_t i = 0; i < n; i++)
        hd_json_string(j, all[i]);
    hd_json_end(j);
}

/* Prints the injected faults, the number of executions that assumptions excluded, and the
 * assumptions that no execution satisfied. */
static void conditions(struct hd_json *j, const struct hd_result *r)
{
    list(j, "faults");
    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (r->config->faults & (1u << i))
            hd_json_string(j, hd_fault_words[i]);
    hd_json_end(j);
    hd_json_put_uint(j, "fault_bound", r->config->faults != 0 ? r->config->fault_bound : 0);
    hd_json_put_uint(j, "assumed", r->totals.assumed);
    hd_json_put_array(j, "never_assumed");
    for (uint32_t i = 0; i < r->nunsatisfied; i++)
        hd_json_string(j, r->unsatisfied[i]);
    hd_json_end(j);
    hd_json_put_array(j, "never_aborted");
    for (uint32_t i = 0; i < r->nnever_aborted; i++)
        hd_json_string(j, r->never_aborted[i]);
    hd_json_end(j);
}

static void muted(struct hd_json *j, const struct hd_result *r)
{
    list(j, "muted");
    for (size_t i = 0; i < r->nmuted; i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "kind", hd_finding_kind_text(r->muted[i].kind));
        hd_json_put_string(j, "message", r->muted[i].message);
        hd_json_put_uint(j, "execution", r->muted[i].execution);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void predicted(struct hd_json *j, const struct hd_result *r)
{
    list(j, "predicted_races");
    for (size_t i = 0; i < r->npredicted; i++)
        hd_json_string(j, r->predicted[i]);
    hd_json_end(j);
}

static void measurements(struct hd_json *j, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;

    hd_json_key(hd_json_line(j), "seconds");
    hd_json_fixed(j, r->seconds, 6);
    hd_json_key(j, "executions_per_second");
    hd_json_fixed(j, hd_result_rate(r), 0);
    hd_json_put_uint(j, "threads_max", t->threads_max);
    hd_json_put_uint(j, "steps_max", t->steps_max);
    hd_json_put_int_or_null(j, "first_bug_execution", t->first_buggy != 0, (int64_t)t->first_buggy);
}

/* Prints the values for the tables of `heddle study`, and those that distinguish two runs. */
static void study(struct hd_json *j, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;
    char hash[17];

    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)t->trace_hash);
    hd_json_put_string(hd_json_line(j), "trace_hash", hash);
    hd_json_put_uint(j, "buggy", t->buggy);
    hd_json_put_int_or_null(j, "last_bound", t->begun > 0 && t->bound >= 0, t->bound);
    hd_json_put_int_or_null(j, "bug_bound", t->bug_bound_set != 0 && t->bug_bound >= 0, t->bug_bound);
    hd_json_put_uint(j, "new_at_bound", t->at_bound);
    hd_json_put_uint(j, "buggy_at_bound", t->buggy_at_bound);
    hd_json_put_uint(j, "enabled_max", t->enabled_max);
    hd_json_put_uint(j, "loop_cuts", t->loop_cuts);
    hd_json_put_uint(j, "grace_cuts", t->grace_cuts);
    hd_json_put_uint(j, "too_long", t->too_long);
    hd_json_put_int_or_null(j, "wakeup_tree_max", t->tree_max > 0, (int64_t)t->tree_max);
    hd_json_put_bool(j, "fell_back", t->fallback != HD_FALLBACK_NONE);
    hd_json_put_uint(j, "bound_estimated", t->estimated);
    hd_json_put_uint(j, "hangs", r->hangs);
    hd_json_put_uint(j, "jobs", r->config->nworkers > 1 ? r->config->nworkers : 1);
    hd_json_put_string(j, "isolation", r->forked ? "fork" : "inproc");
    hd_json_put_uint(j, "workers_lost", r->workers_lost);
    hd_json_put_uint(j, "discarded", r->discarded + r->totals.discarded);
    hd_json_put_uint(j, "racing_sites", r->totals.sites);
    hd_json_put_bool(j, "interrupted", r->interrupted);
    hd_json_put_uint(j, "resumed", r->resumed);
    if (r->error != NULL)
        hd_json_put_string(j, "error", r->error);
}

/* Prints the stages of a search.  The last one decided the result. */
static void stages(struct hd_json *j, const struct hd_result *r)
{
    if (r->nstages == 0)
        return;
    list(j, "stages");
    for (size_t i = 0; i < r->nstages; i++) {
        const struct hd_result_stage *s = &r->stages[i];

        hd_json_object(j);
        hd_json_put_string(j, "strategy", s->strategy);
        hd_json_put_uint(j, "executions", s->executions);
        hd_json_key(j, "seconds");
        hd_json_fixed(j, s->seconds, 6);
        hd_json_put_bool(j, "complete", s->complete);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void job(struct hd_json *j, const struct hd_result_job *b)
{
    hd_json_object(hd_json_line(j));
    hd_json_put_string(j, "kind", b->kind);
    hd_json_put_string(j, "points", b->points);
    hd_json_put_string(j, "state", b->state);
    hd_json_put_uint(j, "executions", b->executions);
    hd_json_key(j, "seconds");
    hd_json_fixed(j, b->seconds, 3);
    hd_json_key(j, "cpu_seconds");
    hd_json_fixed(j, b->cpu, 3);
    hd_json_key(j, "explored");
    hd_json_double(j, b->left > 0 ? b->seconds / (b->seconds + b->left) : NAN, 4);
    hd_json_key(j, "seconds_left");
    hd_json_double(j, b->left > 0 ? b->left : NAN, 4);
    hd_json_key(j, "seconds_left_least");
    hd_json_double(j, b->left > 0 ? b->left_least : NAN, 4);
    hd_json_put_bool(j, "estimate_holds", b->left > 0 && b->holds);
    hd_json_put_uint(j, "parked", b->parked);
    hd_json_end(j);
}

static void quicksand(struct hd_json *j, const struct hd_result_quicksand *q)
{
    if (q == NULL)
        return;
    hd_json_key(hd_json_line(j), "quicksand");
    hd_json_object(j);
    hd_json_key(j, "seconds");
    hd_json_fixed(j, q->seconds, 3);
    hd_json_key(j, "cpu_seconds");
    hd_json_fixed(j, q->cpu, 3);
    hd_json_key(j, "manager_cpu_seconds");
    hd_json_fixed(j, q->manager, 3);
    list(j, "jobs");
    for (size_t i = 0; i < q->njobs; i++)
        job(j, &q->job[i]);
    hd_json_end(j);
    list(j, "open_races");
    for (size_t i = 0; i < q->nraces; i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "places", q->race[i].places);
        hd_json_put_bool(j, "both_orders_seen", q->race[i].both);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_json_end(j);
}

static void recheck(struct hd_json *j, const struct hd_result_recheck *c)
{
    if (c == NULL)
        return;
    hd_json_key(hd_json_line(j), "recheck");
    hd_json_object(j);
    hd_json_put_string(j, "schedule", c->schedule);
    hd_json_put_string(j, "outcome", c->outcome);
    hd_json_put_bool(j, "near", c->near);
    hd_json_put_uint(j, "switches", c->switches);
    hd_json_put_uint(j, "followed", c->followed);
    hd_json_put_uint(j, "waited", c->held);
    hd_json_end(j);
}

/* An unknown number is null.  If a number may be too small, its name is also listed in at_least. */
static void reached(struct hd_json *j, const struct hd_result *r)
{
    if (r->reached == NULL)
        return;
    hd_json_key(hd_json_line(j), "reached");
    hd_json_object(j);
    for (unsigned i = 0; i < HD_REACHED_KINDS; i++)
        if (r->config->count >> i & 1)
            hd_json_put_int_or_null(j, hd_reached_words[i], !(r->reached->unsure >> i & 1),
                                    (int64_t)r->reached->n[i]);
    hd_json_put_array(j, "at_least");
    for (unsigned i = 0; i < HD_REACHED_KINDS; i++)
        if (r->reached->full >> i & 1)
            hd_json_string(j, hd_reached_words[i]);
    hd_json_end(j);
    hd_json_end(j);
}

static void linear(struct hd_json *j, const struct hd_result_linear *l)
{
    if (l == NULL)
        return;
    hd_json_key(hd_json_line(j), "linear");
    hd_json_object(j);
    hd_json_put_uint(j, "orders", l->orders);
    hd_json_put_uint(j, "outcomes", l->outcomes);
    hd_json_put_bool(j, "sampled", l->sampled);
    hd_json_put_uint(j, "compared", l->judged);
    hd_json_put_uint(j, "by_rule", l->by_rule);
    hd_json_put_array(j, "rules");
    for (unsigned i = 0; i < HD_LIN_COMPONENTS && l->saved[i].name[0] != '\0'; i++) {
        hd_json_object(j);
        hd_json_put_string(j, "component", l->saved[i].name);
        hd_json_put_string(j, "rule", hd_lin_rule_words[l->saved[i].rule]);
        hd_json_put_uint(j, "executions", l->saved[i].n);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_json_put_bool(j, "overlapped", l->overlapped);
    hd_json_put_bool(j, "state", l->has_state);
    hd_json_end(j);
}

static void longest(struct hd_json *j, const struct hd_result *r)
{
    if (r->longest.steps == 0)
        return;
    hd_json_key(hd_json_line(j), "longest");
    hd_json_object(j);
    hd_json_put_uint(j, "steps", r->longest.steps);
    hd_json_put_string(j, "place", r->longest.place);
    hd_json_put_uint(j, "times", r->longest.times);
    hd_json_end(j);
}

static void result(struct hd_json *j, const struct hd_result *r)
{
    char sentence[HD_GUARANTEE_TEXT];

    hd_result_guarantee(r, sentence, sizeof sentence);
    hd_json_object(j);
    hd_json_put_uint(j, "version", JSON_VERSION);
    hd_json_put_string(j, "program", r->program);
    if (r->test != NULL)
        hd_json_put_string(j, "test", r->test);
    hd_json_put_string(j, "strategy", r->config->strategy);
    hd_json_put_string(j, "verdict", hd_verdict_text(r->verdict));
    hd_json_put_bool(j, "complete", hd_result_complete(r));
    hd_json_put_string(hd_json_line(j), "guarantee", sentence);
    hd_json_put_uint(hd_json_line(j), "executions", r->totals.executions);
    hd_json_put_uint(j, "redundant", r->totals.redundant);
    hd_json_put_uint(j, "over_bound", r->totals.over_bound);
    hd_json_put_uint(j, "passes", r->totals.restarts + 1);
    hd_json_put_int_or_null(j, "bound", r->config->bound >= 0, r->config->bound);
    hd_json_put_uint(j, "seed", r->config->seed);
    measurements(j, r);
    recheck(j, r->recheck);
    reached(j, r);
    linear(j, r->linear);
    stages(j, r);
    quicksand(j, r->quicksand);
    study(j, r);
    lists(j, r);
    places(j, "weak_atomics", r->weak, r->nweak);
    places(j, "cut_loops", r->loops, r->nloops);
    longest(j, r);
    conditions(j, r);
    if (r->config->races == HD_RACES_PREDICT)
        predicted(j, r);
    hd_suppressed_json(j, r->suppressions, r->nsuppressed);
    if (r->mutes != 0)
        muted(j, r);
    hd_json_end(j);
    fputc('\n', j->out);
}

void hd_result_json(FILE *out, const struct hd_result *r)
{
    struct hd_json j;

    hd_json_open(&j, out, 0);
    result(&j, r);
}

/* ---- the file ----------------------------------------------------------------------------- */

struct json {
    struct hd_json results; /* the JSON objects of the results */
    char *text;
    size_t size;
};

static void *open_json(void)
{
    struct json *j = hd_zeroed(1, sizeof *j);

    hd_json_open(&j->results, hd_memory_stream(&j->text, &j->size), 0);
    return j;
}

static void close_json(void *state)
{
    struct json *j = state;

    fclose(j->results.out);
    free(j->text);
    free(j);
}

static void suggestion(struct hd_json *j, const struct hd_report *r)
{
    struct hd_suggestion s;

    hd_json_key(j, "suggestion");
    if (!hd_suggestion_find(r, &s)) {
        hd_json_null(j);
        return;
    }
    hd_json_object(j);
    hd_json_put_string(j, "idea", s.idea);
    hd_json_put_string(j, "text", s.text);
    hd_json_end(j);
}

/* Returns the members of the finding's object that need its record: the suggestion, the values of
 * variables, the stacks, and what only its kind has. */
static char *keep_details(void *state, const struct hd_format_finding *f)
{
    enum { DEPTH = 3 }; /* depth of a member of a finding */
    const struct hd_kind_report *kind = hd_kind_report(f->report);
    char *members = NULL;
    struct hd_json j;
    size_t size;

    (void)state;
    hd_json_open(&j, hd_memory_stream(&members, &size), DEPTH);
    suggestion(&j, f->report);
    hd_variables_json(&j, f->report);
    hd_stacks_json(&j, f->report);
    if (kind->details != NULL) {
        hd_json_key(&j, kind->details_key);
        kind->details(&j, f->report);
    }
    fclose(j.out);
    return members;
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct json *j = state;

    (void)argv;
    (void)exit_code;
    result(&j->results, r);
}

static void write_json(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    struct json *results = state;
    struct hd_json j;

    fflush(results->results.out); /* flushing sets the text */
    hd_json_open(&j, out, 0);
    if (each == NULL) {
        hd_json_raw(&j, results->text);
        return;
    }
    hd_json_object(&j);
    hd_json_put_uint(&j, "version", JSON_VERSION);
    hd_json_put_string(&j, "program", program);
    hd_json_put_string(&j, "framework", each->framework);
    hd_json_put_string(&j, "verdict", each->verdict);
    hd_json_put_int(&j, "exit_code", each->exit_code);
    list(&j, "skipped");
    for (unsigned i = 0; i < each->nskipped; i++)
        hd_json_string(&j, each->skipped[i]);
    hd_json_end(&j);
    list(&j, "tests");
    hd_json_raw(hd_json_line(&j), results->text);
    hd_json_end(&j);
    hd_json_end(&j);
    fputc('\n', out);
}

const struct hd_format hd_format_json = { .open = open_json, .finding = keep_details,
                                          .result = add_result, .write = write_json,
                                          .close = close_json };
