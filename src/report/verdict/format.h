/* SPDX-License-Identifier: BSD-2-Clause
 *
 * format.h - what a format of reports in files consists of.  A finding is described when it
 * is shown, while its record is at hand; a result comes when its search is over, and several
 * results (--each) go into one file, which is written at the end. */
#ifndef HD_REPORT_VERDICT_FORMAT_H
#define HD_REPORT_VERDICT_FORMAT_H

#include "report/verdict/result.h"

/* The first event happens before the second, by more than being of one thread: numbers of
 * events of a report.  Those that follow from others are left out. */
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
    const char *text;             /* as on a terminal, if the format wants it */
    const struct hd_order *order; /* if the format wants it */
};

/* The results of the tests of a program (--each), around their own. */
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
    /* What is to be kept of the finding until its result comes, in
     * hd_result_finding.kept[HD_FORMAT_...]; it is freed with free.  NULL: nothing. */
    char *(*finding)(void *state, const struct hd_format_finding *f);
    /* argv: of the program; exit_code: of the tool. */
    void (*result)(void *state, const struct hd_result *r, char *const *argv, int exit_code);
    /* A test that was not run; may be NULL. */
    void (*skip)(void *state, const char *program, const char *test, const char *why);
    /* each: NULL when the program itself was the test. */
    void (*write)(FILE *out, void *state, const char *program, const struct hd_each_result *each);
    void (*close)(void *state);
};

#define HD_FORMAT(name, verbs, help) extern const struct hd_format hd_format_##name;
#include "report/verdict/formats.def"
#undef HD_FORMAT

#endif
