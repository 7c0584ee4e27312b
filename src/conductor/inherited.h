/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inherited.h - the target inherits only the descriptors that Heddle was started with.
 *
 * The numbers of the target's own descriptors depend on those in use.  A search starts its
 * target early; a target for a repeated run or for minimising is started after debug
 * information was read, and that library leaves its files open across exec.  All targets
 * must start with the same descriptors, or replays diverge. */
#ifndef HD_CONDUCTOR_INHERITED_H
#define HD_CONDUCTOR_INHERITED_H

/* Record the open descriptors.  Call first of all in the tool. */
void hd_inherited_note(void);

/* Before exec: mark all other descriptors close-on-exec, except keep. */
void hd_inherited_close_others(int keep);

#endif
