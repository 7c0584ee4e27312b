/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo.h - restores files and names after every execution.
 *
 * U1  Before a call changes a name or the object with that name, the previous state goes into the
 *     log: nothing, a file with its contents, a directory, a link.  Restoring applies the log from
 *     its end to its beginning.
 * U2  The log is a file that zygote and worker have open and that the conductor knows.  A record is valid once the
 *     word at the beginning of the log includes it.  That happens before the call, because a worker may die at any
 *     instruction.  A surviving process undoes the changes of a dead one: the zygote, else the conductor, else the
 *     next run of Heddle (wire/undo_log.h).
 * U3  A name in the log is logged again only after some file may have got another name (rename, link, symlink).
 * U4  With several workers (-j), only one at a time runs executions after the first change of a
 *     file in the campaign (file_turns.h).  So no worker sees the changes of another.
 *
 * Not restored, and named in the verdict: files larger than 64 MB, unreadable files, changes by
 * other processes.  Times are kept for ordinary files only. */
#ifndef HD_RUNTIME_RESTORE_UNDO_H
#define HD_RUNTIME_RESTORE_UNDO_H

#include <stdbool.h>

/* Called once, before the first execution. */
void hd_undo_open(void);

/* Call when the running thread is about to open path (relative to directory dir) for writing, or to
 * change the file. */
void hd_undo_contents(int dir, const char *path);
/* Call when the running thread is about to create, remove or replace the name itself. */
void hd_undo_name(int dir, const char *path);
/* Call when the running thread is about to rename an existing file, or to give it a second name. */
void hd_undo_move(int from_dir, const char *from, int to_dir, const char *to, bool exchange);
void hd_undo_link(int dir, const char *path);
/* Call when the running thread is about to change the attributes of an open file: mode, owner,
 * times. */
void hd_undo_descriptor(int fd);
/* Call when the running thread has created this file under a name that was not known before the
 * call. */
void hd_undo_made(const char *path);

/* Call when the running thread has created a System V object (enum hd_undo_kind), or is about to
 * create a message queue. */
void hd_undo_object(unsigned kind, int number);
void hd_undo_queue(const char *name);

/* True if this process has changed something. */
bool hd_undo_is_needed(void);
/* True if a process with the same log has changed something and it was not restored yet. */
bool hd_undo_is_pending(void);
/* Restores everything, including changes by other processes with the same log.  Precondition: no
 * thread of the target runs. */
void hd_undo(void);

#endif
