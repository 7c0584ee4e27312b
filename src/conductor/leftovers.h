/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leftovers.h - files that the target has changed, and that nobody has put back.
 *
 * Each target has a log of them (wire/undo_log.h), in a directory that only this user may enter.
 * Its processes and the tool hold a shared lock on it.  When the processes are gone, the tool puts
 * back what is in it; a log that nobody holds was left by a tool that was killed together with its
 * target, and the next one puts that back. */
#ifndef HD_CONDUCTOR_LEFTOVERS_H
#define HD_CONDUCTOR_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

/* A name for a new log; "" when there is no directory for it.  The first call puts back what was
 * left by others. */
void hd_leftovers_name(char *path, size_t cap);

/* Make that log, for a target that is about to be started; -1: there is none. */
int hd_leftovers_open(const char *path);

/* No process of the target is left: put back what it has changed, and remove the log.  False after
 * having said that not all of it could be. */
bool hd_leftovers_end(int fd, const char *path);

#endif
