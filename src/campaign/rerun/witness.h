/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - gets information that needs a second run.  For a race: the stack of its first access,
 * the allocation of its memory and whether the race looks harmless.  For a lock: where it was
 * acquired. */
#ifndef HD_CAMPAIGN_RERUN_WITNESS_H
#define HD_CAMPAIGN_RERUN_WITNESS_H

#include "campaign/session/session.h"

/* Replays the schedule of a race.  Returns NULL if the race did not occur again.  The caller frees
 * the result with hd_witness_free. */
const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule);
/* Replays the schedule and records the stacks of the threads at these events, and the callers at
 * all other events.  Returns NULL if nothing was recorded.  The caller frees the result with
 * hd_witness_free.  If f is not NULL and the replay shows that finding, sets f->again, which saves
 * another replay (confirm.h). */
const struct hd_witness *hd_witness_stacks(const struct hd_session *s,
                                           const struct hd_schedule *schedule,
                                           const uint32_t *events, unsigned n,
                                           struct hd_result_finding *f);
/* Like hd_witness_stacks, with the schedule of the report. */
const struct hd_witness *hd_witness_events(struct hd_session *s, const struct hd_report *r,
                                           const uint32_t *events, unsigned n);
void hd_witness_free(const struct hd_witness *w);

#endif
