/* SPDX-License-Identifier: BSD-2-Clause
 *
 * outcomes.h - writes the different outcomes of a search of `heddle linearize` to a file, and judges them again by
 * other rules without a new search.  The lines of the file:
 *
 *     heddle-outcomes 1
 *     program ./cache
 *     complete 1        the search has run everything, and the file has all outcomes
 *     book 321          the sequential outcomes follow: 321 bytes of text (linear/book.h)
 *     times 12 201      an outcome of twelve executions, as a record with its order in real time */
#ifndef HD_CAMPAIGN_SEARCH_OUTCOMES_H
#define HD_CAMPAIGN_SEARCH_OUTCOMES_H

#include <stdio.h>

#include "campaign/setup/options.h"
#include "linear/book.h"
#include "linear/kept.h"

/* Writes the criterion and the rules of the command line as lines of a book. */
void hd_outcomes_put_rules(const struct hd_options *o, FILE *out);

/* Writes o->outcomes_file; the lines come before the book.  Returns false after a message. */
bool hd_outcomes_write(const struct hd_options *o, const char *lines, const struct hd_lin_book *book,
                       const struct hd_lin_kept *kept, bool complete);

/* Judges the outcomes in the file o->args[0].  Returns the exit code. */
int hd_outcomes_judge(const struct hd_options *o);

#endif
