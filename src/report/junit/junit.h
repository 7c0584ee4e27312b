/* SPDX-License-Identifier: BSD-2-Clause
 *
 * junit.h - results as JUnit XML, as Jenkins and GitLab read it: one <testsuite> for the
 * run, one <testcase> for each program (or each test of it).
 *
 * A finding is a <failure>; a program that does not repeat itself and an error of ours is an
 * <error>; what this machine cannot run, or the framework has switched off, is <skipped>.  A
 * budget that is used up without a finding is none of these: it says so in a property and in
 * <system-out>. */
#ifndef HD_REPORT_JUNIT_JUNIT_H
#define HD_REPORT_JUNIT_JUNIT_H

#include <time.h>

#include "report/verdict/result.h"

struct hd_junit {
    FILE *cases; /* NULL: not open */
    char *text;
    size_t size;
    time_t started;
    unsigned tests, failures, errors, skipped;
    double seconds;
};

void hd_junit_open(struct hd_junit *j);

/* The result of one search. */
void hd_junit_add(struct hd_junit *j, const struct hd_result *r);

/* A test that was not run. */
void hd_junit_skip(struct hd_junit *j, const char *program, const char *test, const char *why);

/* The document. */
void hd_junit_write(FILE *out, struct hd_junit *j, const char *program);

void hd_junit_close(struct hd_junit *j);

#endif
