/* SPDX-License-Identifier: BSD-2-Clause
 *
 * db.h - the cells of a study in one SQLite file.
 *
 * Every cell is a transaction of its own, in a write-ahead log: a study that is killed at any
 * moment has lost the cells that were running, and nothing else.  The file says what it is
 * (application_id), and one that is something else is never written to. */
#ifndef HD_STUDY_DB_H
#define HD_STUDY_DB_H

#include "study/cell.h"

struct hd_study_db;

/* Open the file, or make it; NULL with a sentence. */
struct hd_study_db *hd_study_db_open(const char *path, bool must_exist, char *error, size_t cap);
void hd_study_db_close(struct hd_study_db *db);

/* Is there a result of the same key?  One that failed has none, and is done again. */
bool hd_study_db_has(struct hd_study_db *db, const struct hd_cell_key *key);

/* From the object that `heddle run --json` wrote.  False when it is none, or of a search that
 * somebody has interrupted. */
bool hd_study_db_parse(struct hd_study_db *db, const char *json, const char *kinds, struct hd_cell *cell);

/* Keep it, in the place of one with the same key; false with a sentence. */
bool hd_study_db_put(struct hd_study_db *db, const struct hd_cell *cell, char *error, size_t cap);

struct hd_cells {
    struct hd_cell *cell;
    size_t n;
};

/* The newest cell of each program, strategy and seed, oldest first; to be freed.  False with
 * a sentence. */
bool hd_study_db_load(struct hd_study_db *db, struct hd_cells *out, char *error, size_t cap);

#endif
