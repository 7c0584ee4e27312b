/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_one.h - one search of one program, from the options to the exit code.  run and verify do
 * this once, --each does it for every test. */
#ifndef HD_CAMPAIGN_SEARCH_SEARCH_ONE_H
#define HD_CAMPAIGN_SEARCH_SEARCH_ONE_H

#include "campaign/findings/findings.h"
#include "campaign/setup/outputs.h"
#include "report/verdict/result.h"

/* The subject of the search. */
struct hd_one {
    char **argv;       /* arguments; the first is the program */
    const char *test;  /* name of the test; NULL: the program is the test */
    unsigned suite;    /* length of the suite's name at the start of the test's name; 0: none */
    bool preloads;     /* libheddle-each.so selects the test; otherwise the arguments do */
};

/* A summary of the result. */
struct hd_one_result {
    int code;
    enum hd_verdict verdict; /* valid only if `ran` */
    bool ran;
    bool interrupted;
    uint64_t executions;
    double seconds;
    size_t nfindings;
    char what[512]; /* the first finding, or the error */
};

/* One of several searches of the same program (stages.h). */
struct hd_stage {
    /* Called when the search is over.  If it returns true, nothing is shown, and *out stays as it is. */
    bool (*is_given_up)(struct hd_findings *all, void *ctx);
    /* Adds the work of earlier stages to the result before it is shown. */
    void (*complete)(void *ctx, const struct hd_session *s, struct hd_result *r);
    void *ctx;
    unsigned number; /* number of the stage, for its state */
};

/* Like hd_search_one, without further stages.  stage may be NULL. */
void hd_search_stage(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                     const struct hd_stage *stage, struct hd_one_result *out);

/* Searches, prints the result, and adds it to the outputs.  The caller writes them later. */
void hd_search_one(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out);

#endif
