/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_watch.h - code that is not instrumented, in a search.
 *
 * Before the search the program and its libraries are scanned, and the runtime is told where the
 * functions are that Heddle does not see (model/unseen.h).  Afterwards those that ran beside
 * other threads go to the ledger:
 *
 *   denies     the user's own code; inline assembly; a library of the system that has atomic
 *              instructions or system calls of its own there; an object that was loaded while
 *              the program ran
 *   qualifies  other libraries of the system; C++'s library, except where its functions are known
 *              to do nothing but what is intercepted; what --allow-unseen names; assembly that
 *              was made a point
 *   mentions   the user's own code that is not instrumented and only ran alone, or not at all */
#ifndef HD_CAMPAIGN_UNSEEN_WATCH_H
#define HD_CAMPAIGN_UNSEEN_WATCH_H

#include "campaign/session.h"

/* Before the target starts.  Nothing is done for programs without any instrumentation. */
void hd_unseen_begin(struct hd_session *s);
/* The target has ended: make entries. */
void hd_unseen_gather(struct hd_session *s);
void hd_unseen_result(const struct hd_session *s, struct hd_result *r);
void hd_unseen_end(struct hd_session *s);

#endif
