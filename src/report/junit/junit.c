/* SPDX-License-Identifier: BSD-2-Clause
 *
 * junit.c - writes results as JUnit XML, as Jenkins and GitLab read it: one <testsuite> for the
 * run, one <testcase> per program or per test of a program.
 *
 * A finding is a <failure>. A program that is not deterministic and an error of Heddle are an
 * <error>. A test that this machine cannot run, or that the framework has disabled, is <skipped>.
 * An exhausted budget without a finding is none of these: a property and <system-out> mention it.
 *
 * Each case is printed to memory when its search is over, because the data that a result refers to
 * is invalid when the next search begins. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "report/junit/xml.h"
#include "report/verdict/format.h"

struct junit {
    FILE *cases;
    char *text;
    size_t size;
    time_t started;
    unsigned tests, failures, errors, skipped;
    double seconds;
};

static void *open_junit(void)
{
    struct junit *j = hd_zeroed(1, sizeof *j);

    j->started = time(NULL);
    j->cases = hd_memory_stream(&j->text, &j->size);
    return j;
}

static void close_junit(void *state)
{
    struct junit *j = state;

    fclose(j->cases);
    free(j->text);
    free(j);
}

static char *keep_text(void *state, const struct hd_format_finding *f)
{
    char *text = hd_copied(f->text);

    (void)state;
    return text;
}

/* ---- test cases ---------------------------------------------------------------------- */

static void property(FILE *out, const char *name, const char *value)
{
    fputs("      <property", out);
    hd_xml_attribute(out, "name", name);
    hd_xml_attribute(out, "value", value);
    fputs("/>\n", out);
}

static void number(FILE *out, const char *name, uint64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    property(out, name, text);
}

static void properties(FILE *out, const struct hd_result *r)
{
    const struct hd_config *c = r->config;
    char text[HD_GUARANTEE_TEXT];

    fputs("    <properties>\n", out);
    property(out, "verdict", hd_verdict_text(r->verdict));
    snprintf(text, sizeof text, "%s%s%s", c->strategy, c->params[0] != '\0' ? ":" : "", c->params);
    property(out, "strategy", text);
    number(out, "seed", c->seed);
    if (c->bound >= 0)
        number(out, "bound", (uint64_t)c->bound);
    number(out, "executions", r->totals.executions);
    property(out, "complete", hd_result_complete(r) ? "true" : "false");
    hd_result_guarantee(r, text, sizeof text);
    property(out, "guarantee", text);
    for (size_t i = 0; i < r->nfindings; i++)
        if (r->findings[i].schedule[0] != '\0')
            property(out, "schedule", r->findings[i].schedule);
    for (uint32_t i = 0; i < hd_ledger_count(r->ledger); i++)
        property(out, "uncontrolled", r->ledger->entry[i].text);
    fputs("    </properties>\n", out);
}

/* Writes the class as the frameworks themselves do: the test's suite, after the user's name of the program if
 * there is one.  A test without a suite has the program's name. */
static void class_of(const struct hd_result *r, char *buf, size_t cap)
{
    const char *program = r->name != NULL ? r->name : r->program, *slash = strrchr(program, '/');

    if (r->suite == 0)
        snprintf(buf, cap, "%s", slash != NULL ? slash + 1 : program);
    else
        snprintf(buf, cap, "%s%s%.*s", r->name != NULL ? r->name : "", r->name != NULL ? "." : "", (int)r->suite,
                 r->test);
}

/* Uses only the names in r. */
static void begin_case(struct junit *j, const struct hd_result *r, double seconds)
{
    char class[1024];

    class_of(r, class, sizeof class);
    fputs("    <testcase", j->cases);
    hd_xml_attribute(j->cases, "classname", class);
    hd_xml_attribute(j->cases, "name", r->suite > 0      ? r->test + r->suite + 1
                                       : r->test != NULL ? r->test
                                       : r->name != NULL ? r->name
                                                         : r->program);
    fprintf(j->cases, " time=\"%.3f\"", seconds);
    j->tests++;
    j->seconds += seconds;
}

/* Prints all findings of a search in one element, because readers accept only one <failure> per
 * case. */
