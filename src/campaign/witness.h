/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - information that needs a second run: for a race the stack of its first
 * access, the allocation of its memory and whether it looks harmless; for a lock where it
 * was acquired. */
#ifndef HD_CAMPAIGN_WITNESS_H
#define HD_CAMPAIGN_WITNESS_H

#include "campaign/session.h"

/* Replay the schedule of a race and record.  NULL if the race did not occur again;
 * otherwise freed by hd_witness_free. */
const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule);
/* Replay and record the stacks of the threads at these events, and the callers at all
 * others; NULL if none was seen. */
const struct hd_witness *hd_witness_stacks(const struct hd_session *s,
                                           const struct hd_schedule *schedule,
                                           const uint32_t *events, unsigned n);
/* The same for the events of a report. */
const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n);
void hd_witness_free(const struct hd_witness *w);

#endif
