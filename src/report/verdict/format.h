/* SPDX-License-Identifier: BSD-2-Clause
 *
 * format.h - the interface of a report format.  The format describes a finding when Heddle shows
 * it, because its record exists only then.  It receives a result when the search is over.  Several
 * results (--each) share one file, which is written at the end. */
#ifndef HD_REPORT_VERDICT_FORMAT_H
#define HD_REPORT_VERDICT_FORMAT_H

#include "report/verdict/result.h"

/* A happens-before edge between two threads: `from` happens before `to`. Both are numbers of events
 * of a report.  The list omits edges that follow from others. */
struct hd_order_edge {
    uint32_t from, to;
};

struct hd_order {
    const struct hd_order_edge *edges;
    size_t n;
};

struct hd_format_finding {
    const struct hd_report *report;
    const struct hd_result_finding *finding;
    const char *text;             /* the finding as on a terminal; NULL unless a format has wants_text */
    const struct hd_order *order; /* NULL unless the format has wants_order */
};

/* What the tests of a program (--each) have in common, in addition to the result of each. */
struct hd_each_result {
    const char *framework;
    const char *verdict;
    int exit_code;
    const char *const *skipped; /* tests that were not run */
    unsigned nskipped;
};

struct hd_format {
    bool wants_text, wants_order;
    void *(*open)(void);
    /* Describes a finding.  Returns the text that the session keeps until the result is complete,
     * in hd_result_finding.kept[HD_FORMAT_...], and frees with free.  NULL: nothing to keep. */
    char *(*finding)(void *state, const struct hd_format_finding *f);
    /* Adds a result.  argv: arguments of the program; exit_code: exit code of Heddle. */
    void (*result)(void *state, const struct hd_result *r, char *const *argv, int exit_code);
    /* Adds a test that was not run.  May be NULL. */
    void (*skip)(void *state, const struct hd_result *test, const char *why);
    /* Writes the document.  each: NULL if the program itself is the test. */
    void (*write)(FILE *out, void *state, const char *program, const struct hd_each_result *each);
    void (*close)(void *state);
};

#define HD_FORMAT(name, verbs, help) extern const struct hd_format hd_format_##name;
#include "report/verdict/formats.def"
#undef HD_FORMAT

#endif
