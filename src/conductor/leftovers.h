/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leftovers.h - restores files that a target changed and no process restored.
 *
 * Each target has a log of the changed files (wire/undo_log.h) in a directory that only
 * this user may enter.  The target's processes and the tool hold a shared lock on it.  When
 * the processes are gone, the tool restores the files.  A log without a lock was left by a
 * tool that was killed together with its target; the next tool restores those files. */
#ifndef HD_CONDUCTOR_LEFTOVERS_H
#define HD_CONDUCTOR_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/* Sets path to the name of a new log, or to "" if there is no directory for it.  The first call
 * restores the files of earlier targets. */
void hd_leftovers_name(char *path, size_t cap);

/* Create that log for a target that is about to start; -1 if there is none. */
int hd_leftovers_open(const char *path);

/* Restores the files and removes the log.  Call when no process of the target is left.  Returns
 * false, after a message, if a file could not be restored. */
bool hd_leftovers_end(int fd, const char *path);

#endif
