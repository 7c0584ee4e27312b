/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checkpoint.h - the state of a search as a file: the parts of the wires that are in use, and notes about what was
 * searched.  The caller decides what the notes mean.
 *
 * The file: a head, the notes, the ranges of the memory file (each with its offset and size), and a
 * checksum of all that.  Heddle uses nothing of the file before it has verified the checksum.
 *
 * C1  The state is copied while no execution runs: the workers rest between two executions
 *     (rest.h), or have ended.  A killed worker also leaves a state that can be continued (wire.h,
 *     W3).
 * C2  The file gets its name only when it is completely on the disk.  Until then an earlier file is kept. */
#ifndef HD_CONDUCTOR_CHECKPOINT_H
#define HD_CONDUCTOR_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/wire.h"

#define HD_CHECKPOINT_SUFFIX ".checkpoint"

/* A file that is being written. */
struct hd_checkpoint {
    int fd; /* -1: there is none */
    char tmp[4096];
    char error[512]; /* a message, if something failed */
};

/* Copies the state to a new file in that directory, which is created if necessary.  Returns false, with a message
 * in c->error and without leaving a file behind, if that fails. */
bool hd_checkpoint_copy(struct hd_checkpoint *c, const char *dir, const char *notes, size_t size,
                        const struct hd_wires *ws);
/* Makes the copy durable and gives it its name.  Returns false like hd_checkpoint_copy. */
bool hd_checkpoint_keep(struct hd_checkpoint *c, const char *dir, const char *path);
/* Removes the copy. */
void hd_checkpoint_drop(struct hd_checkpoint *c);

/* Why a file cannot be used. */
enum hd_checkpoint_state {
    HD_CHECKPOINT_GOOD,
    HD_CHECKPOINT_ABSENT,
    HD_CHECKPOINT_UNREADABLE, /* errno tells why */
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

/* Reads and checks the whole file.  Call hd_checkpoint_close in any case. */
enum hd_checkpoint_state hd_checkpoint_open(struct hd_checkpoint_file *f, const char *path);
/* Loads the state into the wires, overwriting their contents.  Their number must be that of the
 * saved search.  Returns false with errno set if there is no memory for it or the file cannot be
 * read again. */
bool hd_checkpoint_load(const struct hd_checkpoint_file *f, struct hd_wires *ws);
void hd_checkpoint_close(struct hd_checkpoint_file *f);

#endif
