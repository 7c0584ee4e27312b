/* SPDX-License-Identifier: BSD-2-Clause
 *
 * minimize.h - finds fewer interrupts that lead to the same finding. */
#ifndef HD_KERNEL_DRIVE_MINIMIZE_H
#define HD_KERNEL_DRIVE_MINIMIZE_H

#include "kernel/drive/session.h"

/* Removes interrupts that are not needed from the schedule in the link.  The link is in the mode `recorded`.
 * Returns true if the finding needs each interrupt that is left. */
bool hd_kminimize(struct hd_ksession *s, uint64_t signature);

#endif
