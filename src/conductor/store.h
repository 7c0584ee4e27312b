/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.h - the directory of schedules: <id>.heddle per finding and a link `latest` to the
 * newest. */
#ifndef HD_CONDUCTOR_STORE_H
#define HD_CONDUCTOR_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/schedule.h"

#define HD_STORE_LATEST "latest"
#define HD_STORE_SUFFIX ".heddle"

enum { HD_STORE_ID = 13 }; /* size of an id with its terminator */

struct hd_stored {
    char id[HD_STORE_ID]; /* first digits of the content's hash */
    char path[4096];  /* relative to the current directory */
    bool existed;     /* the same schedule was stored before */
    double modified;  /* when, in seconds since 1970 */
    char error[512];  /* a message, if it could not be saved */
};

/* Returns true if the file is completely on the disk; otherwise leaves nothing behind and sets
 * `error` to the reason.  The id is set in either case. */
bool hd_store_save(const char *dir, const struct hd_schedule *s, struct hd_stored *out);

/* The id under which the schedule is stored. */
void hd_store_identify(const struct hd_schedule *s, char id[HD_STORE_ID]);

/* Create the directory and its parents.  Returns false, with errno set, on failure. */
bool hd_store_make(const char *dir);

/* Makes the names in the directory durable, as far as its file system can. */
void hd_store_sync(const char *dir);

/* True if hd_store_save can currently write there; otherwise false, with errno set.  Leaves nothing
 * behind, not even a directory: most searches find nothing. */
bool hd_store_writable(const char *dir);

/* Makes `latest` point to that file of the directory. */
void hd_store_point(const char *dir, const char *path);

/* Appends the paths of all schedules in the directory, sorted.  The caller frees each path and the list. */
void hd_store_list(const char *dir, char ***paths, size_t *n);

/* The file of the newest finding, with or without the link; false if there is none. */
bool hd_store_latest(const char *dir, char *path, size_t cap);

#endif
