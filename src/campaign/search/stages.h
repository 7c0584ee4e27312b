/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stages.h - `heddle run` without --strategy: samples and tries to prove, in turn.
 *
 * Most bugs are found by the first few sampled executions, and small programs are proved correct by a few hundred
 * executions of a reduced search.  Neither replaces the other, so they take turns:
 *
 *   sample 1,000 executions    finds what is easy to find
 *   prove, 1,000 executions    small programs
 *   sample up to 25,000        rare bugs
 *   prove, for some seconds    programs with up to some hundred thousand classes (T5: or before)
 *   sample up to the limit
 *
 * T1  Each stage is a search of its own.  So it claims only what `heddle verify` would claim.
 * T2  The sampling stages together draw the executions that one sampling search would draw, in the same order: a
 *     stage begins with the index after the last one.  Only what samplers learn about the size of the program is lost
 *     between stages.
 * T3  The first finding other than a data race ends the search.  If a stage ends with data races only, a last stage
 *     samples from the beginning, finds them again and continues past them.
 * T4  No finding of a stage is lost: either that stage is the last one, or the last one finds it again.  The stage
 *     after races may find nothing, because no time is left or because only the proof meets the race.  Then the stage
 *     that found the race is repeated as the last one, even beyond the limits, and ends at the race.
 * T5  The second attempt to prove comes right after the first one if the first one's estimate
 *     (search/core/estimate.h) says that it will end in its time.  Once the proof is complete, there is nothing left
 *     for sampling to find.
 * T6  A search that was interrupted is continued (--resume) in its stage.  The stages before it are not run again:
 *     their results are saved when they are over (session/saved.h).  The limits count from the beginning of the whole
 *     search.
 * T7  In a program with hardware transactions the stage after races has scheduling points at the accesses that race, unless
 *     the user has named points.  There the usual race is one of a transaction with the plain code that runs when it is
 *     aborted, and it does harm only if the transaction comes between two accesses of that code. */
#ifndef HD_CAMPAIGN_SEARCH_STAGES_H
#define HD_CAMPAIGN_SEARCH_STAGES_H

#include "campaign/search/search_one.h"
#include "campaign/setup/options.h"

/* Searches in stages; see hd_search_one. */
void hd_stages_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                      struct hd_one_result *out);

#endif
