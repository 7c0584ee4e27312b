/* SPDX-License-Identifier: BSD-2-Clause
 *
 * child_files.h - what child processes leave in the working directory.  Nobody sees what they do to files, so
 * that is not put back, and the next execution finds it: a finding that follows may be due to nothing
 * else, and the verdict names what is there. */
#ifndef HD_RUNTIME_RESTORE_CHILD_FILES_H
#define HD_RUNTIME_RESTORE_CHILD_FILES_H

/* Before the first execution: remember the names that are there. */
void hd_child_files_note(void);

/* The zygote, after a process with executions and when all that is known to have changed is put back. */
void hd_child_files_look(void);

#endif
