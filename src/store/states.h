/* SPDX-License-Identifier: BSD-2-Clause
 *
 * states.h - the states of interrupted searches (conductor/checkpoint.h), in the SQLite store of an output directory.
 * The caller defines names and contents.
 *
 * Z1  A state is replaced in one transaction, which is on the disk when it ends.  Whoever is killed, and when, leaves
 *     the earlier state or the new one.
 * Z2  The store is open only while a function runs, so that processes may fork in between.
 * Z3  Only hd_states_put creates a store.
 * Z4  Only the owner may read a store with states, because a state contains environment variables. */
#ifndef HD_STORE_STATES_H
#define HD_STORE_STATES_H

#include <stdbool.h>
#include <stddef.h>

/* Stores the contents of the file under that name, and replaces an earlier state.  Returns false with a message. */
bool hd_states_put(const char *path, const char *name, int fd, char *error, size_t cap);

enum hd_states_got {
    HD_STATES_FOUND,
    HD_STATES_NONE,
    HD_STATES_FAILED, /* with a message */
};

/* Appends the state to the file. */
enum hd_states_got hd_states_get(const char *path, const char *name, int fd, char *error, size_t cap);

/* True if there is a state with that name. */
bool hd_states_has(const char *path, const char *name);

/* Removes the state, if there is one.  Returns false if that fails. */
bool hd_states_remove(const char *path, const char *name);
/* Removes all states whose names begin like this. */
bool hd_states_remove_all(const char *path, const char *prefix);

#endif
