/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif.c - writes the document around the findings: the tool with its rules, one invocation per
 * search, what could not be controlled as notifications, and the results. */
#include "report/sarif/sarif.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "report/evidence/kinds.h"
#include "report/print/json.h"

static void list_open(struct hd_sarif_list *l)
{
    *l = (struct hd_sarif_list){ .n = 0 };
    l->out = open_memstream(&l->text, &l->size);
    HD_INVARIANT(l->out != NULL, "out of memory");
}

static void list_close(struct hd_sarif_list *l)
{
    if (l->out != NULL)
        fclose(l->out);
    free(l->text);
}

/* Begins the next element and returns the stream for it. */
static FILE *next_of(struct hd_sarif_list *l)
{
    fputs(l->n++ > 0 ? ",\n  " : "\n  ", l->out);
    return l->out;
}

void hd_sarif_open(struct hd_sarif *s)
{
    s->steps = 0;
    hd_sarif_files_open(&s->files);
    list_open(&s->results);
    list_open(&s->invocations);
}

void hd_sarif_close(struct hd_sarif *s)
{
    hd_sarif_files_close(&s->files);
    list_close(&s->results);
    list_close(&s->invocations);
    memset(s, 0, sizeof *s);
}

/* ---- results ------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *key, const char *value)
{
    fprintf(out, ", \"%s\": ", key);
    hd_json_string(out, value);
}

static void put_rule(FILE *out, const char *kind, const char *level)
{
    size_t rule = hd_rule_find(kind);

    fputs("{\"ruleId\": ", out);
    hd_json_string(out, kind);
    if (rule < hd_rule_count)
        fprintf(out, ", \"ruleIndex\": %zu", rule);
    put_text(out, "level", level);
    fputs(",\n   ", out);
}

/* Returns the SARIF level.  A race that was explored completely, and after which no execution
 * fails, is still a race but less urgent. */
static const char *level_of(const struct hd_result_finding *f)
{
    return f->race_key != 0 && f->fate == HD_RACE_EXPLORED ? "warning" : "error";
}

static void put_finding(FILE *out, const struct hd_result *r, const struct hd_result_finding *f)
{
    put_rule(out, hd_finding_kind_text(f->kind), level_of(f));
    if (f->kept[HD_FORMAT_sarif] != NULL) {
        fputs(f->kept[HD_FORMAT_sarif], out);
    } else {
        fputs("\"message\": ", out);
        hd_sarif_message(out, f->message);
    }
    fputs(",\n   \"properties\": {\"program\": ", out);
    hd_json_string(out, r->program);
    put_text(out, "id", f->id);
    fprintf(out, ", \"preemptions\": %u", f->preemptions);
    if (f->execution != 0)
        fprintf(out, ", \"execution\": %llu", (unsigned long long)f->execution);
    if (f->schedule[0] != '\0')
        put_text(out, "schedule", f->schedule);
    if (f->race_key != 0)
        put_text(out, "status", hd_race_outcome_word(f->fate));
    fputs("}}", out);
}

/* Collects the places of a warning: where each thread of a cycle requests its second lock, or where
 * a thread was created.  Returns their number. */
static unsigned warning_places(const struct hd_result_warning *w, uint64_t *pcs, unsigned max)
{
    const struct hd_report *r = &w->report;
    unsigned n = 0;

    for (uint32_t i = 0; i < r->nlocks && n < max; i++)
        pcs[n++] = r->locks[i].wanted_pc;
    if (n == 0 && r->finding->pc != 0)
        pcs[n++] = r->finding->pc;
    return n;
}

static void put_warning(FILE *out, struct hd_sarif_files *files, const struct hd_result_warning *w)
{
    uint64_t pcs[HD_LOCK_CYCLE];
    unsigned n = warning_places(w, pcs, HD_LOCK_CYCLE);

    put_rule(out, hd_warning_kind_text(w->kind), "warning");
    fputs("\"message\": ", out);
    hd_sarif_message(out, w->message);
    for (unsigned i = 0; i < n; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        unsigned nf = hd_symbols_frames(w->report.symbols, pcs[i], true, f, HD_MAX_FRAMES);

        fputs(i == 0 ? ", \"locations\": [" : i == 1 ? "], \"relatedLocations\": [" : ", ", out);
        hd_sarif_location(out, files, hd_symbols_own_frame(f, nf), i == 0 ? NULL : "another thread",
                          i == 0 ? -1 : (int)i);
    }
    fputs(n > 0 ? "]}" : "}", out);
}

/* ---- invocations ----------------------------------------------------------------------------- */

