/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.h - atomic instructions in code that is not instrumented, for every
 * process that runs the program, so that a replay has the same scheduling points as the
 * search. */
#ifndef HD_CAMPAIGN_LIBRARY_ATOMICS_H
#define HD_CAMPAIGN_LIBRARY_ATOMICS_H

#include "campaign/session.h"

/* Before the target starts: tell the runtime where they are (model/locked.h). */
void hd_locked_tell(struct hd_session *s);

#endif
