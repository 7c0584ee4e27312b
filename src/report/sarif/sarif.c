/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sarif.c - writes the document around the findings: the tool with its rules, one invocation per
 * search, what could not be controlled as notifications, and the results. */
#include "report/sarif/sarif.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/evidence/kinds.h"

/* Depth of the elements of a list in the document. */
enum { DEPTH = 4 };

static void list_open(struct hd_sarif_list *l)
{
    hd_json_open(&l->json, hd_memory_stream(&l->text, &l->size), DEPTH);
}

static void list_close(struct hd_sarif_list *l)
{
    if (l->json.out != NULL)
        fclose(l->json.out);
    free(l->text);
}

/* Begins the next element and returns the stream for it. */
static struct hd_json *next_of(struct hd_sarif_list *l)
{
    hd_json_object(hd_json_line(&l->json));
    return &l->json;
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

static void put_rule(struct hd_json *j, const char *kind, const char *level)
{
    size_t rule = hd_rule_find(kind);

    hd_json_put_string(j, "ruleId", kind);
    if (rule < hd_rule_count)
        hd_json_put_uint(j, "ruleIndex", rule);
    hd_json_put_string(j, "level", level);
}

/* Returns the SARIF level.  A race that was explored completely, and after which no execution
 * fails, is still a race but less urgent. */
static const char *level_of(const struct hd_result_finding *f)
{
    return f->race_key != 0 && f->race_outcome == HD_RACE_EXPLORED ? "warning" : "error";
}

static void put_finding(struct hd_json *j, const struct hd_result *r, const struct hd_result_finding *f)
{
    put_rule(j, hd_finding_kind_text(f->kind), level_of(f));
    hd_json_line(j);
    if (f->kept[HD_FORMAT_sarif] != NULL)
        hd_json_raw(j, f->kept[HD_FORMAT_sarif]);
    else
        hd_sarif_message(j, "message", f->message);
    hd_json_put_object(hd_json_line(j), "properties");
    hd_json_put_string(j, "program", r->program);
    hd_json_put_string(j, "id", f->id);
    hd_json_put_uint(j, "preemptions", f->preemptions);
    if (f->execution != 0)
        hd_json_put_uint(j, "execution", f->execution);
    if (f->schedule[0] != '\0')
        hd_json_put_string(j, "schedule", f->schedule);
    if (f->race_key != 0)
        hd_json_put_string(j, "status", hd_race_outcome_word(f->race_outcome));
    hd_json_end(j);
    hd_json_end(j);
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

static void put_warning(struct hd_json *j, struct hd_sarif_files *files, const struct hd_result_warning *w)
{
    uint64_t pcs[HD_MAX_THREADS];
    unsigned n = warning_places(w, pcs, HD_MAX_THREADS);

    put_rule(j, hd_warning_kind_text(w->kind), "warning");
    hd_sarif_message(hd_json_line(j), "message", w->message);
    for (unsigned i = 0; i < n; i++) {
        struct hd_frame f[HD_MAX_FRAMES];
        unsigned nf = hd_symbols_frames(w->report.symbols, pcs[i], true, f, HD_MAX_FRAMES);

        if (i < 2)
            hd_json_put_array(j, i == 0 ? "locations" : "relatedLocations");
        hd_sarif_location(j, files, hd_symbols_own_frame(f, nf), i == 0 ? NULL : "another thread",
                          i == 0 ? -1 : (int)i);
        if (i == 0 || i == n - 1)
            hd_json_end(j);
    }
    hd_json_end(j);
}

/* ---- invocations ----------------------------------------------------------------------------- */

static void put_time(struct hd_json *j, const char *key, time_t t)
{
    struct tm utc;
    char text[32];

    gmtime_r(&t, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    hd_json_put_string(j, key, text);
}

static void put_notification(struct hd_json *j, const char *level, const char *message)
{
    hd_json_object(j);
    hd_json_put_string(j, "level", level);
    hd_sarif_message(j, "message", message);
    hd_json_end(j);
}

static void put_notifications(struct hd_json *j, const struct hd_result *r)
{
    hd_json_put_array(hd_json_line(j), "toolExecutionNotifications");
    if (r->error != NULL)
        put_notification(j, "error", r->error);
    for (uint32_t i = 0; i < hd_ledger_count(r->ledger); i++)
        put_notification(j, hd_entry_effect(&r->ledger->entry[i]) == HD_DENIES ? "warning" : "note",
                         r->ledger->entry[i].text);
    hd_json_end(j);
}

static void put_invocation(struct hd_json *j, const struct hd_result *r, char *const *argv, int exit_code)
{
    time_t now = time(NULL);
    char sentence[HD_GUARANTEE_TEXT];

    hd_json_put_bool(j, "executionSuccessful", r->verdict != HD_VERDICT_ERROR);
    hd_json_put_int(j, "exitCode", exit_code);
    put_time(j, "startTimeUtc", now - (time_t)r->seconds);
    put_time(j, "endTimeUtc", now);
    hd_json_put_object(j, "workingDirectory");
    hd_json_put_string(j, "uriBaseId", "SRCROOT");
    hd_json_end(j);
    put_notifications(j, r);
    hd_result_guarantee(r, sentence, sizeof sentence);
    hd_json_put_object(hd_json_line(j), "properties");
    hd_json_put_string(j, "verdict", hd_verdict_text(r->verdict));
    hd_json_put_bool(j, "complete", hd_result_complete(r));
    hd_json_put_string(j, "guarantee", sentence);
    hd_json_put_string(j, "strategy", r->config->strategy);
    hd_json_put_array(j, "program");
    for (unsigned i = 0; argv[i] != NULL; i++)
        hd_json_string(j, argv[i]);
    hd_json_end(j);
    hd_json_put_uint(j, "seed", r->config->seed);
    hd_json_put_uint(j, "executions", r->totals.executions);
    hd_json_end(j);
    hd_json_end(j);
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

static void put_rules(struct hd_json *j)
{
    hd_json_put_array(hd_json_line(j), "rules");
    for (size_t i = 0; i < hd_rule_count; i++) {
        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "id", hd_rules[i].name);
        hd_sarif_message(j, "shortDescription", hd_rules[i].summary);
        hd_sarif_message(j, "help", hd_rules[i].help);
        hd_json_put_object(j, "defaultConfiguration");
        hd_json_put_string(j, "level", i < hd_rule_findings ? "error" : "warning");
        hd_json_end(j);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void put_tool(struct hd_json *j)
{
    hd_json_put_object(hd_json_line(j), "tool");
    hd_json_put_object(j, "driver");
    hd_json_put_string(j, "name", "Heddle");
    hd_json_put_string(j, "version", HD_VERSION_TEXT);
    hd_json_put_string(j, "semanticVersion", HD_VERSION_TEXT);
    hd_json_put_string(j, "fullName", "Heddle, a tester of concurrent programs");
    put_rules(j);
    hd_json_end(j);
    hd_json_end(j);
}

static void put_list(struct hd_json *j, const char *key, const struct hd_sarif_list *l)
{
    fflush(l->json.out); /* flushing sets the text */
    hd_json_put_array(hd_json_line(j), key);
    hd_json_raw(j, l->text);
    hd_json_end(j);
}

static void put_run(struct hd_json *j, struct hd_sarif *s)
{
    hd_json_object(j);
    put_tool(j);
    hd_json_put_string(hd_json_line(j), "columnKind", "utf16CodeUnits");
    hd_sarif_bases(hd_json_line(j), &s->files);
    hd_json_put_object(hd_json_line(j), "automationDetails");
    hd_json_put_string(j, "id", "heddle/");
    hd_json_end(j);
    hd_sarif_artifacts(hd_json_line(j), &s->files);
    put_list(j, "invocations", &s->invocations);
    put_list(j, "results", &s->results);
    hd_json_end(j);
}

static void write_sarif(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    struct hd_json j;

    (void)program;
    (void)each;
    hd_json_open(&j, out, 0);
    hd_json_object(&j);
    hd_json_put_string(&j, "$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                                      "sarif-schema-2.1.0.json");
    hd_json_put_string(&j, "version", "2.1.0");
    hd_json_put_array(hd_json_line(&j), "runs");
    put_run(&j, state);
    hd_json_end(&j);
    hd_json_end(&j);
    fputc('\n', out);
}

/* ---- the format ---------------------------------------------------------------------------------- */

static void *open_sarif(void)
{
    struct hd_sarif *s = hd_zeroed(1, sizeof *s);

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
