/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo_log.h - the log of files that an execution has changed (runtime/restore/undo.h), and putting back
 * what it says.  The target does that after each execution, its zygote when the worker has died, the
 * conductor when both have, and the next Heddle when nobody was left.
 *
 * The log begins with the place of its last record, 0 when there is none; a record has the place
 * of the one before it.  Behind a record are the path (with its zero) and `bytes` of contents. */
#ifndef HD_WIRE_UNDO_LOG_H
#define HD_WIRE_UNDO_LOG_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

enum { HD_UNDO_PATH = 2 * PATH_MAX, HD_UNDO_ATTRIBUTES = 64 * 1024 };

enum hd_undo_kind {
    HD_UNDO_ABSENT,
    HD_UNDO_CONTENTS,  /* a file: what is in it */
    HD_UNDO_DIRECTORY,
    HD_UNDO_LINK,      /* where it leads */
    HD_UNDO_NODE,      /* FIFO, socket, device */
    HD_UNDO_MOVED,     /* the name that it had; path is the new one */
    HD_UNDO_EXCHANGED, /* the same, and the other way round */
    HD_UNDO_SEGMENT,   /* System V: shared memory that the execution has made; its number is in inode ... */
    HD_UNDO_SEMAPHORES, /* ... a set of semaphores ... */
    HD_UNDO_MESSAGES,  /* ... a queue */
    HD_UNDO_QUEUE,     /* a POSIX message queue that was not there */
    HD_UNDO_XATTRS     /* extended attributes: name, zero, 4 bytes of length, value; and so on */
};

struct hd_undo_record {
    uint64_t before;
    uint32_t kind, mode; /* mode: with the type of the file */
    uint32_t uid, gid;
    uint64_t inode, device, path, bytes;
    struct timespec accessed, modified;
};

/* Put everything back, the last change first, and empty the log.  Returns how many records could
 * not be: what they are about stays changed.  Doing it twice does no harm. */
unsigned hd_undo_log_put_back(int log_fd);

#endif
