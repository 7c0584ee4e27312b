/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.h - finds atomic instructions in code that is not instrumented.  Every process
 * that runs the program needs them, so that a replay has the same scheduling points as the search. */
#ifndef HD_CAMPAIGN_LIBRARY_ATOMICS_H
#define HD_CAMPAIGN_LIBRARY_ATOMICS_H

#include "campaign/session.h"

/* Gives the runtime the addresses of these instructions (model/locked.h).  Call before the target
 * starts. */
void hd_locked_tell(struct hd_session *s);

#endif
