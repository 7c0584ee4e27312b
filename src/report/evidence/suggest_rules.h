/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suggest_rules.h - the rules of suggest.c.  Each returns false if it does not apply. */
#ifndef HD_REPORT_EVIDENCE_SUGGEST_RULES_H
#define HD_REPORT_EVIDENCE_SUGGEST_RULES_H

#include "report/evidence/suggest.h"

/* Condition variables: a broadcast, or a loop around the wait, would have helped a waiter. */
bool hd_suggest_broadcast(const struct hd_report *r, struct hd_suggestion *out);
bool hd_suggest_wait_loop(const struct hd_report *r, struct hd_suggestion *out);
/* Data races. */
bool hd_suggest_release_acquire(const struct hd_report *r, struct hd_suggestion *out);
bool hd_suggest_lock(const struct hd_report *r, struct hd_suggestion *out);

/* Returns the index of the next event of the thread from `from` on; r->nevents if there is none. */
uint32_t hd_suggest_next(const struct hd_report *r, hd_tid tid, uint32_t from);

#endif