static void outcome(FILE *out, const char *tag, const struct hd_result *r)
{
    const struct hd_result_finding *first = &r->findings[0];
    char message[sizeof first->message + 64];

    snprintf(message, sizeof message, "%s", first->message);
    if (r->nfindings > 1)
        snprintf(message + strlen(message), sizeof message - strlen(message), " (and %zu more)",
                 r->nfindings - 1);
    fprintf(out, "      <%s", tag);
    hd_xml_attribute(out, "type", hd_finding_kind_text(first->kind));
    hd_xml_attribute(out, "message", message);
    fputc('>', out);
    for (size_t i = 0; i < r->nfindings; i++) {
        const struct hd_result_finding *f = &r->findings[i];

        hd_xml_text(out, f->kept[HD_FORMAT_junit] != NULL ? f->kept[HD_FORMAT_junit] : f->message);
    }
    fprintf(out, "</%s>\n", tag);
}

static void plain_error(FILE *out, const char *why)
{
    fputs("      <error type=\"error\"", out);
    hd_xml_attribute(out, "message", why);
    fputs("/>\n", out);
}

static void summary(FILE *out, const struct hd_result *r)
{
    char *text = NULL;
    size_t size;
    struct hd_text t = { .out = hd_memory_stream(&text, &size) };

    hd_result_summary(&t, r);
    fclose(t.out);
    fputs("      <system-out>", out);
    hd_xml_text(out, text);
    fputs("</system-out>\n", out);
    free(text);
}

static void add_result(void *state, const struct hd_result *r, char *const *argv, int exit_code)
{
    struct junit *j = state;

    (void)argv;
    (void)exit_code;
    begin_case(j, r, r->seconds);
    fputs(">\n", j->cases);
    properties(j->cases, r);
    if (r->verdict == HD_VERDICT_BUG && r->nfindings > 0) {
        outcome(j->cases, "failure", r);
        j->failures++;
    } else if (r->verdict == HD_VERDICT_DIVERGED && r->nfindings > 0) {
        outcome(j->cases, "error", r);
        j->errors++;
    } else if (r->verdict == HD_VERDICT_BUG) { /* a replay that hangs, as the recorded execution did */
        fputs("      <failure type=\"livelock\" message=\"it hangs again\"/>\n", j->cases);
        j->failures++;
    } else if (r->verdict == HD_VERDICT_ERROR || r->verdict == HD_VERDICT_DIVERGED) {
        plain_error(j->cases, r->error != NULL ? r->error : "the program did not repeat itself");
        j->errors++;
    }
    if (r->verdict != HD_VERDICT_ERROR)
        summary(j->cases, r);
    fputs("    </testcase>\n", j->cases);
}

static void skip_test(void *state, const struct hd_result *test, const char *why)
{
    struct junit *j = state;

    begin_case(j, test, 0);
    fputs(">\n      <skipped", j->cases);
    hd_xml_attribute(j->cases, "message", why);
    fputs("/>\n    </testcase>\n", j->cases);
    j->skipped++;
}

/* ---- the document ------------------------------------------------------------------------- */

static void totals(FILE *out, const struct junit *j)
{
    fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\"", j->tests,
            j->failures, j->errors, j->skipped, j->seconds);
}

static void write_junit(FILE *out, void *state, const char *program, const struct hd_each_result *each)
{
    struct junit *j = state;
    struct tm utc;
    char when[32];

    (void)each;
    fflush(j->cases); /* flushing sets j->text */
    gmtime_r(&j->started, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &utc);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"heddle\"", out);
    totals(out, j);
    fputs(">\n  <testsuite", out);
    hd_xml_attribute(out, "name", program);
    totals(out, j);
    fprintf(out, " timestamp=\"%s\">\n    <properties>\n", when);
    property(out, "heddle.version", HD_VERSION_TEXT);
    fputs("    </properties>\n", out);
    fputs(j->text, out);
    fputs("  </testsuite>\n</testsuites>\n", out);
}

const struct hd_format hd_format_junit = { .wants_text = true, .open = open_junit,
                                           .finding = keep_text, .result = add_result,
                                           .skip = skip_test, .write = write_junit,
                                           .close = close_junit };
