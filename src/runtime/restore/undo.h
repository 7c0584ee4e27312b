/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo.h - files and names, put back after every execution.
 *
 * U1  Before a call changes a name, or what is behind it, the log gets what is there: nothing,
 *     a file with its contents, a directory, a link.  Putting back goes through the log from
 *     its end to its beginning.
 * U2  The log is a file that zygote and worker have open, and that the conductor knows.  A record
 *     counts when the place at the log's beginning says so, and is there before the call is made:
 *     a worker may die at any instruction.  Who is left puts back what it has changed: the zygote,
 *     the conductor when that is gone too, or the next Heddle when nobody was (wire/undo_log.h).
 * U3  A name that is in the log is not logged again, until one file may have got another name
 *     (rename, link, symlink).
 * U4  Of several workers (-j) one at a time runs executions, from the first change of a file in the
 *     campaign on (turns.h): none of them meets the changes of another.
 *
 * Not put back, and named in the verdict: files larger than 64 MB, what may not be read, what
 * other processes change.  The times of what is no ordinary file are not kept. */
#ifndef HD_RUNTIME_RESTORE_UNDO_H
#define HD_RUNTIME_RESTORE_UNDO_H

#include <stdbool.h>

/* Once, before the first execution. */
void hd_undo_open(void);

/* The running thread is about to open path for writing (below the directory dir), or to
 * change the file that it leads to. */
void hd_undo_contents(int dir, const char *path);
/* It is about to make, remove or replace the name itself. */
void hd_undo_name(int dir, const char *path);
/* It is about to give a file that is there another name, too, or instead. */
void hd_undo_move(int from_dir, const char *from, int to_dir, const char *to, bool exchange);
void hd_undo_link(int dir, const char *path);
/* It is about to change what an open file has besides its contents: mode, owner, times. */
void hd_undo_descriptor(int fd);
/* It has made this one, which nobody knew beforehand. */
void hd_undo_made(const char *path);

/* It has made an object of System V's (enum hd_undo_kind), or is about to make a message queue. */
void hd_undo_object(unsigned kind, int number);
void hd_undo_queue(const char *name);

/* Has this process changed something? */
bool hd_undo_is_needed(void);
/* Put everything back, also what another process with this log has changed; nobody runs. */
void hd_undo(void);

#endif
