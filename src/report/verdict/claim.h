/* SPDX-License-Identifier: BSD-2-Clause
 *
 * claim.h - decides whether a finished search may claim that it has explored everything.
 *
 * A search without reduction may claim this if it reached its end and cut no thread short.
 * Partial-order reduction omits executions that are equivalent to explored ones, which is correct
 * only if the model of dependent operations is.  So every fact that the model does not cover
 * (model/fact.h) removes the claim, and the verdict names its reason.  No search may claim anything
 * if it met something that it could not see or control (model/ledger.h). */
#ifndef HD_REPORT_VERDICT_CLAIM_H
#define HD_REPORT_VERDICT_CLAIM_H

#include <stdint.h>

#include "report/verdict/result.h"

/* True if the strategy omits executions that it considers equivalent to others. */
bool hd_claim_is_reduced(const struct hd_result *r);
/* True if the search omits orders of critical sections that commute. */
bool hd_claim_is_lazy(const struct hd_result *r);

/* True if a data race is suppressed and its accesses are no scheduling points.  Then not all
 * outcomes of the interleavings of synchronisation were seen. */
bool hd_claim_misses_race(const struct hd_result *r);

/* True if heddle_assume excluded every execution.  Then every claim would hold trivially, and say
 * nothing about the program. */
bool hd_claim_is_vacuous(const struct hd_result *r);

/* True if something was not seen or not controlled (model/ledger.h).  Then no search may claim
 * anything, and no sampler may state the probability of a missed bug. */
bool hd_claim_is_denied(const struct hd_result *r);

/* True if the result is denied, and would be complete otherwise. */
bool hd_claim_is_only_denied(const struct hd_result *r);

/* True if a loop was cut that does more than wait.  Then nothing is known about what happens after
 * more rounds of it.  Waiting loops that the runtime parks are not cut (runtime/progress/poll.h). */
bool hd_claim_is_cut(const struct hd_result *r);

/* True if a loop was cut, and the result would be complete otherwise. */
bool hd_claim_is_only_cut(const struct hd_result *r);

/* Returns the facts (enum hd_fact, as bits) that remove the claim of a finished search; 0 if there
 * are none. */
uint64_t hd_claim_gaps(const struct hd_result *r);

/* Returns why this strategy proves nothing here, beside the gaps of all reductions; NULL if there
 * is no such reason. */
const char *hd_claim_no_proof(const struct hd_result *r);

/* Returns how often a directed search has forced each order that it has not seen.  Returns 0 if the
 * search is not directed or has not tried everything yet. */
int hd_claim_idiom_tries(const struct hd_result *r);

/* True if the search finished but claims nothing, and the reason is its gaps. */
bool hd_claim_ended_with_gaps(const struct hd_result *r);

/* Returns the behaviours that C11 allows and that were not tried (enum hd_untried, as bits). */
uint32_t hd_claim_untried(const struct hd_result *r);
/* Removes the lowest bit of *untried and returns the words for it.  Returns NULL if there is none. */
const char *hd_claim_next_untried(uint32_t *untried);

/* True if the result could hold for C11: the program uses nothing weaker than sequential
 * consistency, and nothing else restricts the result. */
bool hd_claim_is_about_c11(const struct hd_result *r);
/* True if the result of a complete search holds for all behaviours that C11 allows. */
bool hd_claim_holds_for_c11(const struct hd_result *r);

/* Removes the first gap that is set in *gaps and returns its reason.  Precondition: *gaps is not 0. */
const char *hd_claim_next_reason(uint64_t *gaps);

#endif
