/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - the words for what threads share inside libc and the kernel. */
#ifndef HD_REPORT_EVIDENCE_STATE_H
#define HD_REPORT_EVIDENCE_STATE_H

#include <stddef.h>

#include "model/object.h"

/* name is one of the region HD_REG_PROCESS: what hd_state_name has made, or the process. */
void hd_state_text(hd_cname name, char *buf, size_t cap);

#endif
