/* SPDX-License-Identifier: BSD-2-Clause
 *
 * junit.c - writing JUnit XML.  Cases are put together as text while the searches run: what
 * a result points to is gone when the next one begins. */
#include "report/junit/junit.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/junit/xml.h"

void hd_junit_open(struct hd_junit *j)
{
    *j = (struct hd_junit){ .started = time(NULL) };
    j->cases = open_memstream(&j->text, &j->size);
    HD_INVARIANT(j->cases != NULL, "out of memory");
}

void hd_junit_close(struct hd_junit *j)
{
    if (j->cases != NULL)
        fclose(j->cases);
    free(j->text);
    *j = (struct hd_junit){ .cases = NULL };
}

/* ---- one case --------------------------------------------------------------------------- */

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

static void begin_case(struct hd_junit *j, const char *program, const char *test, double seconds)
{
    const char *slash = strrchr(program, '/');

    fputs("    <testcase", j->cases);
    hd_xml_attribute(j->cases, "classname", slash != NULL ? slash + 1 : program);
    hd_xml_attribute(j->cases, "name", test != NULL ? test : program);
    fprintf(j->cases, " time=\"%.3f\"", seconds);
    j->tests++;
    j->seconds += seconds;
}

/* All findings of a search: readers take one <failure> for each case. */
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
    for (size_t i = 0; i < r->nfindings; i++)
        hd_xml_text(out, r->findings[i].report != NULL ? r->findings[i].report
                                                        : r->findings[i].message);
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
    struct hd_text t = { .out = open_memstream(&text, &size) };

    HD_INVARIANT(t.out != NULL, "out of memory");
    hd_result_summary(&t, r);
    fclose(t.out);
    fputs("      <system-out>", out);
    hd_xml_text(out, text);
    fputs("</system-out>\n", out);
    free(text);
}

void hd_junit_add(struct hd_junit *j, const struct hd_result *r)
{
    begin_case(j, r->program, r->test, r->seconds);
    fputs(">\n", j->cases);
    properties(j->cases, r);
    if (r->verdict == HD_VERDICT_BUG && r->nfindings > 0) {
        outcome(j->cases, "failure", r);
        j->failures++;
    } else if (r->verdict == HD_VERDICT_DIVERGED && r->nfindings > 0) {
        outcome(j->cases, "error", r);
        j->errors++;
    } else if (r->verdict == HD_VERDICT_BUG) { /* a replay that hangs, as it was recorded */
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

void hd_junit_skip(struct hd_junit *j, const char *program, const char *test, const char *why)
{
    begin_case(j, program, test, 0);
    fputs(">\n      <skipped", j->cases);
    hd_xml_attribute(j->cases, "message", why);
    fputs("/>\n    </testcase>\n", j->cases);
    j->skipped++;
}

/* ---- the document ------------------------------------------------------------------------- */

static void totals(FILE *out, const struct hd_junit *j)
{
    fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\"", j->tests,
            j->failures, j->errors, j->skipped, j->seconds);
}

void hd_junit_write(FILE *out, struct hd_junit *j, const char *program)
{
    struct tm utc;
    char when[32];

    fflush(j->cases); /* j->text is valid from here */
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
