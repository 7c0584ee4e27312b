/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gdb.h - replays a recorded schedule in gdb. */
#ifndef HD_CAMPAIGN_RERUN_GDB_H
#define HD_CAMPAIGN_RERUN_GDB_H

#include "campaign/rerun/recorded.h"

/* Runs gdb until the user leaves it.  Returns the exit code: it says whether the recorded failure
 * was seen or, after a message, that gdb did not run. */
int hd_gdb(struct hd_recorded *r, const struct hd_options *o);

#endif
