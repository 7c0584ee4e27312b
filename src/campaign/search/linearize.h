/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linearize.h - a search for executions of a test of <heddle/linear.h> that no sequential order of its operations
 * explains.
 *
 * Z1  First the operations are run one after the other, in every order, by a search of its own: the clients take
 *     turns, and whose turn it is is a choice.  An order in which an operation waits for a later one does not
 *     exist.
 * Z2  This is done twice.  If the results differ, the test is not deterministic, and nothing can be compared.
 * Z3  The book of the sequential outcomes must be complete: without one of them a finding might be none.  A test
 *     with too many orders is refused.
 * Z4  Then the clients run at the same time, and the target judges each execution (runtime/watch/linear.c). */
#ifndef HD_CAMPAIGN_SEARCH_LINEARIZE_H
#define HD_CAMPAIGN_SEARCH_LINEARIZE_H

#include "campaign/search/search_one.h"

void hd_linearize_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                         struct hd_one_result *out);

#endif
