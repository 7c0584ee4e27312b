/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sql.h - one interface to PostgreSQL and SQLite.  A statement has one text for both; words between @ are replaced:
 *
 *   @now@ the time of the database in seconds since 1970; in PostgreSQL the current time, not that of the transaction's
 *   start @lock@ lock the selected rows until the transaction ends @skip@ the same, passing over rows that others have
 *   locked @id@ type of a primary key that numbers the rows @blob@ type of bytes
 *
 * A transaction of SQLite locks the whole database when it begins (BEGIN IMMEDIATE), so @lock@ and @skip@ are empty
 * there. libpq is loaded at run time if the URL requires it, so that other commands need not load its libraries. */
#ifndef HD_STORE_SQL_H
#define HD_STORE_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_sql;

struct hd_sql_cell {
    char *data; /* text, or bytes followed by a zero that `size` does not count; NULL: no value */
    size_t size;
};

struct hd_sql_rows {
    uint32_t n, ncolumns;
    struct hd_sql_cell *cells;
};

/* Connects to "postgresql://..." (or postgres://), or opens the file of "sqlite:PATH", creating it if necessary.
 * Returns NULL and writes a message to `error` if that fails. */
struct hd_sql *hd_sql_open(const char *url, char *error, size_t cap);
/* Like hd_sql_open, for reading only: nothing is created or written, a transaction reads one state of the database,
 * and the connection counts as lost if the database does not answer within this time. */
struct hd_sql *hd_sql_open_to_read(const char *url, int patience_ms, char *error, size_t cap);
void hd_sql_close(struct hd_sql *q);

/* Executes one statement.  Each letter of `types` gives the type of an argument, which is parameter $1, $2, ... of
 * the statement: i int64_t, d double, t const char * (NULL: no value), b const void * and size_t (NULL: no value).
 * rows may be NULL.  Returns false if that fails; hd_sql_error is the message, and the caller must end the
 * transaction. */
bool hd_sql_run(struct hd_sql *q, struct hd_sql_rows *rows, const char *sql, const char *types, ...);

bool hd_sql_begin(struct hd_sql *q);
/* If it returns false, it is unknown whether the transaction was committed. */
bool hd_sql_commit(struct hd_sql *q);
void hd_sql_rollback(struct hd_sql *q);

const char *hd_sql_error(const struct hd_sql *q);
/* True if the last failure was a lost connection or a conflict with another transaction: repeating the transaction
 * may succeed. */
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
