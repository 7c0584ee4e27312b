/* SPDX-License-Identifier: BSD-2-Clause
 *
 * search_one.h - one search of one program, from its options to its exit code: what run and
 * verify do once, and --each for every test. */
#ifndef HD_CAMPAIGN_SEARCH_ONE_H
#define HD_CAMPAIGN_SEARCH_ONE_H

#include "campaign/session.h"

/* What is searched. */
struct hd_one {
    char **argv;       /* of the program, which is the first */
    const char *test;  /* its name; NULL: the program is the test */
    bool preloads;     /* libheddle-each.so picks it; else the arguments do */
};

/* What came of it, in short. */
struct hd_one_result {
    int code;
    enum hd_verdict verdict; /* valid only when it ran */
    bool ran;
    bool interrupted;
    uint64_t executions;
    double seconds;
    size_t nfindings;
    char what[512]; /* the first finding, or what went wrong */
};

/* Search, print, and hand the result to the outputs; they are not written yet. */
void hd_search_one(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                   struct hd_one_result *out);

#endif
