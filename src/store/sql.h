/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql.h - one way to speak to PostgreSQL and to SQLite.  A statement has one text for both; words between @ differ:
 *
 *   @now@    the time of the database in seconds since 1970; in PostgreSQL the time of the server, not of the transaction
 *   @lock@   lock the selected rows until the transaction ends
 *   @skip@   the same, passing over rows that others have locked
 *   @id@     type of a primary key that numbers the rows
 *   @blob@   type of bytes
 *
 * A transaction of SQLite locks the whole database when it begins (BEGIN IMMEDIATE), so @lock@ and @skip@ are empty there.
 * libpq is loaded when a URL asks for it: the other verbs do not pay for its libraries. */
#ifndef HD_STORE_SQL_H
#define HD_STORE_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_sql;

struct hd_sql_cell {
    char *data; /* text, or bytes; ends with a zero that size does not count; NULL: no value */
    size_t size;
};

struct hd_sql_rows {
    uint32_t n, ncolumns;
    struct hd_sql_cell *cells;
};

/* Connects to "postgresql://..." (or postgres://), or opens the file of "sqlite:PATH", which is created if necessary.
 * Returns NULL with a message in error. */
struct hd_sql *hd_sql_open(const char *url, char *error, size_t cap);
void hd_sql_close(struct hd_sql *q);

/* Executes one statement.  Each letter of `types` names the type of an argument, which is parameter $1, $2, ...:
 * i int64_t, d double, t const char * (NULL: no value), b const void * and size_t (NULL: no value).
 * rows may be NULL.  Returns false with a message in hd_sql_error; the caller then ends the transaction. */
bool hd_sql_run(struct hd_sql *q, struct hd_sql_rows *rows, const char *sql, const char *types, ...);

bool hd_sql_begin(struct hd_sql *q);
/* If this returns false, the transaction may have been committed or not. */
bool hd_sql_commit(struct hd_sql *q);
void hd_sql_rollback(struct hd_sql *q);

const char *hd_sql_error(const struct hd_sql *q);
/* True if the last failure was that of the connection or a conflict with another transaction: it may work when it is
 * done again. */
bool hd_sql_may_retry(const struct hd_sql *q);
/* Connects again if the connection was lost. */
bool hd_sql_again(struct hd_sql *q);

int64_t hd_sql_int(const struct hd_sql_rows *r, uint32_t row, uint32_t column);
double hd_sql_real(const struct hd_sql_rows *r, uint32_t row, uint32_t column);
/* Never NULL. */
const char *hd_sql_text(const struct hd_sql_rows *r, uint32_t row, uint32_t column);
/* Moves the bytes to the caller, who frees them. */
void *hd_sql_take(struct hd_sql_rows *r, uint32_t row, uint32_t column, size_t *size);
void hd_sql_free(struct hd_sql_rows *r);

#endif
