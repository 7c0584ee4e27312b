/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand.h - --strategy quicksand: runs many searches of one program, each over its own set of scheduling points
 * (deepening.h).  They share the time.
 *
 * Q1  Three kinds of search have a share of the time each: sampling, the maximal job (all classes of points and every
 *     racing place), and the other jobs, one at a time.  The campaign begins by sampling a thousand executions.
 * Q2  A search runs in turns (job_process.h).  Turns become longer, so that starting the program costs little.  The
 *     time of a turn counts from main, because starting a program takes long on a busy machine.
 * Q3  The first finding other than a data race ends the campaign, unless --keep-going is given.  The search that
 *     found it shows it.
 * Q4  A complete maximal job ends the campaign.  It has met no race at a place that is not a scheduling point, so it
 *     covers every interleaving of every access under sequential consistency.  Its result is not used if another
 *     search has findings and it has none.
 * Q5  When the time is over, the search with the most findings shows its result; if none has findings, the maximal
 *     job does.  The schedules of failures that other searches have found are kept.  The explored sets are listed.
 * Q6  If the maximal job is expected to end within half of the remaining time, it runs before all others, for up to a
 *     third of the whole time: once it is complete, the others have nothing left to find.
 * Q7  A bounded search covers the same points with growing bounds of preemptions.  It gets all turns of the maximal
 *     job while that job is hopeless (deepening.h, J4), and half of them while the maximal job's estimate grows as
 *     fast as time passes.  If nothing was found, it shows the result: everything up to some bound is explored.
 * Q8  If the maximal job ends without a proof and without a race (for example because a loop polls plain memory), it
 *     starts again with points at synchronisation only.  If that search is complete and meets no race, it covers the
 *     same interleavings.
 * Q9  A suspended search is saved, and has no process: it holds no memory, however many there are.  If it goes on, it
 *     does so as after an interruption (campaign/session/resume.h, R1).
 * Q10 With one worker, one search has its turn at a time.  With more, a quarter of them, at least one, is always at the
 *     maximal job or the bounded search; the others are for sampling and the other jobs, by their shares. */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_H

#include "campaign/search/search_one.h"

void hd_quicksand_search(const struct hd_options *o, const struct hd_one *one, struct hd_one_result *out);

#endif
