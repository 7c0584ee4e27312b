/* SPDX-License-Identifier: BSD-2-Clause
 *
 * saved.h - the state of a campaign of several searches, in the format of checkpoints
 * (conductor/checkpoint.h).  The caller defines its contents.  The state of each search (resume.h) is kept beside it,
 * as a part of the campaign (kept.h). */
#ifndef HD_CAMPAIGN_SESSION_SAVED_H
#define HD_CAMPAIGN_SESSION_SAVED_H

#include "campaign/session/identity.h"
#include "campaign/session/kept.h"
#include "campaign/setup/options.h"

struct hd_saved {
    const struct hd_options *o;
    char *const *argv;
    const char *test;
    bool on;         /* false: nothing is saved */
    struct hd_kept at;
    struct hd_identity identity; /* empty until it is needed, because it contains hashes of files */
    bool told; /* the user was told that nothing can be saved */
};

/* Chooses the place for the program with its arguments and its test.  Returns HD_EXIT_CLEAN, or another exit code after a
 * message if the program cannot be run. */
int hd_saved_open(struct hd_saved *f, const struct hd_options *o, char *const *argv, const char *test, const char *suffix);
/* Saves the state.  If that fails, tells the user once. */
void hd_saved_write(struct hd_saved *f, const void *data, size_t size);
/* Reads the state. *found: there is one.  Returns HD_EXIT_CLEAN, or another exit code after a message if the state is
 * damaged or of another campaign. */
int hd_saved_read(struct hd_saved *f, void *data, size_t size, bool *found);
/* True if that part has a state. */
bool hd_saved_has_part(const struct hd_saved *f, unsigned number);
/* Removes the state of the campaign and those of all its parts. */
void hd_saved_remove(const struct hd_saved *f);
void hd_saved_close(struct hd_saved *f);

#endif
