/* SPDX-License-Identifier: BSD-2-Clause
 *
 * saying.c - what workers store for the dashboard: that they have left, and their verdicts. */
#include "store/transact.h"

struct saying {
    const char *worker;
    const struct hd_cluster_claims *claims;
};

static bool leave(struct hd_cluster *st, void *ctx)
{
    const struct saying *s = ctx;

    return hd_sql_run(st->sql, NULL, "UPDATE worker SET idle = 2, seen = @now@ WHERE id = $1", "t", s->worker);
}

bool hd_cluster_leave(struct hd_cluster *st, const char *worker)
{
    struct saying s = { .worker = worker };

    return hd_transact(st, leave, &s);
}

/* If several workers store a verdict, the one with most executions counts. */
static bool say(struct hd_cluster *st, void *ctx)
{
    const struct saying *s = ctx;
    const struct hd_cluster_claims *c = s->claims;

    return hd_sql_run(st->sql, NULL,
                      "INSERT INTO verdict (campaign, pass, executions, at, verdict, sentence) "
                      "SELECT id, $2, $3, @now@, $4, $5 FROM campaign WHERE id = $1 "
                      "ON CONFLICT (campaign) DO UPDATE SET pass = excluded.pass, executions = excluded.executions, at = excluded.at, "
                      "verdict = excluded.verdict, sentence = excluded.sentence "
                      "WHERE verdict.pass < excluded.pass OR (verdict.pass = excluded.pass AND verdict.executions <= excluded.executions)",
                      "iiitt", c->campaign, c->pass, c->executions, c->verdict, c->sentence);
}

bool hd_cluster_say(struct hd_cluster *st, const struct hd_cluster_claims *claims)
{
    struct saying s = { .claims = claims };

    return hd_transact(st, say, &s);
}

struct asking {
    int64_t campaign, index;
    const char *signature;
    bool there;
};

static bool ask(struct hd_cluster *st, void *ctx)
{
    struct asking *a = ctx;
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r, "SELECT 1 FROM finding WHERE campaign = $1 AND signature = $2 AND found_index <= $3", "iti",
                    a->campaign, a->signature, a->index))
        return false;
    a->there = r.n > 0;
    hd_sql_free(&r);
    return true;
}

bool hd_cluster_has_finding(struct hd_cluster *st, int64_t campaign, const char *signature, int64_t index)
{
    struct asking a = { .campaign = campaign, .index = index, .signature = signature };

    return hd_transact(st, ask, &a) && a.there;
}
