/* SPDX-License-Identifier: BSD-2-Clause
 *
 * commits.c - the ends of a lease: the transaction that commits a slice (L2), and giving the row back. */
#include <stdlib.h>

#include "base/memory.h"
#include "store/transact.h"

struct commit {
    const struct hd_cluster_lease *lease;
    const struct hd_cluster_slice *slice;
    enum hd_cluster_commit result;
};

/* Locks the campaign (L7).  Returns false if a statement failed. */
static bool lock_campaign(struct hd_cluster *st, int64_t campaign, struct hd_sql_rows *r)
{
    return hd_sql_run(st->sql, r, "SELECT pass, places_version FROM campaign WHERE id = $1 @lock@", "i",
                      campaign);
}

/* L3: sets *there if the slice was committed before. */
static bool has_result(struct hd_cluster *st, const struct hd_cluster_lease *l, bool *there)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r, "SELECT 1 FROM result WHERE work = $1 AND fence = $2", "ii", l->row, l->fence))
        return false;
    *there = r.n > 0;
    hd_sql_free(&r);
    return true;
}

static bool put_result(struct hd_cluster *st, const struct commit *c)
{
    const struct hd_cluster_slice *s = c->slice;

    return hd_sql_run(st->sql, NULL,
                      "INSERT INTO result (work, fence, campaign, pass, worker, at, seconds, executions, redundant, buggy, totals) "
                      "VALUES ($1, $2, $3, $4, $5, @now@, $6, $7, $8, $9, $10)", "iiiitdiiib", c->lease->row, c->lease->fence,
                      c->lease->campaign, c->lease->pass, s->worker, s->seconds, s->executions, s->redundant, s->buggy,
                      s->totals.data, s->totals.size);
}

/* Finishes the row or gives it back, if the lease is still valid. */
static bool put_row(struct hd_cluster *st, const struct commit *c, bool *mine)
{
    const struct hd_cluster_slice *s = c->slice;
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r,
                    "UPDATE work SET state = $3, cursor_ = $4, step = CASE WHEN $5 = 1 THEN $6 ELSE step END, "
                    "known = CASE WHEN $5 = 1 THEN 1 ELSE known END, first_index = CASE WHEN first_index IS NULL THEN NULL ELSE $7 END, "
                    "holder = NULL, expires = 0 WHERE id = $1 AND fence = $2 AND state = 0 AND pass = $8 RETURNING id",
                    "iiibibii", c->lease->row, c->lease->fence, (int64_t)s->state, s->cursor.data, s->cursor.size,
                    (int64_t)(s->step.data != NULL), s->step.data, s->step.size, s->first, c->lease->pass))
        return false;
    *mine = r.n > 0;
    hd_sql_free(&r);
    return true;
}

/* L5: adds a row. *id: number of the new row; 0 if a row with that label existed. */
static bool put_new(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_cluster_row *row, int64_t parent,
                    int64_t *id)
{
    struct hd_sql_rows r;
    int64_t order = row->append ? -1 : row->order;

    if (!hd_sql_run(st->sql, &r,
                    "INSERT INTO work (campaign, pass, parent, ord, depth, label, step, known, state, cursor_, fence, expires) "
                    "SELECT $1, $2, $3, CASE WHEN $4 >= 0 THEN $4 ELSE (SELECT coalesce(max(ord), 0) + 1 FROM work WHERE parent = $3) END, "
                    "coalesce((SELECT depth + 1 FROM work WHERE id = $3), 0), $5, $6, $7, $8, $9, 0, 0 "
                    "WHERE $3 >= 0 ON CONFLICT DO NOTHING RETURNING id",
                    "iiiibbiib", l->campaign, l->pass, parent, order, row->label.data, row->label.size, row->step.data,
                    row->step.size, (int64_t)row->known, (int64_t)row->state, row->cursor.data, row->cursor.size))
        return false;
    *id = r.n > 0 ? hd_sql_int(&r, 0, 0) : 0;
    hd_sql_free(&r);
    return true;
}

static bool put_rows(struct hd_cluster *st, const struct commit *c)
{
    const struct hd_cluster_slice *s = c->slice;
    int64_t *ids = hd_zeroed(s->nrows, sizeof *ids);
    bool ok = true;

    for (uint32_t i = 0; ok && i < s->nrows; i++) {
        const struct hd_cluster_row *row = &s->rows[i];

        int64_t parent = row->parent == HD_NO_PARENT ? 0 : row->parent != 0 ? row->parent : ids[row->parent_at];

        ok = put_new(st, c->lease, row, parent, &ids[i]);
    }
    free(ids);
    return ok;
}