static void put_time(FILE *out, const char *key, time_t t)
{
    struct tm utc;
    char text[32];

    gmtime_r(&t, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    put_text(out, key, text);
}

static void put_notifications(FILE *out, const struct hd_result *r)
{
    fputs(",\n   \"toolExecutionNotifications\": [", out);
    if (r->error != NULL) {
        fputs("{\"level\": \"error\", \"message\": ", out);
        hd_sarif_message(out, r->error);
        fputc('}', out);
    }
    for (uint32_t i = 0; i < hd_ledger_count(r->ledger); i++) {
        fputs(i > 0 || r->error != NULL ? ", " : "", out);
        fprintf(out, "{\"level\": \"%s\", \"message\": ",
                hd_entry_effect(&r->ledger->entry[i]) == HD_DENIES ? "warning" : "note");
        hd_sarif_message(out, r->ledger->entry[i].text);
        fputc('}', out);
    }
    fputs("]", out);
}

static void put_invocation(FILE *out, const struct hd_result *r, char *const *argv, int exit_code)
{
    time_t now = time(NULL);
    char sentence[HD_GUARANTEE_TEXT];

    fprintf(out, "{\"executionSuccessful\": %s, \"exitCode\": %d",
            r->verdict != HD_VERDICT_ERROR ? "true" : "false", exit_code);
    put_time(out, "startTimeUtc", now - (time_t)r->seconds);
    put_time(out, "endTimeUtc", now);
    fputs(", \"workingDirectory\": {\"uriBaseId\": \"SRCROOT\"}", out);
    put_notifications(out, r);
    hd_result_guarantee(r, sentence, sizeof sentence);
    fputs(",\n   \"properties\": {\"verdict\": ", out);
    hd_json_string(out, hd_verdict_text(r->verdict));
    fprintf(out, ", \"complete\": %s", hd_result_complete(r) ? "true" : "false");
    put_text(out, "guarantee", sentence);
    put_text(out, "strategy", r->config->strategy);
    fputs(", \"program\": [", out);
    for (unsigned i = 0; argv[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", out);
        hd_json_string(out, argv[i]);
    }
    fputs("]", out);
    fprintf(out, ", \"seed\": %llu, \"executions\": %llu}}", (unsigned long long)r->config->seed,
            (unsigned long long)r->totals.executions);
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct hd_sarif *s = state;

    for (size_t i = 0; i < r->nfindings; i++)
        put_finding(next_of(&s->results), r, &r->findings[i]);
    for (size_t i = 0; i < r->nwarnings; i++)
        put_warning(next_of(&s->results), &s->files, &r->warnings[i]);
    put_invocation(next_of(&s->invocations), r, argv, exit_code);
}

/* ---- the document -------------------------------------------------------------------------------- */

static void put_driver(FILE *out)
{
    fputs("{\"name\": \"Heddle\", \"version\": \"" HD_VERSION_TEXT "\", \"semanticVersion\": \"" HD_VERSION_TEXT
          "\",\n  \"fullName\": \"Heddle, a tester of concurrent programs\",\n  \"rules\": [", out);
    for (size_t i = 0; i < hd_rule_count; i++) {
        fputs(i > 0 ? ",\n   {\"id\": " : "\n   {\"id\": ", out);
        hd_json_string(out, hd_rules[i].name);
        fputs(", \"shortDescription\": ", out);
        hd_sarif_message(out, hd_rules[i].summary);
        fputs(", \"help\": ", out);
        hd_sarif_message(out, hd_rules[i].help);
        fprintf(out, ", \"defaultConfiguration\": {\"level\": \"%s\"}}",
                i < hd_rule_findings ? "error" : "warning");
    }
    fputs("]}", out);
}

static void write_sarif(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    struct hd_sarif *s = state;

    (void)program;
    (void)each;
    fflush(s->results.out); /* sets the texts of the streams */
    fflush(s->invocations.out);
    fputs("{\"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json\", \"version\": \"2.1.0\",\n"
          "\"runs\": [{\n \"tool\": {\"driver\": ", out);
    put_driver(out);
    fputs("},\n \"columnKind\": \"utf16CodeUnits\",\n \"originalUriBaseIds\": ", out);
    hd_sarif_bases(out, &s->files);
    fputs(",\n \"automationDetails\": {\"id\": \"heddle/\"},\n \"artifacts\": ", out);
    hd_sarif_artifacts(out, &s->files);
    fprintf(out, ",\n \"invocations\": [%s],\n \"results\": [%s]}]}\n", s->invocations.text,
            s->results.text);
}

/* ---- the format ---------------------------------------------------------------------------------- */

static void *open_sarif(void)
{
    struct hd_sarif *s = malloc(sizeof *s);

    HD_INVARIANT(s != NULL, "out of memory");
    hd_sarif_open(s);
    return s;
}

static void close_sarif(void *state)
{
    hd_sarif_close(state);
    free(state);
}

static char *keep_finding(void *state, const struct hd_format_finding *f)
{
    return hd_sarif_finding(state, f->report, f->finding->message);
}

const struct hd_format hd_format_sarif = { .open = open_sarif, .finding = keep_finding,
                                           .result = add_result, .write = write_sarif,
                                           .close = close_sarif };
