/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - what only a second look at a race tells: the stack of its first access,
 * the allocation of its memory, whether it looks harmless. */
#ifndef HD_CLI_WITNESS_H
#define HD_CLI_WITNESS_H

#include "cli/session.h"

/* Run the schedule of a race again and look.  NULL when the race did not show again;
 * else to be freed with hd_witness_free. */
const struct hd_witness *hd_witness_find(const struct hd_session *s, const struct hd_report *r,
                                         const struct hd_schedule *schedule);
void hd_witness_free(const struct hd_witness *w);

#endif
