/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inherited.h - the target inherits only the descriptors that Heddle was started with.
 *
 * All targets must start with the same open descriptors: otherwise the files that they open get other numbers, and
 * replays diverge.  A search starts its target early, but a target for a replay or for minimising starts after
 * Heddle has read debug information, and the library for that leaves its files open across exec. */
#ifndef HD_CONDUCTOR_INHERITED_H
#define HD_CONDUCTOR_INHERITED_H

/* Records the open descriptors.  Call this before anything else in the tool. */
void hd_inherited_note(void);

/* Before exec: mark all other descriptors close-on-exec, except keep. */
void hd_inherited_close_others(int keep);

#endif
