/* SPDX-License-Identifier: BSD-2-Clause
 *
 * again.h - a finding is run once more, by its schedule and in a process of its own, before it is
 * shown: what does not come again is said to be that. */
#ifndef HD_CLI_AGAIN_H
#define HD_CLI_AGAIN_H

#include "cli/session.h"

/* Whether it, or another of its kind, shows again. */
enum hd_again hd_again_look(const struct hd_session *s, const struct hd_schedule *schedule,
                            const struct hd_result_finding *f);

#endif
