/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand.h - --strategy quicksand: many searches of one program, each over its own set of scheduling
 * points (deepening.h), share the time.
 *
 * Q1  Three kinds of searches have each a share of the time: sampling, the maximal job (all classes of
 *     points, and every place that races), and the other jobs, of which one runs at a time.
 *     Sampling begins, with a thousand executions.
 * Q2  A search runs in turns (job_process.h).  Turns become longer, so that starting the program
 *     costs little.  A turn begins in main: on a busy machine starting takes long.
 * Q3  The first finding that is no data race ends everything, unless --keep-going is given.  The search
 *     that has it shows it.
 * Q4  When the maximal job is over and complete, everything is: it has met no race at a place that is no
 *     point, so it covers every interleaving of every access under sequential consistency.  If another search has found
 *     something and it has not, it does not decide.
 * Q5  When the time is up, the search that has found most shows it; if none has found anything, the maximal
 *     job does.  Schedules of failures that others have found are kept.  The sets that were explored are
 *     listed.
 * Q6  If the maximal job is expected to end in half of the time that is left, it goes on before all others, for up to
 *     a third of the whole time: when it is complete, the others have nothing to find.
 * Q7  While the maximal job is hopeless (J4), a search of the same points with growing bounds of preemptions has its turns; while the
 *     estimate of the maximal job grows as fast as the time goes by, it has half of them.  It
 *     shows the result if nothing was found: up to some bound, everything is explored.
 * Q8  A maximal job that ends without a proof and has met no race (a loop that polls plain memory takes the claim away) begins again
 *     at synchronisation alone.  If that is complete and nothing races, it covers the same. */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_H

#include "campaign/search/search_one.h"

void hd_quicksand_search(const struct hd_options *o, const struct hd_one *one, struct hd_one_result *out);

#endif
