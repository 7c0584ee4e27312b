/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outputs.h - the files that are asked for: --json, --junit, --sarif and --html, any of them at once.
 * They are written at the end, each of them whole or not at all; several searches
 * (--each) go into the same files. */
#ifndef HD_CAMPAIGN_OUTPUTS_H
#define HD_CAMPAIGN_OUTPUTS_H

#include "campaign/options.h"
#include "report/html/html.h"
#include "report/junit/junit.h"
#include "report/sarif/sarif.h"
#include "report/verdict/result.h"

struct hd_outputs {
    const struct hd_options *o;
    FILE *json; /* objects of results, with commas between them */
    char *json_text;
    size_t json_size;
    unsigned n; /* results so far */
    struct hd_junit junit;
    struct hd_sarif sarif;
    struct hd_html *html;
};

/* Can all that is asked for be written, as things are?  False after having said what not:
 * better now than after hours. */
bool hd_outputs_writable(const struct hd_options *o);

/* Would none of them overwrite that file, which is read?  False after having said which:
 * "--json would overwrite the program, PATH". */
bool hd_outputs_spare(const struct hd_options *o, const char *path, const char *what);

/* Does one of them go to standard output, so that nothing else may? */
bool hd_outputs_take_stdout(const struct hd_options *o);

void hd_outputs_open(struct hd_outputs *out, const struct hd_options *o);

/* Keep of a finding what is wanted; report: its plain text (not kept). */
void hd_outputs_finding(struct hd_outputs *out, const struct hd_report *r, const char *report,
                        struct hd_result_finding *kept);
/* Is that text wanted? */
bool hd_outputs_want_report(const struct hd_outputs *out);

/* The result of a search of argv, for which the tool would exit with that code. */
void hd_outputs_add(struct hd_outputs *out, const struct hd_result *r, char *const *argv, int code);

/* What the tests of a program came to (--each), around their results. */
struct hd_each_result {
    const char *framework;
    const char *verdict;
    int exit_code;
    const char *const *skipped; /* tests that were not run */
    unsigned nskipped;
};

/* Write the files; each is NULL when the program itself was the test.  False after having
 * said what could not be written.  Nothing is written when there are no results. */
bool hd_outputs_write(struct hd_outputs *out, const char *program, const struct hd_each_result *each);

void hd_outputs_close(struct hd_outputs *out);

#endif
