/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql_backend.h - what PostgreSQL and SQLite implement for sql.h. */
#ifndef HD_STORE_SQL_BACKEND_H
#define HD_STORE_SQL_BACKEND_H

#include "store/sql.h"

#define HD_SQL_PARAMETERS 32

struct hd_sql_value {
    char type; /* i, d, t, b as in hd_sql_run */
    int64_t i;
    double d;
    const void *data; /* t, b; NULL: no value */
    size_t size;
};

struct hd_sql_backend {
    const char *begin;
    const char *now, *lock, *skip, *id, *blob; /* the words of sql.h */
    /* Connects; also called when the connection was lost. */
    bool (*connect)(struct hd_sql *q);
    bool (*run)(struct hd_sql *q, const char *sql, const struct hd_sql_value *v, uint32_t nv, struct hd_sql_rows *rows);
    void (*close)(struct hd_sql *q);
};

struct hd_sql {
    const struct hd_sql_backend *backend;
    char *url;
    void *handle;
    bool lost;  /* no connection */
    bool retry; /* the last failure may not happen again */
    char error[512];
};

extern const struct hd_sql_backend hd_sql_postgresql, hd_sql_sqlite;

/* Appends a cell; data is copied.  The first one sets nothing else: the caller sets n and ncolumns. */
void hd_sql_set_cell(struct hd_sql_cell *c, const void *data, size_t size);

#endif
