/* SPDX-License-Identifier: BSD-2-Clause
 *
 * children.h - ends processes that the target left behind.
 *
 * This process is a subreaper: it becomes the parent of every orphaned descendant, even one that has joined
 * another process group or session. */
#ifndef HD_CONDUCTOR_CHILDREN_H
#define HD_CONDUCTOR_CHILDREN_H

#include <sys/types.h>

/* Call before the first target: the current children were inherited by exec and are left
 * alone. */
void hd_children_note(void);

/* hd_children_add registers a target, which other functions end; hd_children_forget unregisters it. */
void hd_children_add(pid_t pid);
void hd_children_forget(pid_t pid);

/* End all other children, their process groups and their descendants. */
void hd_children_end_others(void);

#endif
