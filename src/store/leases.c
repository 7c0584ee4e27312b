/* SPDX-License-Identifier: BSD-2-Clause
 *
 * leases.c - claims and heartbeats. */
#include <stdlib.h>

#include "base/memory.h"
#include "store/transact.h"

/* Condition for a row that can be claimed: it is not done and not leased, and the steps of the siblings before it
 * are known (L6). */
#define CLAIMABLE \
    "w.state = 0 AND (w.holder IS NULL OR w.expires < @now@) AND NOT EXISTS " \
    "(SELECT 1 FROM work s WHERE s.parent = w.parent AND s.ord < w.ord AND s.known = 0 AND s.state <> 1)"

#define LEASED "RETURNING id, fence, pass, first_index, end_index, cursor_"

struct claim {
    int64_t campaign, range;
    const char *worker;
    double seconds;
    enum hd_cluster_claim result;
    struct hd_cluster_lease *lease;
};

static bool note_worker(struct hd_cluster *st, const char *worker, int64_t campaign, bool idle)
{
    return hd_sql_run(st->sql, NULL,
                      "INSERT INTO worker (id, campaign, idle, seen) VALUES ($1, $2, $3, @now@) "
                      "ON CONFLICT (id) DO UPDATE SET campaign = $2, idle = $3, seen = @now@",
                      "tii", worker, campaign, (int64_t)idle);
}

static void take_lease(struct hd_sql_rows *r, struct claim *c)
{
    struct hd_cluster_lease *l = c->lease;

    *l = (struct hd_cluster_lease){ .campaign = c->campaign, .row = hd_sql_int(r, 0, 0), .fence = hd_sql_int(r, 0, 1),
                                  .pass = hd_sql_int(r, 0, 2), .first = hd_sql_int(r, 0, 3), .end = hd_sql_int(r, 0, 4) };
    l->cursor.data = hd_sql_take(r, 0, 5, &l->cursor.size);
    c->result = HD_CLAIM_WORK;
}

/* Reads the rows on the path to the leased row, and their siblings. */
static bool read_nodes(struct hd_cluster *st, struct hd_cluster_lease *l)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r,
                    "WITH RECURSIVE up (id, parent) AS (SELECT id, parent FROM work WHERE id = $1 "
                    "UNION ALL SELECT w.id, w.parent FROM work w JOIN up ON w.id = up.parent) "
                    "SELECT w.id, coalesce(w.parent, 0), CASE WHEN w.id IN (SELECT id FROM up) THEN 1 ELSE 0 END, w.known, w.label, w.step "
                    "FROM work w WHERE w.id = $1 OR w.id IN (SELECT id FROM up) OR w.parent IN (SELECT parent FROM up) "
                    "ORDER BY w.depth, w.ord", "i", l->row))
        return false;
    l->nodes = hd_zeroed(r.n, sizeof *l->nodes);
    l->nnodes = r.n;
    for (uint32_t i = 0; i < r.n; i++) {
        struct hd_cluster_node *n = &l->nodes[i];

        *n = (struct hd_cluster_node){ .id = hd_sql_int(&r, i, 0), .parent = hd_sql_int(&r, i, 1),
                                     .on_path = hd_sql_int(&r, i, 2) != 0, .known = hd_sql_int(&r, i, 3) != 0 };
        n->label.data = hd_sql_take(&r, i, 4, &n->label.size);
        n->step.data = hd_sql_take(&r, i, 5, &n->step.size);
    }
    hd_sql_free(&r);
    return true;
}

static bool claim_row(struct hd_cluster *st, struct claim *c, int64_t pass)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r,
                    "UPDATE work SET holder = $2, fence = fence + 1, expires = @now@ + $3 WHERE id = "
                    "(SELECT w.id FROM work w WHERE w.campaign = $1 AND w.pass = $4 AND " CLAIMABLE
                    " ORDER BY w.depth, w.id LIMIT 1 @skip@) " LEASED,
                    "itdi", c->campaign, c->worker, c->seconds, pass))
        return false;
    if (r.n > 0)
        take_lease(&r, c);
    hd_sql_free(&r);
    return true;
}

/* Creates another row of indices.  Two workers may do so at the same time; the lock on the campaign's row makes them
 * take turns. */
static bool claim_range(struct hd_cluster *st, struct claim *c, int64_t pass)
{
    struct hd_sql_rows r;
    int64_t first = -1, end = 0, limit;

    if (!hd_sql_run(st->sql, &r, "SELECT next_index, index_limit FROM campaign WHERE id = $1 @lock@", "i", c->campaign))
        return false;
    if (r.n > 0) {
        first = hd_sql_int(&r, 0, 0);
        limit = hd_sql_int(&r, 0, 1);
        end = limit > 0 && limit - first < c->range ? limit : first + c->range;
    }
    hd_sql_free(&r);
    if (end <= first)
        return true;
    if (!hd_sql_run(st->sql, NULL, "UPDATE campaign SET next_index = $2 WHERE id = $1", "ii", c->campaign, end) ||
        !hd_sql_run(st->sql, &r,
                    "INSERT INTO work (campaign, pass, ord, depth, known, state, first_index, end_index, holder, fence, expires) "
                    "VALUES ($1, $2, 0, 0, 1, 0, $3, $4, $5, 1, @now@ + $6) " LEASED,
                    "iiiitd", c->campaign, pass, first, end, c->worker, c->seconds))
        return false;
    take_lease(&r, c);
    hd_sql_free(&r);
    return true;
}

