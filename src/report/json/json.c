/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.c - prints the result of a run as one JSON object, for scripts.  Within one version, fields
 * are only added and the meaning of a field does not change. */
#include <stdlib.h>

#include "base/check.h"
#include "report/evidence/kinds.h"
#include "report/print/json.h"
#include "report/suppress/suppressed.h"
#include "report/verdict/format.h"
#include "report/verdict/ledger_print.h"

#define JSON_VERSION 1

/* ---- members of the object ----------------------------------------------------------- */

static void text(FILE *out, const char *key, const char *value)
{
    fprintf(out, ", \"%s\": ", key);
    hd_json_string(out, value);
}

static void number(FILE *out, const char *key, uint64_t value)
{
    fprintf(out, ", \"%s\": %llu", key, (unsigned long long)value);
}

static void number_or_null(FILE *out, const char *key, bool known, int64_t value)
{
    if (known)
        fprintf(out, ", \"%s\": %lld", key, (long long)value);
    else
        fprintf(out, ", \"%s\": null", key);
}

static void truth(FILE *out, const char *key, bool value)
{
    fprintf(out, ", \"%s\": %s", key, value ? "true" : "false");
}

static void findings(FILE *out, const struct hd_result *r)
{
    fputs(",\n \"findings\": [", out);
    for (size_t i = 0; i < r->nfindings; i++) {
        const struct hd_result_finding *f = &r->findings[i];

        fprintf(out, "%s\n  {\"id\": ", i > 0 ? "," : "");
        hd_json_string(out, f->id);
        text(out, "kind", hd_finding_kind_text(f->kind));
        text(out, "message", f->message);
        number_or_null(out, "execution", f->execution != 0, (int64_t)f->execution);
        number(out, "preemptions", f->preemptions);
        if (f->schedule[0] != '\0')
            text(out, "schedule", f->schedule);
        else
            fputs(", \"schedule\": null", out);
        if (f->why.sentence[0] != '\0')
            text(out, "why", f->why.sentence);
        else
            fputs(", \"why\": null", out);
        fprintf(out, ", \"repeated\": %s", f->again == HD_CONFIRMED_UNKNOWN ? "null"
                                           : f->again == HD_CONFIRMED_YES   ? "true" : "false");
        if (f->race_key != 0) {
            text(out, "status", hd_race_outcome_word(f->fate));
            truth(out, "both_orders_seen", (f->seen & HD_RACE_BOTH) == HD_RACE_BOTH);
            truth(out, "fails_in_one_order", (f->seen & HD_RACE_ONE_WAY) != 0);
        }
        if (f->kept[HD_FORMAT_json] != NULL)
            fputs(f->kept[HD_FORMAT_json], out);
        fputc('}', out);
    }
    fputs("]", out);
}

static void warnings(FILE *out, const struct hd_result *r)
{
    fputs(",\n \"warnings\": [", out);
    for (size_t i = 0; i < r->nwarnings; i++) {
        const struct hd_result_warning *w = &r->warnings[i];

        fprintf(out, "%s\n  {\"kind\": ", i > 0 ? "," : "");
        hd_json_string(out, hd_warning_kind_text(w->kind));
        text(out, "message", w->message);
        text(out, "details", w->details != NULL ? w->details : "");
        fputc('}', out);
    }
    fputs("]", out);
}

static void uncontrolled(FILE *out, const struct hd_result *r)
{
    fputs(",\n \"uncontrolled\": ", out);
    hd_ledger_sentences_json(out, r->ledger);
    fputs(",\n \"ledger\": ", out);
    hd_ledger_json(out, r->ledger);
}

static void unseen(FILE *out, const struct hd_result *r)
{
    fputs(",\n \"unseen\": [", out);
    for (size_t i = 0; i < r->nunseen; i++) {
        const struct hd_result_unseen *u = &r->unseen[i];

        fprintf(out, "%s\n  {\"object\": ", i > 0 ? "," : "");
        hd_json_string(out, u->object);
        fputs(", \"function\": ", out);
        hd_json_string(out, u->function);
        fprintf(out, ", \"kind\": \"%s\", \"ran_with_threads\": %s, \"allowed\": %s}", u->kind,
                u->ran ? "true" : "false", u->allowed ? "true" : "false");
    }
    fputs("]", out);
}

/* Prints the injected faults, the number of executions that assumptions excluded, and the
 * assumptions that no execution satisfied. */
static void conditions(FILE *out, const struct hd_result *r)
{
    const char *before = "";

    fputs(",\n \"faults\": [", out);
    for (unsigned i = 0; i < HD_FAULTS; i++)
        if (r->config->faults & (1u << i)) {
            fputs(before, out);
            hd_json_string(out, hd_fault_words[i]);
            before = ", ";
        }
    fprintf(out, "], \"fault_bound\": %u", r->config->faults != 0 ? r->config->fault_bound : 0);
    number(out, "assumed", r->totals.assumed);
    fputs(", \"never_assumed\": [", out);
    for (uint32_t i = 0; i < r->nvain; i++) {
        fputs(i > 0 ? ", " : "", out);
        hd_json_string(out, r->vain[i]);
    }
    putc(']', out);
}

static void predicted(FILE *out, const struct hd_result *r)
{
    fputs(",\n \"predicted_races\": [", out);
    for (size_t i = 0; i < r->npredicted; i++) {
        if (i > 0)
            fputs(", ", out);
        hd_json_string(out, r->predicted[i]);
    }
    fputs("]", out);
}

static void places(FILE *out, const char *name, const char *const *list, uint32_t n)
{
    fprintf(out, ",\n \"%s\": [", name);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            fputs(", ", out);
        hd_json_string(out, list[i]);
    }
    fputs("]", out);
}

