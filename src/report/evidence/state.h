/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - texts for the state that threads share inside libc and the kernel. */
#ifndef HD_REPORT_EVIDENCE_STATE_H
#define HD_REPORT_EVIDENCE_STATE_H

#include <stddef.h>

#include "model/object.h"

/* Writes the text for a name in the region HD_REG_PROCESS: one that hd_state_name has made, or the
 * name of the process. */
void hd_state_text(hd_cname name, char *buf, size_t cap);

#endif
