/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transact.c - see transact.h. */
#include "store/transact.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LEAVING 5.0 /* in seconds: for a worker that is ending and wants to give its row back */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool attempt(struct hd_cluster *st, hd_transaction *body, void *ctx)
{
    if (!hd_sql_begin(st->sql))
        return false;
    if (body(st, ctx) && hd_sql_commit(st->sql))
        return true;
    hd_sql_rollback(st->sql);
    return false;
}

bool hd_transact(struct hd_cluster *st, hd_transaction *body, void *ctx)
{
    double begun = now();
    useconds_t pause = 10000;

    while (!attempt(st, body, ctx)) {
        if (!hd_sql_may_retry(st->sql) || now() - begun >= (st->leaves != NULL && st->leaves() ? LEAVING : st->patience)) {
            snprintf(st->error, sizeof st->error, "%s", hd_sql_error(st->sql));
            return false;
        }
        usleep(pause / 2 + (useconds_t)rand() % pause); /* random, so that the workers do not all retry at the same
                                                         * moment */
        pause = pause < 1000000 ? pause * 2 : pause;
    }
    return true;
}

struct one {
    const char *sql, *text;
    int64_t a;
    double d;
};

static bool run_one(struct hd_cluster *st, void *ctx)
{
    const struct one *o = ctx;

    return hd_sql_run(st->sql, NULL, o->sql, "idt", o->a, o->d, o->text);
}

bool hd_transact_one(struct hd_cluster *st, const char *sql, int64_t a, double d, const char *text)
{
    struct one o = { .sql = sql, .text = text, .a = a, .d = d };

    return hd_transact(st, run_one, &o);
}
