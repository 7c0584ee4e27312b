/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schema.h - the tables of a store, by versions. */
#ifndef HD_STORE_SCHEMA_H
#define HD_STORE_SCHEMA_H

#include "store/sql.h"

/* Creates the tables or updates them to this version.  Returns false and writes a message if that fails. */
bool hd_schema_update(struct hd_sql *q, char *error, size_t cap);

/* For readers: returns true if the tables have the version of this Heddle, otherwise false with a message. */
bool hd_schema_is_current(struct hd_sql *q, char *error, size_t cap);

#endif
