/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql_backend.h - the functions that the files for PostgreSQL and SQLite provide for sql.h. */
#ifndef HD_STORE_SQL_BACKEND_H
#define HD_STORE_SQL_BACKEND_H

#include "store/sql.h"

#define HD_SQL_PARAMETERS 32

struct hd_sql_value {
    char type; /* type of the argument: i, d, t or b, as in hd_sql_run */
    int64_t i;
    double d;
    const void *data; /* for t and b; NULL: no value */
    size_t size;
};

struct hd_sql_backend {
    const char *begin, *begin_reading;
    const char *now, *lock, *skip, *id, *blob; /* replacements of the @words@ of sql.h */
    bool replaceable; /* another database can replace this one under the same URL, so a reader connects anew for each
                       * transaction */
    /* Connects, for the first time or after the connection was lost. */
    bool (*connect)(struct hd_sql *q);
    bool (*run)(struct hd_sql *q, const char *sql, const struct hd_sql_value *v, uint32_t nv, struct hd_sql_rows *rows);
    void (*close)(struct hd_sql *q);
};

struct hd_sql {
    const struct hd_sql_backend *backend;
    char *url;
    void *handle;
    int patience_ms; /* 0: reads and writes, and waits without limit; otherwise only reads, and the connection counts
                      * as lost if the database does not answer within this time */
    bool lost;  /* there is no connection to the database any more */
    bool retry; /* repeating the transaction may succeed */
    char error[512];
};

extern const struct hd_sql_backend hd_sql_postgresql, hd_sql_sqlite;

/* Copies the data into the cell.  The caller sets n and ncolumns of the rows. */
void hd_sql_set_cell(struct hd_sql_cell *c, const void *data, size_t size);

#endif