static bool read_places(struct hd_cluster *st, struct hd_cluster_lease *l)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r, "SELECT places_version, places FROM campaign WHERE id = $1", "i", l->campaign))
        return false;
    if (r.n > 0) {
        l->places_version = hd_sql_int(&r, 0, 0);
        l->places.data = hd_sql_take(&r, 0, 1, &l->places.size);
    }
    hd_sql_free(&r);
    return true;
}

static bool claim(struct hd_cluster *st, void *ctx)
{
    struct claim *c = ctx;
    struct hd_sql_rows r;

    hd_cluster_lease_free(c->lease);
    c->result = HD_CLAIM_OVER;
    if (!hd_sql_run(st->sql, &r,
                    "SELECT state, pass, kind, CASE WHEN deadline < @now@ THEN 1 ELSE 0 END FROM campaign WHERE id = $1", "i",
                    c->campaign))
        return false;
    bool there = r.n > 0, open = there && hd_sql_text(&r, 0, 0)[0] == 'o', stopped = there && hd_sql_text(&r, 0, 0)[0] == 's';
    bool late = there && hd_sql_int(&r, 0, 3) != 0;
    int64_t pass = there ? hd_sql_int(&r, 0, 1) : 0, kind = there ? hd_sql_int(&r, 0, 2) : 0;

    hd_sql_free(&r);
    if (stopped)
        c->result = HD_CLAIM_STOPPED;
    if (!there)
        return true;
    if (open && late)
        return hd_sql_run(st->sql, NULL, "UPDATE campaign SET state = 'done', outcome = 'budget' WHERE id = $1 AND state = 'open'",
                          "i", c->campaign);
    if (!open)
        return true;
    c->result = HD_CLAIM_WAIT;
    if (!claim_row(st, c, pass) || (c->result == HD_CLAIM_WAIT && kind == HD_CLUSTER_INDEX && !claim_range(st, c, pass)))
        return false;
    if (c->result == HD_CLAIM_WORK && kind == HD_CLUSTER_TREE && !read_nodes(st, c->lease))
        return false;
    if (c->result == HD_CLAIM_WORK && kind != HD_CLUSTER_INDEX && !read_places(st, c->lease))
        return false;
    return note_worker(st, c->worker, c->campaign, c->result != HD_CLAIM_WORK);
}

enum hd_cluster_claim hd_cluster_claim(struct hd_cluster *st, int64_t campaign, const char *worker, double seconds, int64_t range,
                                   struct hd_cluster_lease *out)
{
    struct claim c = { .campaign = campaign, .range = range, .worker = worker, .seconds = seconds, .lease = out };

    *out = (struct hd_cluster_lease){ 0 };
    return hd_transact(st, claim, &c) ? c.result : HD_CLAIM_FAILED;
}

void hd_cluster_lease_free(struct hd_cluster_lease *l)
{
    for (uint32_t i = 0; i < l->nnodes; i++) {
        free(l->nodes[i].label.data);
        free(l->nodes[i].step.data);
    }
    free(l->nodes);
    free(l->cursor.data);
    free(l->places.data);
    *l = (struct hd_cluster_lease){ 0 };
}

/* ---- heartbeats ------------------------------------------------------------------------------ */

struct beat {
    const char *worker;
    const struct hd_cluster_lease *lease;
    double seconds;
    const struct hd_bytes *step;
    struct hd_cluster_beat *out;
};

static bool prolong(struct hd_cluster *st, const struct beat *b)
{
    const struct hd_cluster_lease *l = b->lease;
    const struct hd_bytes none = { NULL, 0 }, *step = b->step != NULL ? b->step : &none;
    struct hd_sql_rows r;

    if (!hd_sql_run(st->sql, &r,
                    "UPDATE work SET expires = @now@ + $3, step = CASE WHEN $4 = 1 THEN $5 ELSE step END, "
                    "known = CASE WHEN $4 = 1 THEN 1 ELSE known END WHERE id = $1 AND fence = $2 AND state = 0 AND holder = $6 "
                    "RETURNING id", "iidibt", l->row, l->fence, b->seconds, (int64_t)(step->data != NULL), step->data, step->size,
                    b->worker))
        return false;
    b->out->mine = r.n > 0;
    hd_sql_free(&r);
    return true;
}

static bool beat(struct hd_cluster *st, void *ctx)
{
    const struct beat *b = ctx;
    struct hd_sql_rows r;

    if (!prolong(st, b) || !note_worker(st, b->worker, b->lease->campaign, false) ||
        !hd_sql_run(st->sql, &r,
                    "SELECT CASE WHEN c.state = 'open' AND c.pass = $2 AND (c.deadline IS NULL OR c.deadline > @now@) THEN 1 ELSE 0 END, "
                    "CASE WHEN i.n = 0 THEN 0 ELSE i.n - (SELECT count(*) FROM work w WHERE w.campaign = $1 AND w.pass = $2 AND " /* seldom */
                    CLAIMABLE ") END FROM campaign c, (SELECT count(*) AS n FROM worker WHERE campaign = $1 AND idle = 1 AND "
                    "seen > @now@ - 10) i WHERE c.id = $1", "ii", b->lease->campaign, b->lease->pass))
        return false;
    b->out->go_on = r.n > 0 && hd_sql_int(&r, 0, 0) != 0;
    b->out->hungry = r.n > 0 ? hd_sql_int(&r, 0, 1) : 0;
    hd_sql_free(&r);
    return true;
}

bool hd_cluster_heartbeat(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l, double seconds,
                        const struct hd_bytes *step, struct hd_cluster_beat *out)
{
    struct beat b = { .worker = worker, .lease = l, .seconds = seconds, .step = step, .out = out };

    *out = (struct hd_cluster_beat){ .mine = false };
    return hd_transact(st, beat, &b);
}
