/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.h - how findings of each kind are reported: the words for the kind, and the functions
 * that describe one of them.  A kind without functions of its own is reported as the failure
 * of one thread. */
#ifndef HD_REPORT_EVIDENCE_KINDS_H
#define HD_REPORT_EVIDENCE_KINDS_H

#include "report/evidence/decisive.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

struct hd_kind_report {
    /* One sentence. */
    void (*message)(const struct hd_report *r, char *buf, size_t cap);
    /* All lines that say what went wrong; NULL: the message with its thread. */
    void (*cause)(const struct hd_text *t, const struct hd_report *r);
    /* The stacks that the finding consists of, and those that only this kind has. */
    void (*evidence)(struct hd_evidence_list *l, const struct hd_report *r);
    /* Events to look at first where no comparison has found any; NULL: none. */
    void (*decisive)(const struct hd_report *r, struct hd_decisive *d);
    /* Events that belong to those of a comparison; NULL: none. */
    void (*essential)(const struct hd_report *r, struct hd_decisive *d);
    /* An object of its own in JSON, and its key; NULL: none. */
    void (*details)(FILE *out, const struct hd_report *r);
    const char *details_key;
};

const struct hd_kind_report *hd_kind_report(const struct hd_report *r);

/* The words for a kind: model/finding_kinds.def. */
struct hd_rule {
    const char *name, *summary, *help;
};

/* Findings first, then warnings. */
extern const struct hd_rule hd_rules[];
extern const size_t hd_rule_count;
extern const size_t hd_rule_findings; /* so many of them are findings */

/* The row of that name; hd_rule_count when there is none. */
size_t hd_rule_find(const char *name);

#endif
