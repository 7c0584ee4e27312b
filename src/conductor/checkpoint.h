/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkpoint.h - the state of a search as bytes: the parts of the wires that are in use, and notes about what was
 * searched.  The caller decides what the notes mean, and keeps the bytes (campaign/session/kept.h).
 *
 * The bytes: a head, the notes, the ranges of the memory file (each with its offset and size), and a
 * checksum of all that.  Heddle uses nothing of them before it has verified the checksum.
 *
 * C1  The state is copied while no execution runs: the workers rest between two executions
 *     (rest.h), or have ended.  A killed worker also leaves a state that can be continued (wire.h,
 *     W3).
 * C2  The copy is a file without a name, on the disk instead of in memory because it may be large.  It is not
 *     durable. */
#ifndef HD_CONDUCTOR_CHECKPOINT_H
#define HD_CONDUCTOR_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/wire.h"

/* A copy that is being written. */
struct hd_checkpoint {
    int fd; /* -1: there is none */
    char error[512]; /* a message, if something failed */
};

/* Copies the state to a new file in that directory, which is created if necessary.  Returns false, with a message
 * in c->error and without a file, if that fails. */
bool hd_checkpoint_copy(struct hd_checkpoint *c, const char *dir, const char *notes, size_t size,
                        const struct hd_wires *ws);
/* Closes the copy, if there is one. */
void hd_checkpoint_drop(struct hd_checkpoint *c);

/* Why a state cannot be used. */
enum hd_checkpoint_state {
    HD_CHECKPOINT_GOOD,
    HD_CHECKPOINT_ABSENT,
    HD_CHECKPOINT_UNREADABLE,
    HD_CHECKPOINT_FOREIGN,    /* not a checkpoint */
    HD_CHECKPOINT_OTHER,      /* written by another version of Heddle */
    HD_CHECKPOINT_DAMAGED,
};

/* A file that was opened and checked. */
struct hd_checkpoint_file {
    int fd;
    uint32_t nworkers;
    char version[32]; /* version of the Heddle that wrote it; valid for GOOD and OTHER */
    char *notes;      /* allocated; ends with a zero that `size` does not count */
    size_t size;
    uint64_t at;      /* offset of the first range */
};

/* Reads and checks the whole file, which it takes over.  Never returns HD_CHECKPOINT_ABSENT.  For UNREADABLE errno
 * tells why.  Call hd_checkpoint_close in any case. */
enum hd_checkpoint_state hd_checkpoint_open(struct hd_checkpoint_file *f, int fd);
/* Loads the state into the wires, overwriting their contents.  Their number must be that of the
 * saved search.  Returns false with errno set if there is no memory for it or the file cannot be
 * read again. */
bool hd_checkpoint_load(const struct hd_checkpoint_file *f, struct hd_wires *ws);
void hd_checkpoint_close(struct hd_checkpoint_file *f);

#endif
