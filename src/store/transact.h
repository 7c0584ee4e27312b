/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transact.h - transactions that are done again when the database was away or another one was in the way. */
#ifndef HD_STORE_TRANSACT_H
#define HD_STORE_TRANSACT_H

#include "store/sql.h"
#include "store/store.h"

struct hd_cluster {
    struct hd_sql *sql;
    double patience; /* seconds */
    bool (*leaves)(void); /* the user does not want to wait; NULL: never */
    char error[512];
};

/* One attempt: returns false if a statement failed.  May be called several times. */
typedef bool hd_transaction(struct hd_cluster *st, void *ctx);

/* Runs it inside of a transaction until it is committed.  Since a COMMIT may be cut off, it must notice when its effect is
 * there already.  Returns false with a message in st->error. */
bool hd_transact(struct hd_cluster *st, hd_transaction *body, void *ctx);

/* A transaction of one statement that returns nothing and may be repeated. */
bool hd_transact_one(struct hd_cluster *st, const char *sql, int64_t a, double d, const char *text);

#endif
