/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo.h - files and names, put back after every execution.
 *
 * U1  Before a call changes a name, or what is behind it, the log gets what is there: nothing,
 *     a file with its contents, a directory, a link.  Putting back goes through the log from
 *     its end to its beginning.
 * U2  The log is a file without a name that zygote and worker have open.  A record counts
 *     when the length at its beginning says so, and is there before the call is made: a worker
 *     may die at any instruction, and the zygote puts back what it has left.  Putting back
 *     twice does no harm.
 * U3  A name that is in the log is not logged again, until one file may have got another name
 *     (rename, link, symlink).
 *
 * Not put back, and named in the verdict: files larger than 64 MB, what may not be read, what
 * other processes change.  Owners, extended attributes and the times of what is no ordinary file
 * are not kept. */
#ifndef HD_RUNTIME_UNDO_H
#define HD_RUNTIME_UNDO_H

#include <stdbool.h>

/* Once, before the first execution. */
void hd_undo_open(void);

/* The running thread is about to open path for writing (below the directory dir), or to
 * change the file that it leads to. */
void hd_undo_contents(int dir, const char *path);
/* It is about to make, remove or replace the name itself. */
void hd_undo_name(int dir, const char *path);
/* It is about to give a file that is there another name, too, or instead. */
void hd_undo_move(int from_dir, const char *from, int to_dir, const char *to);
void hd_undo_link(int dir, const char *path);
/* It has made this one, which nobody knew beforehand. */
void hd_undo_made(const char *path);

/* Has this process changed something? */
bool hd_undo_is_needed(void);
/* Put everything back, also what another process with this log has changed; nobody runs. */
void hd_undo(void);

#endif
