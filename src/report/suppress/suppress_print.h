/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_print.h - connects findings and suppressions: computes the names by which suppressions
 * match a finding, and prints a stanza that matches it. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESS_PRINT_H
#define HD_REPORT_SUPPRESS_SUPPRESS_PRINT_H

#include <stdio.h>

#include "report/evidence/list.h"
#include "report/suppress/suppress.h"

#define HD_SUPP_STACKS 64
#define HD_SUPP_VARIABLES 256

/* The names of a finding.  Large, so hd_supp_names allocates it and hd_supp_names_free frees it. */
struct hd_supp_names {
    struct hd_supp_subject subject; /* points into the other fields */
    const char *program; /* file name of the program */
    char message[512];
    char names[HD_SUPP_VARIABLES][320];
    const char *variables[HD_SUPP_VARIABLES];
    bool telling[HD_SUPP_VARIABLES]; /* the stanza includes the variable, because it has this name in every
                                      * execution */
    unsigned ntelling; /* the first ntelling stacks distinguish this finding; the stanza includes
                        * them */
    struct hd_supp_stack stacks[HD_SUPP_STACKS];
    struct hd_evidence_list evidence;
};

/* Returns the names of the finding.  For a race, the stack of the first access is complete only if
 * r->witness is set. */
struct hd_supp_names *hd_supp_names(const struct hd_report *r);
void hd_supp_names_free(struct hd_supp_names *n);

/* Prints a stanza that matches this finding and few others. */
void hd_supp_print(FILE *out, const struct hd_supp_names *n);

#endif
