/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_files.h - files that child processes leave in the working directory.
 *
 * Heddle does not see file operations of child processes, so it cannot undo them, and the next
 * execution finds the files.  A later finding may be caused by them alone, so the verdict names the
 * files. */
#ifndef HD_RUNTIME_RESTORE_CHILD_FILES_H
#define HD_RUNTIME_RESTORE_CHILD_FILES_H

/* Remembers the names in the directory.  Call before the first execution. */
void hd_child_files_note(void);

/* Called by the zygote after a worker process has ended and all logged changes are undone. */
void hd_child_files_look(void);

#endif
