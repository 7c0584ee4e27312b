/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.h - the directory that keeps schedules: <id>.heddle per finding and a
 * link `latest` to the newest. */
#ifndef HD_CONDUCTOR_STORE_H
#define HD_CONDUCTOR_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/schedule.h"

#define HD_STORE_LATEST "latest"
#define HD_STORE_SUFFIX ".heddle"

struct hd_stored {
    char id[13];      /* first digits of the content's hash */
    char path[4096];  /* as seen from the current directory */
    bool existed;     /* the same was kept before */
    char error[512];  /* one sentence, when it could not be saved */
};

/* The file is on the disk, whole, when this returns true; otherwise nothing is
 * left behind and error says why.  The id is known in either case. */
bool hd_store_save(const char *dir, const struct hd_schedule *s, struct hd_stored *out);

/* Make the directory and those above it.  False with errno set. */
bool hd_store_make(const char *dir);

/* Can hd_store_save keep something there, as things are?  False with errno set.  Nothing is
 * left behind, not even a directory: most searches find nothing. */
bool hd_store_writable(const char *dir);

/* The file that the newest finding was saved to, with the link or without it; false when
 * there is none. */
bool hd_store_latest(const char *dir, char *path, size_t cap);

#endif
