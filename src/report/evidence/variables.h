/* SPDX-License-Identifier: BSD-2-Clause
 *
 * variables.h - the accesses to plain variables that a report shows with their values.
 *
 * These are accesses next to decisive events and to the failure.  The variable must matter: at
 * least two threads use it while there is more than one thread, and one of them writes it; or the
 * line that fails reads it.  Added to these are the writes of other threads from which their values
 * come, and all writes to the same variables between the first decisive event and the failure. */
#ifndef HD_REPORT_EVIDENCE_VARIABLES_H
#define HD_REPORT_EVIDENCE_VARIABLES_H

#include "report/evidence/decisive.h"

struct hd_variable {
    const struct hd_plain_access *access;
    const struct hd_plain_access *before; /* a read of the same line, as in x++; otherwise NULL */
    bool near; /* next to a decisive event or to the failure, or the source of a value there */
};

struct hd_variables {
    struct hd_variable *all; /* in temporal order */
    uint32_t n;
};

/* Selects the accesses.  hd_variables_free frees them. */
void hd_variables_find(const struct hd_report *r, const struct hd_decisive *d, struct hd_variables *v);
void hd_variables_free(struct hd_variables *v);

/* Fills in the access in words: "read", "write" or "update", the variable and its value. */
void hd_variable_operation(const struct hd_report *r, const struct hd_variable *v, struct hd_operation *o);

/* Prints the accesses as a JSON array.  Defined in report/json/variables_json.c. */
struct hd_json;
void hd_variables_json(struct hd_json *j, const struct hd_report *r);

#endif