static void measurements(FILE *out, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;

    fprintf(out, ",\n \"seconds\": %.6f, \"executions_per_second\": %.0f", r->seconds,
            hd_result_rate(r));
    number(out, "threads_max", t->threads_max);
    number(out, "steps_max", t->steps_max);
    number_or_null(out, "first_bug_execution", t->first_buggy != 0, (int64_t)t->first_buggy);
}

/* Prints the values for the tables of `heddle study`, and those that distinguish two runs. */
static void study(FILE *out, const struct hd_result *r)
{
    const struct hd_totals *t = &r->totals;

    fprintf(out, ",\n \"trace_hash\": \"%016llx\"", (unsigned long long)t->trace_hash);
    number(out, "buggy", t->buggy);
    number_or_null(out, "last_bound", t->begun > 0 && t->bound >= 0, t->bound);
    number_or_null(out, "bug_bound", t->bug_bound_set != 0 && t->bug_bound >= 0, t->bug_bound);
    number(out, "new_at_bound", t->at_bound);
    number(out, "buggy_at_bound", t->buggy_at_bound);
    number(out, "enabled_max", t->enabled_max);
    number(out, "loop_cuts", t->loop_cuts);
    number(out, "grace_cuts", t->grace_cuts);
    number(out, "too_long", t->too_long);
    number_or_null(out, "wakeup_tree_max", t->tree_max > 0, (int64_t)t->tree_max);
    truth(out, "fell_back", t->fallback != HD_FALLBACK_NONE);
    number(out, "bound_estimated", t->estimated);
    number(out, "hangs", r->hangs);
    number(out, "jobs", r->config->nworkers > 1 ? r->config->nworkers : 1);
    text(out, "isolation", r->forked ? "fork" : "inproc");
    number(out, "workers_lost", r->workers_lost);
    number(out, "discarded", r->discarded + r->totals.discarded);
    number(out, "racing_sites", r->totals.sites);
    truth(out, "interrupted", r->interrupted);
    if (r->error != NULL)
        text(out, "error", r->error);
}

void hd_result_json(FILE *out, const struct hd_result *r)
{
    char sentence[HD_GUARANTEE_TEXT];

    hd_result_guarantee(r, sentence, sizeof sentence);
    fprintf(out, "{\"version\": %d", JSON_VERSION);
    text(out, "program", r->program);
    if (r->test != NULL)
        text(out, "test", r->test);
    text(out, "strategy", r->config->strategy);
    text(out, "verdict", hd_verdict_text(r->verdict));
    truth(out, "complete", hd_result_complete(r));
    fputs(",\n \"guarantee\": ", out);
    hd_json_string(out, sentence);
    fprintf(out, ",\n \"executions\": %llu", (unsigned long long)r->totals.executions);
    number(out, "redundant", r->totals.redundant);
    number(out, "passes", r->totals.restarts + 1);
    number_or_null(out, "bound", r->config->bound >= 0, r->config->bound);
    number(out, "seed", r->config->seed);
    measurements(out, r);
    study(out, r);
    findings(out, r);
    warnings(out, r);
    uncontrolled(out, r);
    unseen(out, r);
    places(out, "weak_atomics", r->weak, r->nweak);
    places(out, "cut_loops", r->loops, r->nloops);
    conditions(out, r);
    if (r->config->races == HD_RACES_PREDICT)
        predicted(out, r);
    hd_suppressed_json(out, r->suppressions, r->nsuppressed);
    fputs("}\n", out);
}

/* ---- the file ----------------------------------------------------------------------------- */

struct json {
    FILE *results; /* objects separated by commas */
    char *text;
    size_t size;
    unsigned n;
};

static void *open_json(void)
{
    struct json *j = calloc(1, sizeof *j);

    HD_INVARIANT(j != NULL, "out of memory");
    j->results = open_memstream(&j->text, &j->size);
    HD_INVARIANT(j->results != NULL, "out of memory");
    return j;
}

static void close_json(void *state)
{
    struct json *j = state;

    fclose(j->results);
    free(j->text);
    free(j);
}

/* Returns the members of the finding's object that only its kind has. */
static char *keep_details(void *state, const struct hd_format_finding *f)
{
    const struct hd_kind_report *kind = hd_kind_report(f->report);
    char *members = NULL;
    size_t size;

    (void)state;
    if (kind->details == NULL)
        return NULL;
    FILE *out = open_memstream(&members, &size);

    HD_INVARIANT(out != NULL, "out of memory");
    fprintf(out, ",\n   \"%s\": ", kind->details_key);
    kind->details(out, f->report);
    fclose(out);
    return members;
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct json *j = state;

    (void)argv;
    (void)exit_code;
    fputs(j->n++ > 0 ? "," : "", j->results);
    hd_result_json(j->results, r);
}

static void write_json(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    struct json *j = state;

    fflush(j->results); /* sets j->text */
    if (each == NULL) {
        fputs(j->text, out);
        return;
    }
    fputs("{\"version\": 1, \"program\": ", out);
    hd_json_string(out, program);
    fprintf(out, ", \"framework\": \"%s\", \"verdict\": \"%s\", \"exit_code\": %d,\n \"skipped\": [",
            each->framework, each->verdict, each->exit_code);
    for (unsigned i = 0; i < each->nskipped; i++) {
        fputs(i > 0 ? ", " : "", out);
        hd_json_string(out, each->skipped[i]);
    }
    fprintf(out, "],\n \"tests\": [\n%s]}\n", j->text);
}

const struct hd_format hd_format_json = { .open = open_json, .finding = keep_details,
                                          .result = add_result, .write = write_json,
                                          .close = close_json };