/* Adds the finding to the regression corpus.  The schedule of the newest build replaces an older one. */
static bool put_regression(struct hd_cluster *st, const char *program, const struct hd_cluster_finding *f)
{
    return program == NULL || f->schedule.data == NULL ||
           hd_sql_run(st->sql, NULL,
                      "INSERT INTO corpus (program, signature, kind, message, at, schedule) VALUES ($1, $2, $3, $4, @now@, $5) "
                      "ON CONFLICT (program, signature) DO UPDATE SET kind = $3, message = $4, at = @now@, schedule = $5",
                      "ttttb", program, f->signature, f->kind, f->message, f->schedule.data, f->schedule.size);
}

static bool put_findings(struct hd_cluster *st, const struct commit *c)
{
    const struct hd_cluster_slice *s = c->slice;

    for (uint32_t i = 0; i < s->nfindings; i++) {
        const struct hd_cluster_finding *f = &s->findings[i];

        if (!put_regression(st, s->program, f) ||
            !hd_sql_run(st->sql, NULL,
                        "INSERT INTO finding (campaign, signature, kind, message, found_index, worker, at, schedule, report) "
                        "VALUES ($1, $2, $3, $4, $5, $6, @now@, $7, $8) ON CONFLICT (campaign, signature) DO UPDATE SET "
                        "found_index = $5, worker = $6, at = @now@, schedule = $7, report = $8 WHERE finding.found_index > $5",
                        "itttitbb", c->lease->campaign,
                        f->signature, f->kind, f->message, f->index, s->worker, f->schedule.data, f->schedule.size,
                        f->report.data, f->report.size))
            return false;
        if (s->stops && !hd_sql_run(st->sql, NULL,
                                    "UPDATE campaign SET index_limit = CASE WHEN index_limit = 0 OR index_limit > $2 THEN $2 ELSE "
                                    "index_limit END WHERE id = $1 AND kind = 0", "ii", c->lease->campaign, f->index + 1))
            return false;
    }
    return true;
}

static bool put_places(struct hd_cluster *st, const struct commit *c)
{
    const struct hd_bytes *p = &c->slice->places;

    return p->data == NULL || hd_sql_run(st->sql, NULL,
                                         "UPDATE campaign SET places = $2, places_version = places_version + 1 WHERE id = $1", "ib",
                                         c->lease->campaign, p->data, p->size);
}

/* ---- the end of a pass --------------------------------------------------------------------------- */

static bool next_pass(struct hd_cluster *st, int64_t campaign, int64_t pass)
{
    return hd_sql_run(st->sql, NULL,
                      "INSERT INTO work (campaign, pass, ord, depth, known, state, fence, expires) VALUES ($1, $2, 0, 0, 1, 0, 0, 0)",
                      "ii", campaign, pass + 1) &&
           hd_sql_run(st->sql, NULL, "UPDATE campaign SET pass = $2 WHERE id = $1", "ii", campaign, pass + 1);
}

static bool finish(struct hd_cluster *st, int64_t campaign, const char *outcome)
{
    return hd_sql_run(st->sql, NULL, "UPDATE campaign SET state = 'done', outcome = $2 WHERE id = $1", "it", campaign, outcome);
}

/* L4: ends the pass or the campaign if no row is unfinished.  The flags include those of this slice. */
static bool settle(struct hd_cluster *st, const struct commit *c)
{
    int64_t campaign = c->lease->campaign;
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, NULL, "UPDATE work SET state = 1 WHERE campaign = $1 AND pass = $2 AND state = 0 AND holder IS NULL AND "
                                   "first_index >= (SELECT index_limit FROM campaign WHERE id = $1 AND index_limit > 0)", "ii",
                    campaign, c->lease->pass) ||
        !hd_sql_run(st->sql, &r,
                    "SELECT (SELECT count(*) FROM work WHERE campaign = $1 AND pass = $2 AND state = 0), kind, flags, next_index, "
                    "index_limit FROM campaign WHERE id = $1", "ii", campaign, c->lease->pass))
        return false;
    int64_t unfinished = hd_sql_int(&r, 0, 0), kind = hd_sql_int(&r, 0, 1), flags = hd_sql_int(&r, 0, 2);
    bool more = kind == HD_CLUSTER_INDEX && (hd_sql_int(&r, 0, 4) == 0 || hd_sql_int(&r, 0, 3) < hd_sql_int(&r, 0, 4));

    hd_sql_free(&r);
    if (c->slice->stops && c->slice->nfindings > 0 && kind != HD_CLUSTER_INDEX)
        return finish(st, campaign, "found");
    if (unfinished > 0 || more)
        return true;
    if ((flags & c->slice->deepens) == 0)
        return finish(st, campaign, "complete");
    return hd_sql_run(st->sql, NULL, "UPDATE campaign SET bound = bound + 1, flags = $2 WHERE id = $1", "ii", campaign,
                      flags & ~c->slice->deepens) &&
           next_pass(st, campaign, c->lease->pass);
}

