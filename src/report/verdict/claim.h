/* SPDX-License-Identifier: BSD-2-Clause
 *
 * claim.h - may a finished search say that it has seen everything?
 *
 * A search that leaves nothing out may when it has got to its end and has cut no thread
 * short.  Partial-order
 * reduction leaves out what cannot differ, and that is only as true as the model of
 * what depends on what.  So what the model does not cover (model/fact.h) takes the
 * claim away, and has a sentence.  And no search may that has met what it could not see or
 * control (model/ledger.h). */
#ifndef HD_REPORT_VERDICT_CLAIM_H
#define HD_REPORT_VERDICT_CLAIM_H

#include <stdint.h>

#include "report/verdict/result.h"

/* Does the strategy leave out what it takes for equivalent? */
bool hd_claim_is_reduced(const struct hd_result *r);
/* Does the search leave out orders of critical sections that commute? */
bool hd_claim_is_lazy(const struct hd_result *r);

/* Is there a suppressed data race whose accesses are no scheduling points?  Then not even
 * the interleavings of synchronisation have been seen with all their outcomes. */
bool hd_claim_misses_race(const struct hd_result *r);

/* Has heddle_assume left out every execution?  Then all is true of the rest, and nothing is
 * known of the program. */
bool hd_claim_is_vacuous(const struct hd_result *r);

/* Is there something that was not seen or not controlled, so that no search may claim
 * anything, and no sampler tell what it has missed (model/ledger.h)? */
bool hd_claim_is_denied(const struct hd_result *r);

/* Would it be complete but for that? */
bool hd_claim_is_only_denied(const struct hd_result *r);

/* Was a loop cut that is no pure wait?  Then nothing is known of what comes after more
 * rounds of it; waits that were parked are not cut (runtime/progress/poll.h). */
bool hd_claim_is_cut(const struct hd_result *r);

/* Would it be complete but for that? */
bool hd_claim_is_only_cut(const struct hd_result *r);

/* What takes the claim of a finished search away: enum hd_fact; 0: it may claim. */
uint64_t hd_claim_gaps(const struct hd_result *r);

/* What keeps the strategy from a claim, beside the gaps of all reductions; NULL: nothing. */
const char *hd_claim_no_proof(const struct hd_result *r);

/* How often a directed search has forced each order that it has not seen, when it has nothing
 * more to try; else 0. */
int hd_claim_idiom_tries(const struct hd_result *r);

/* Is it by its gaps that a search without findings claims nothing? */
bool hd_claim_ended_with_gaps(const struct hd_result *r);

/* What C11 allows some operation of the program, and was not tried: enum hd_untried. */
uint32_t hd_claim_untried(const struct hd_result *r);
/* The words for the lowest of them, which is removed; NULL: there is none. */
const char *hd_claim_next_untried(uint32_t *untried);

/* Is there nothing weaker than sequential consistency that C11 gives the program? */
bool hd_claim_is_about_c11(const struct hd_result *r);
/* Does what a complete search has seen hold for all that C11 allows? */
bool hd_claim_holds_for_c11(const struct hd_result *r);

/* Why, for the lowest of these gaps; it is removed from *gaps. */
const char *hd_claim_next_reason(uint64_t *gaps);

#endif
