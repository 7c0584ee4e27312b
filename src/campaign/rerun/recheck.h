/* SPDX-License-Identifier: BSD-2-Clause
 *
 * recheck.h - runs a recorded schedule again after the program was edited, to see whether it still fails. */
#ifndef HD_CAMPAIGN_RERUN_RECHECK_H
#define HD_CAMPAIGN_RERUN_RECHECK_H

#include "campaign/rerun/minimize.h"

enum hd_recheck_end {
    HD_RECHECK_UNKNOWN,   /* it could not be run, or did not end in time */
    HD_RECHECK_FAILS,     /* the same kind of finding */
    HD_RECHECK_OTHERWISE, /* another kind of finding */
    HD_RECHECK_PASSES,
    HD_RECHECK_GONE,      /* the program no longer makes operations of the schedule; no execution near it failed */
};

struct hd_rechecked {
    enum hd_recheck_end end;
    bool near;         /* valid if it fails: an execution near the schedule failed, not the schedule itself */
    bool exact;        /* the program made exactly the recorded operations */
    uint32_t switches, followed, held; /* as in struct hd_edited */
    uint64_t executions;
    uint64_t beside;   /* executions near the schedule, which `executions` includes */
    double seconds;
    struct hd_minimized *found; /* the execution that failed; NULL: none */
};

/* Creates a schedule with the settings for the new run: those of the recording, except the ones
 * that contain addresses.  The caller frees it. */
void hd_recheck_settings(struct hd_session *s, const struct hd_schedule *recorded, struct hd_schedule *out);

/* Follows the schedule.  If it does not fail, and the program does not make exactly the same
 * operations, also runs `near` executions near it.  settings: the result of hd_recheck_settings.
 * The caller frees out->found with hd_minimized_free. */
void hd_recheck(const struct hd_session *s, const struct hd_schedule *recorded, const struct hd_schedule *settings,
                uint64_t near, uint64_t budget_ms, struct hd_rechecked *out);

#endif
