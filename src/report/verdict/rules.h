/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rules.h - what each kind of finding is, and what to do about it: for `heddle list`, and
 * for readers of the machine formats who have never seen Heddle. */
#ifndef HD_REPORT_VERDICT_RULES_H
#define HD_REPORT_VERDICT_RULES_H

#include <stddef.h>

struct hd_rule {
    const char *name;    /* the kind, as everywhere */
    const char *summary; /* what it is; no full stop */
    const char *help;    /* what it means for the program, and what helps */
};

/* Findings first, then warnings. */
extern const struct hd_rule hd_rules[];
extern const size_t hd_rule_count;
extern const size_t hd_rule_findings; /* so many of them are findings */

/* The row of that name; hd_rule_count when there is none. */
size_t hd_rule_find(const char *name);

#endif
