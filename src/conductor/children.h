/* SPDX-License-Identifier: BSD-2-Clause
 *
 * children.h - processes that the target has left behind.
 *
 * Whoever loses its parent becomes a child of this process (it is a subreaper), whatever group or
 * session it has put itself into, and whether or not it was to die with its parent. */
#ifndef HD_CONDUCTOR_CHILDREN_H
#define HD_CONDUCTOR_CHILDREN_H

#include <sys/types.h>

/* Before the first target: those that are children now were inherited by exec, and are nobody's
 * business. */
void hd_children_note(void);

/* A target of this process, which is ended by other means; and no longer. */
void hd_children_add(pid_t pid);
void hd_children_forget(pid_t pid);

/* All others are ended, with their groups and with what they leave behind in turn. */
void hd_children_end_others(void);

#endif
