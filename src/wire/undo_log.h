/* SPDX-License-Identifier: BSD-2-Clause
 *
 * undo_log.h - the log of the files that an execution has changed (runtime/restore/undo.h), and the function
 * that restores them.  The worker restores them after each execution; if it has died, its zygote does; if both
 * have died, the conductor does; if that has died too, the next run of Heddle does.
 *
 * The log begins with the offset of its last record, 0 if there is none.  A record contains the
 * offset of the previous one, and is followed by the path (with its terminator) and `bytes` of
 * contents. */
#ifndef HD_WIRE_UNDO_LOG_H
#define HD_WIRE_UNDO_LOG_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

enum { HD_UNDO_PATH = 2 * PATH_MAX, HD_UNDO_ATTRIBUTES = 64 * 1024 };

enum hd_undo_kind {
    HD_UNDO_ABSENT,
    HD_UNDO_CONTENTS,  /* the contents of a file */
    HD_UNDO_DIRECTORY,
    HD_UNDO_LINK,      /* a symbolic link and its target */
    HD_UNDO_NODE,      /* FIFO, socket, device */
    HD_UNDO_MOVED,     /* the path is the new name, the contents the old one */
    HD_UNDO_EXCHANGED, /* like MOVED, for an exchange of two names */
    HD_UNDO_SEGMENT,   /* System V shared memory created by the execution; inode is its id */
    HD_UNDO_SEMAPHORES, /* System V semaphores created by the execution; inode is their id */
    HD_UNDO_MESSAGES,  /* System V message queue created by the execution; inode is its id */
    HD_UNDO_QUEUE,     /* a POSIX message queue created by the execution */
    HD_UNDO_XATTRS     /* extended attributes: name, zero, 4 bytes of length, value; repeated */
};

struct hd_undo_record {
    uint64_t before;
    uint32_t kind, mode; /* mode includes the file type */
    uint32_t uid, gid;
    uint64_t inode, device, path, bytes;
    struct timespec accessed, modified;
};

/* Restores everything, the last change first, and empties the log.  Returns the number of records that failed;
 * their files stay changed.  Calling it twice is harmless. */
unsigned hd_undo_log_put_back(int log_fd);

#endif
