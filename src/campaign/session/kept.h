/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kept.h - where the state of a search is kept: in store.sqlite of the output directory (store/states.h), under a
 * name that follows from the program, its arguments and its test. */
#ifndef HD_CAMPAIGN_SESSION_KEPT_H
#define HD_CAMPAIGN_SESSION_KEPT_H

#include "campaign/setup/options.h"
#include "conductor/checkpoint.h"

struct hd_kept {
    char dir[4096], path[4096 + 16]; /* the output directory and its store; path "": nothing is kept */
    char name[64];
    char error[512];
};

/* suffix: tells apart what is kept of one program; "" for a search that is not a part of another. */
void hd_kept_at(struct hd_kept *k, const struct hd_options *o, const char *program, char *const *argv, const char *test,
                const char *suffix);
/* The state of a part, a search that belongs to this one.  A suffix that begins with a dot is not a part. */
struct hd_kept hd_kept_part(const struct hd_kept *k, unsigned number);

/* Makes the copy durable under this name, and closes it.  Returns false with a message in k->error. */
bool hd_kept_put(struct hd_kept *k, struct hd_checkpoint *c);
/* Reads and checks the state.  For UNREADABLE k->error is a message. */
enum hd_checkpoint_state hd_kept_open(struct hd_kept *k, struct hd_checkpoint_file *f);
bool hd_kept_is_there(const struct hd_kept *k);
bool hd_kept_remove(const struct hd_kept *k);
/* Removes the states of all parts, too. */
void hd_kept_remove_all(const struct hd_kept *k);

#endif
