/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.h - how findings of each kind are reported: the texts for the kind, and the functions that
 * describe a finding of that kind.  A kind without functions of its own is reported as the failure
 * of one thread. */
#ifndef HD_REPORT_EVIDENCE_KINDS_H
#define HD_REPORT_EVIDENCE_KINDS_H

#include "base/json.h"
#include "report/evidence/decisive.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

struct hd_kind_report {
    /* Writes the finding as one sentence. */
    void (*message)(const struct hd_report *r, char *buf, size_t cap);
    /* Prints all lines that say what went wrong.  NULL: the message and the failing thread. */
    void (*cause)(const struct hd_text *t, const struct hd_report *r);
    /* Appends the stacks that make up the finding, and those that only this kind has. */
    void (*evidence)(struct hd_evidence_list *l, const struct hd_report *r);
    /* Guesses the decisive events if no comparison found any.  NULL: none are guessed. */
    void (*decisive)(const struct hd_report *r, struct hd_decisive *d);
    /* Adds events that a reader needs besides those of a comparison.  NULL: none. */
    void (*essential)(const struct hd_report *r, struct hd_decisive *d);
    /* Prints a JSON object that only this kind has, and the key of that object.  NULL: none. */
    void (*details)(struct hd_json *j, const struct hd_report *r);
    const char *details_key;
};

/* Returns the functions for the kind of the finding, never NULL. */
const struct hd_kind_report *hd_kind_report(const struct hd_report *r);

/* The texts of a kind, from model/finding_kinds.def. */
struct hd_rule {
    const char *name, *summary, *help;
};

/* All kinds: the findings first, then the warnings. */
extern const struct hd_rule hd_rules[];
extern const size_t hd_rule_count;
extern const size_t hd_rule_findings; /* number of rows that are findings */

/* Returns the index of the row with that name, or hd_rule_count if there is none. */
size_t hd_rule_find(const char *name);

#endif
