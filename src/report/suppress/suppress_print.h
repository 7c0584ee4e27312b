/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_print.h - from a finding to what suppressions say of it, in both directions:
 * its names for judging, and the stanza that covers it. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESS_PRINT_H
#define HD_REPORT_SUPPRESS_SUPPRESS_PRINT_H

#include <stdio.h>

#include "report/evidence/list.h"
#include "report/suppress/suppress.h"

#define HD_SUPP_STACKS 64
#define HD_SUPP_VARIABLES 256

/* A finding by its names.  Large; made by hd_supp_names, freed by hd_supp_names_free. */
struct hd_supp_names {
    struct hd_supp_subject subject; /* points into the rest */
    const char *program; /* the module of the program itself */
    char message[512];
    char names[HD_SUPP_VARIABLES][320];
    const char *variables[HD_SUPP_VARIABLES];
    bool telling[HD_SUPP_VARIABLES]; /* the stanza names it: it has that name in every execution */
    unsigned ntelling; /* so many stacks, the first ones, make it this finding */
    struct hd_supp_stack stacks[HD_SUPP_STACKS];
    struct hd_evidence_list evidence;
};

/* Of a race the stack of the first access is complete only with r->witness. */
struct hd_supp_names *hd_supp_names(const struct hd_report *r);
void hd_supp_names_free(struct hd_supp_names *n);

/* The stanza that covers this finding and little else. */
void hd_supp_print(FILE *out, const struct hd_supp_names *n);

#endif
