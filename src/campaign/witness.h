/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - what only a second look tells: of a race the stack of its first access, the
 * allocation of its memory, whether it looks harmless; of a lock where it was taken. */
#ifndef HD_CAMPAIGN_WITNESS_H
#define HD_CAMPAIGN_WITNESS_H

#include "campaign/session.h"

/* Run the schedule of a race again and look.  NULL when the race did not show again;
 * else to be freed with hd_witness_free. */
const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule);
/* Run it again and look at the stacks of the threads at these events, and at who called all
 * the others; NULL when none was seen. */
const struct hd_witness *hd_witness_stacks(const struct hd_session *s,
                                           const struct hd_schedule *schedule,
                                           const uint32_t *events, unsigned n);
/* The same of what a report is about. */
const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n);
void hd_witness_free(const struct hd_witness *w);

#endif
