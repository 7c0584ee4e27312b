/* SPDX-License-Identifier: BSD-2-Clause
 *
 * point_at.h - `--point-at FILE:LINE`: plain accesses that the user makes scheduling points. */
#ifndef HD_CAMPAIGN_SESSION_POINT_AT_H
#define HD_CAMPAIGN_SESSION_POINT_AT_H

#include "campaign/session/session.h"

/* Adds the plain accesses of these lines to the known places of the search.  Returns false, after a message, if a
 * line has none. */
bool hd_point_at(struct hd_session *s, const struct hd_options *o);

#endif