/* True if the slice changes only its own row (L7).  A row that is a range of indices may have to end early because
 * of a finding of another worker. */
static bool goes_on(const struct commit *c)
{
    const struct hd_cluster_slice *s = c->slice;

    return c->lease->end == 0 && s->state == HD_ROW_QUEUED && s->nrows == 0 && s->nfindings == 0 && s->places.data == NULL && (s->flags & ~s->old_flags) == 0;
}

/* Locks the campaign. *current: the lease belongs to the campaign's current pass and racing places. */
static bool lock_for(struct hd_cluster *st, const struct commit *c, bool *current)
{
    struct hd_sql_rows r;

    if (!lock_campaign(st, c->lease->campaign, &r))
        return false;
    *current = r.n > 0 && hd_sql_int(&r, 0, 0) == c->lease->pass &&
               (c->slice->places.data == NULL || hd_sql_int(&r, 0, 1) == c->lease->places_version);
    hd_sql_free(&r);
    return true;
}

static bool commit(struct hd_cluster *st, void *ctx)
{
    struct commit *c = ctx;
    const struct hd_cluster_lease *l = c->lease;
    bool there, mine, current = true, alone = goes_on(c);

    c->result = HD_COMMIT_LOST;
    if ((!alone && !lock_for(st, c, &current)) || !has_result(st, l, &there))
        return false;
    if (there)
        c->result = HD_COMMIT_DONE;
    if (there || !current)
        return true;
    if (!put_row(st, c, &mine))
        return false;
    if (!mine)
        return true;
    c->result = HD_COMMIT_DONE;
    if (alone)
        return put_result(st, c);
    return put_result(st, c) && put_rows(st, c) && put_findings(st, c) && put_places(st, c) &&
           hd_sql_run(st->sql, NULL, "UPDATE campaign SET flags = flags | $2 WHERE id = $1", "ii", l->campaign, c->slice->flags) &&
           settle(st, c);
}

enum hd_cluster_commit hd_cluster_commit(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_cluster_slice *s)
{
    struct commit c = { .lease = l, .slice = s };

    return hd_transact(st, commit, &c) ? c.result : HD_COMMIT_FAILED;
}

/* ---- giving a row back, and beginning a pass again -------------------------------------------------------------- */

static bool release(struct hd_cluster *st, void *ctx)
{
    const struct commit *c = ctx;

    return hd_sql_run(st->sql, NULL, "UPDATE work SET holder = NULL, expires = 0 WHERE id = $1 AND fence = $2 AND holder = $3", "iit",
                      c->lease->row, c->lease->fence, c->slice->worker);
}

bool hd_cluster_release(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l)
{
    const struct hd_cluster_slice s = { .worker = worker };
    struct commit c = { .lease = l, .slice = &s };

    return hd_transact(st, release, &c);
}

struct restart {
    const struct hd_cluster_lease *lease;
    const struct hd_bytes *places;
};

static bool restart(struct hd_cluster *st, void *ctx)
{
    const struct restart *c = ctx;
    struct hd_sql_rows r;
    int64_t campaign = c->lease->campaign, pass = c->lease->pass;

    if (!lock_campaign(st, campaign, &r))
        return false;
    bool current = r.n > 0 && hd_sql_int(&r, 0, 0) == pass;

    hd_sql_free(&r);
    return !current || (next_pass(st, campaign, pass) &&
                        hd_sql_run(st->sql, NULL, "UPDATE campaign SET valid_from = pass, bound = 0, flags = 0, places = $2, places_version = places_version + 1 WHERE id = $1",
                                   "ib", campaign, c->places->data, c->places->size));
}

bool hd_cluster_restart(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_bytes *places)
{
    struct restart c = { .lease = l, .places = places };

    return hd_transact(st, restart, &c);
}
