/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.h - fewer interrupts that lead to the same finding. */
#ifndef HD_KERNEL_DRIVE_MINIMIZE_H
#define HD_KERNEL_DRIVE_MINIMIZE_H

#include "kernel/drive/session.h"

/* Replaces the schedule in the link by one without the interrupts that are not needed.  The link is in
 * the mode `recorded`.  True: without any single one of those left, the finding does not occur. */
bool hd_kminimize(struct hd_ksession *s, uint64_t signature);

#endif
