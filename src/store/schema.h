/* SPDX-License-Identifier: BSD-2-Clause
 *
 * schema.h - the tables of a store, by versions. */
#ifndef HD_STORE_SCHEMA_H
#define HD_STORE_SCHEMA_H

#include "store/sql.h"

/* Creates the tables or brings them up to date.  Returns false with a message. */
bool hd_schema_update(struct hd_sql *q, char *error, size_t cap);

#endif
