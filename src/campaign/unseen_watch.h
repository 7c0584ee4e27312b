/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_watch.h - uninstrumented code in a search.
 *
 * Before the search the program and its libraries are scanned, and the runtime gets the
 * places of the functions that Heddle does not see (model/unseen.h).  Afterwards the
 * functions that ran concurrently with other threads are added to the ledger:
 *
 *   denies     the user's own code; inline assembly; a system library with atomic
 *              instructions or system calls of its own there; an object that was loaded
 *              while the program ran
 *   qualifies  other system libraries; the C++ library, except functions that are known to
 *              use only intercepted operations; what --allow-unseen names; assembly that
 *              was made a scheduling point
 *   mentions   the user's own uninstrumented code that ran only alone, or not at all */
#ifndef HD_CAMPAIGN_UNSEEN_WATCH_H
#define HD_CAMPAIGN_UNSEEN_WATCH_H

#include "campaign/session.h"

/* Before the target starts.  Does nothing for programs without any instrumentation. */
void hd_unseen_begin(struct hd_session *s);
/* The target has ended: make the entries. */
void hd_unseen_gather(struct hd_session *s);
void hd_unseen_result(const struct hd_session *s, struct hd_result *r);
void hd_unseen_end(struct hd_session *s);

#endif
