/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen_watch.h - uninstrumented code in a search.
 *
 * Before the search, Heddle scans the program and its libraries and gives the runtime the addresses
 * of the functions that it does not see (model/unseen.h).  After the search, the functions that ran
 * concurrently with other threads get entries in the ledger:
 *
 *   denies     the user's own code; inline assembly; a function of a system library that has
 *              atomic instructions or system calls of its own; an object that was loaded
 *              while the program ran
 *   qualifies  other system libraries; the C++ library, except functions that are known to
 *              use only intercepted operations; what --allow-unseen names; what the
 *              source declares with HEDDLE_TRUSTED; assembly that was made a scheduling point
 *   mentions   the user's own uninstrumented code that ran only while no other thread did,
 *              or not at all */
#ifndef HD_CAMPAIGN_SESSION_UNSEEN_WATCH_H
#define HD_CAMPAIGN_SESSION_UNSEEN_WATCH_H

#include "campaign/session/session.h"

/* Scans and fills the runtime's table.  Call before the target starts.  Does nothing for programs
 * without any instrumentation. */
void hd_unseen_begin(struct hd_session *s);
/* Adds the entries to the ledger.  Call after the target has ended. */
void hd_unseen_gather(struct hd_session *s);
/* Call before hd_unseen_gather if the target has run again. */
void hd_unseen_again(struct hd_session *s);
void hd_unseen_result(const struct hd_session *s, struct hd_result *r);
void hd_unseen_end(struct hd_session *s);

#endif
