/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linearize.h - searches a test of <heddle/linear.h> for executions whose outcome differs from that of every
 * sequential order of its operations.
 *
 * Z1  A first search runs the operations one after the other, in every order: it chooses which client makes the next
 *     operation.  Orders in which an operation would wait for a later one are impossible.
 * Z2  This search runs twice.  If the outcomes differ, the test is not deterministic, and nothing can be compared.
 * Z3  The list ("book") of sequential outcomes must be complete: if one were missing, a correct execution could be
 *     reported.  A test with too many orders is refused.
 * Z4  Then the clients run at the same time, and the target judges each execution (runtime/watch/linear.c).
 * Z5  With --sample-orders the first search draws its executions at random.  Then each order must have been run to
 *     its end at least once.  Operations with threads of their own may have further outcomes in the same order,
 *     which may be missing; the result says so.  A clean result is still valid, because fewer outcomes explain
 *     fewer executions.
 * Z6  In a campaign (spread/spread.h) each worker records the outcomes itself.  All workers must get the same book;
 *     they compare its hash.
 * Z7  It can happen that an operation does not return, because its thread ends within it.  If no order in the book
 *     leaves this operation out, both searches are repeated, with sequential orders that end the client before it and
 *     after it (linear/table.h, J2). */
#ifndef HD_CAMPAIGN_SEARCH_LINEARIZE_H
#define HD_CAMPAIGN_SEARCH_LINEARIZE_H

#include "campaign/search/search_one.h"

/* Makes the concurrent search: hd_search_stage, or a part of a campaign. */
typedef void hd_concurrent_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                                  const struct hd_stage *stage, struct hd_one_result *out);

void hd_linearize_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                         hd_concurrent_search *search, struct hd_one_result *out);

/* Runs the script of the test (heddle_script) in its own order.  Returns its number of steps, or 0 if it has none or
 * fails: then *out has the exit code, and a message was printed. */
unsigned hd_linearize_steps(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one,
                            struct hd_one_result *out);

#endif
