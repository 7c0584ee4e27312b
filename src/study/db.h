/* SPDX-License-Identifier: BSD-2-Clause
 *
 * db.h - the cells of a study in one SQLite file.
 *
 * Every cell is a transaction of its own, in a write-ahead log: a study that is killed at any moment loses only
 * the cells that were running.  The file carries an application_id, and Heddle never writes to a file with another
 * one. */
#ifndef HD_STUDY_DB_H
#define HD_STUDY_DB_H

#include "study/cell.h"

struct hd_study_db;

/* Open or create the file; NULL with an error message. */
struct hd_study_db *hd_study_db_open(const char *path, bool must_exist, char *error, size_t cap);
void hd_study_db_close(struct hd_study_db *db);

/* True if there is a result with this key.  Failed cells do not count and are run again. */
bool hd_study_db_has(struct hd_study_db *db, const struct hd_cell_key *key);

/* Parse the object that `heddle run --json` wrote.  False if it is not one, or if the
 * search was interrupted. */
bool hd_study_db_parse(struct hd_study_db *db, const char *json, const char *kinds, struct hd_cell *cell);

/* Store the cell, replacing one with the same key; false with an error message. */
bool hd_study_db_put(struct hd_study_db *db, const struct hd_cell *cell, char *error, size_t cap);

struct hd_cells {
    struct hd_cell *cell;
    size_t n;
};

/* Load the newest cell of each program, strategy and seed, oldest first; the caller frees
 * them.  False with an error message. */
bool hd_study_db_load(struct hd_study_db *db, struct hd_cells *out, char *error, size_t cap);

#endif
