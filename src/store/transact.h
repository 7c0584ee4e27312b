/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transact.h - repeats transactions that failed because the database was not reachable or another transaction was in
 * conflict. */
#ifndef HD_STORE_TRANSACT_H
#define HD_STORE_TRANSACT_H

#include "store/sql.h"
#include "store/store.h"

struct hd_cluster {
    struct hd_sql *sql;
    double patience; /* seconds */
    bool (*leaves)(void); /* true when the user wants this worker to end soon; NULL: never */
    char error[512];
};

/* One attempt: returns false if a statement failed.  May be called several times. */
typedef bool hd_transaction(struct hd_cluster *st, void *ctx);

/* Runs `body` inside a transaction and repeats it until it is committed.  The connection may be lost during COMMIT,
 * so `body` must detect that its effect exists already.  Returns false and writes a message to st->error if that
 * fails. */
bool hd_transact(struct hd_cluster *st, hd_transaction *body, void *ctx);

/* Runs a transaction of one statement that returns nothing and may be repeated. */
bool hd_transact_one(struct hd_cluster *st, const char *sql, int64_t a, double d, const char *text);

#endif
