/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_one.h - one search of one program, from the options to the exit code.  run and verify do
 * this once, --each does it for every test. */
#ifndef HD_CAMPAIGN_SEARCH_ONE_H
#define HD_CAMPAIGN_SEARCH_ONE_H

#include "campaign/session.h"

/* The subject of the search. */
struct hd_one {
    char **argv;       /* arguments; the first is the program */
    const char *test;  /* name of the test; NULL: the program is the test */
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

/* Searches, prints the result, and adds it to the outputs.  The caller writes them later. */
void hd_search_one(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out);

#endif
