/* SPDX-License-Identifier: BSD-2-Clause
 *
 * corpus.c - the regression corpus: the newest schedule of each finding of each program, whatever became of the
 * campaign that has found it.  Commits fill it (commits.c). */
#include <stdio.h>
#include <stdlib.h>

#include "store/transact.h"

struct reading {
    const char *program;
    struct hd_sql_rows rows;
};

static bool read_corpus(struct hd_cluster *st, void *ctx)
{
    struct reading *r = ctx;

    hd_sql_free(&r->rows);
    return hd_sql_run(st->sql, &r->rows,
                      "SELECT program, signature, kind, message, schedule FROM corpus WHERE program = coalesce($1, program) "
                      "ORDER BY program, signature", "t", r->program);
}

bool hd_cluster_each_regression(struct hd_cluster *st, const char *program,
                                void (*each)(void *ctx, const char *program, const struct hd_cluster_finding *f), void *ctx)
{
    struct reading r = { .program = program };

    if (!hd_transact(st, read_corpus, &r))
        return false;
    for (uint32_t i = 0; i < r.rows.n; i++) {
        const struct hd_sql_cell *c = &r.rows.cells[(size_t)i * r.rows.ncolumns];
        struct hd_cluster_finding f = { .kind = hd_sql_text(&r.rows, i, 2), .message = hd_sql_text(&r.rows, i, 3),
                                        .schedule = { c[4].data, c[4].size } };

        snprintf(f.signature, sizeof f.signature, "%s", hd_sql_text(&r.rows, i, 1));
        each(ctx, hd_sql_text(&r.rows, i, 0), &f);
    }
    hd_sql_free(&r.rows);
    return true;
}

struct forgetting {
    const char *signature;
    uint32_t n;
};

/* After a lost COMMIT the rows are gone already, and n keeps the number of the first attempt. */
static bool forget(struct hd_cluster *st, void *ctx)
{
    struct forgetting *f = ctx;
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r, "DELETE FROM corpus WHERE signature = $1 RETURNING program", "t", f->signature))
        return false;
    f->n = r.n > f->n ? r.n : f->n;
    hd_sql_free(&r);
    return true;
}

bool hd_cluster_forget(struct hd_cluster *st, const char *signature, bool *there)
{
    struct forgetting f = { .signature = signature };
    bool ok = hd_transact(st, forget, &f);

    *there = f.n > 0;
    return ok;
}
