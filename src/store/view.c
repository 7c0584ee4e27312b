/* SPDX-License-Identifier: BSD-2-Clause
 *
 * view.c - see view.h. */
#include "store/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/schema.h"
#include "store/sql.h"

#define PATIENCE_MS 5000
#define SHOWN "200"    /* maximum number of campaigns in a list, and of findings and workers of a campaign */
#define SILENCE "30"   /* in seconds: after this time a worker without a lease counts as lost; living ones report
                        * more often */

struct hd_view {
    struct hd_sql *sql;
    char error[512];
};

const char *hd_view_error(const struct hd_view *v)
{
    return v->error;
}

static bool fail(struct hd_view *v)
{
    snprintf(v->error, sizeof v->error, "%s", hd_sql_error(v->sql));
    return false;
}

/* ---- opening ---------------------------------------------------------------------------------- */

struct hd_view *hd_view_open(const char *url, char *error, size_t cap)
{
    struct hd_sql *q = hd_sql_open_to_read(url, PATIENCE_MS, error, cap);

    if (q == NULL)
        return NULL;
    struct hd_view *v = hd_zeroed(1, sizeof *v);

    v->sql = q;
    if (hd_view_begin(v)) {
        hd_view_end(v);
        return v;
    }
    snprintf(error, cap, "%s", v->error);
    hd_view_close(v);
    return NULL;
}

void hd_view_close(struct hd_view *v)
{
    if (v == NULL)
        return;
    hd_sql_close(v->sql);
    free(v);
}

bool hd_view_begin(struct hd_view *v)
{
    bool ok = hd_sql_begin(v->sql) || (hd_sql_may_retry(v->sql) && hd_sql_begin(v->sql)); /* the old connection may
                                                                                           * be lost */

    if (!ok)
        return fail(v);
    if (hd_schema_is_current(v->sql, v->error, sizeof v->error))
        return true;
    hd_sql_rollback(v->sql);
    return false;
}

void hd_view_end(struct hd_view *v)
{
    hd_sql_rollback(v->sql);
}

static char *take_text(struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    return hd_copied(hd_sql_text(r, row, column));
}

static char *take_text_or_null(struct hd_sql_rows *r, uint32_t row, uint32_t column)
{
    size_t size;

    return hd_sql_take(r, row, column, &size);
}

/* ---- campaigns ---------------------------------------------------------------------------------- */

/* Number of leased rows for each holder. */
#define HELD \
    "(SELECT w.holder, w.campaign, count(*) AS n, max(w.expires) AS until FROM work w JOIN shown k ON k.id = w.campaign " \
    "WHERE w.state = 0 AND w.holder IS NOT NULL GROUP BY w.holder, w.campaign)"

/* The state of a worker as enum hd_view_worker_state. h: the rows that it holds. */
#define STATE \
    "CASE WHEN p.idle = 2 THEN 2 WHEN p.seen > @now@ - " SILENCE " OR h.until > @now@ THEN 0 ELSE 1 END"

#define FROM_SHOWN \
    "FROM shown c " \
    "LEFT JOIN (SELECT r.campaign AS id, sum(r.executions) AS executions, sum(r.redundant) AS redundant, sum(r.buggy) AS buggy," \
    " count(*) AS slices, sum(r.seconds) AS seconds, min(r.at - r.seconds) AS began, max(r.at) AS ended" \
    " FROM result r JOIN shown k ON k.id = r.campaign AND r.pass >= k.valid_from GROUP BY r.campaign) t ON t.id = c.id " \
    "LEFT JOIN (SELECT w.campaign AS id, count(*) AS n, sum(CASE WHEN w.state = 0 THEN 1 ELSE 0 END) AS unfinished," \
    " sum(CASE WHEN w.state = 0 AND w.holder IS NOT NULL AND w.expires > @now@ THEN 1 ELSE 0 END) AS leased" \
    " FROM work w JOIN shown k ON k.id = w.campaign AND w.pass >= k.valid_from GROUP BY w.campaign) w ON w.id = c.id " \
    "LEFT JOIN (SELECT f.campaign AS id, count(*) AS n FROM finding f JOIN shown k ON k.id = f.campaign GROUP BY f.campaign) f" \
    " ON f.id = c.id " \
    "LEFT JOIN (SELECT p.campaign AS id, sum(CASE WHEN " STATE " = 0 THEN 1 ELSE 0 END) AS alive," \
    " sum(CASE WHEN " STATE " = 1 THEN 1 ELSE 0 END) AS lost, sum(CASE WHEN " STATE " = 2 THEN 1 ELSE 0 END) AS gone" \
    " FROM worker p JOIN shown k ON k.id = p.campaign LEFT JOIN " HELD " h ON h.holder = p.id AND h.campaign = p.campaign" \
    " GROUP BY p.campaign) p ON p.id = c.id " \
    "LEFT JOIN verdict d ON d.campaign = c.id AND d.pass >= c.valid_from"

#define COMMON \
    "c.id, substr(c.name, 1, 1000), substr(c.state, 1, 100), substr(c.outcome, 1, 2000), substr(c.spec, 1, 10000), c.kind, c.bound, c.index_limit, @now@, " \
    "c.created, coalesce(c.deadline, -1), coalesce(t.began, 0), coalesce(t.ended, 0), coalesce(t.executions, 0), " \
    "coalesce(t.redundant, 0), coalesce(t.buggy, 0), coalesce(t.slices, 0), coalesce(t.seconds, 0), coalesce(w.n, 0), " \
    "coalesce(w.unfinished, 0), coalesce(w.leased, 0), coalesce(f.n, 0), coalesce(p.alive, 0), coalesce(p.lost, 0), " \
    "coalesce(p.gone, 0), substr(d.verdict, 1, 100) "
enum { NCOMMON = 26 };

static void take_common(struct hd_sql_rows *r, uint32_t i, struct hd_view_campaign *c)
{
    *c = (struct hd_view_campaign){
        .id = hd_sql_int(r, i, 0), .name = take_text(r, i, 1), .state = take_text(r, i, 2), .outcome = take_text(r, i, 3),
        .spec = take_text(r, i, 4), .kind = hd_sql_int(r, i, 5), .bound = hd_sql_int(r, i, 6), .limit = hd_sql_int(r, i, 7),
        .now = hd_sql_real(r, i, 8), .created = hd_sql_real(r, i, 9), .deadline = hd_sql_real(r, i, 10),
        .first = hd_sql_real(r, i, 11), .last = hd_sql_real(r, i, 12), .executions = hd_sql_int(r, i, 13),
        .redundant = hd_sql_int(r, i, 14), .buggy = hd_sql_int(r, i, 15), .slices = hd_sql_int(r, i, 16),
        .seconds = hd_sql_real(r, i, 17), .rows = hd_sql_int(r, i, 18), .unfinished = hd_sql_int(r, i, 19),
        .leased = hd_sql_int(r, i, 20), .findings = hd_sql_int(r, i, 21), .alive = hd_sql_int(r, i, 22),
        .lost = hd_sql_int(r, i, 23), .left = hd_sql_int(r, i, 24), .verdict = take_text_or_null(r, i, 25),
    };
}

/* Rounds down.  A cast alone rounds in one database and truncates in the other. */
#define FLOOR(x) "CAST(" x " AS bigint) - CASE WHEN CAST(" x " AS bigint) > " x " THEN 1 ELSE 0 END"

#define LISTED \
    "WITH shown AS (SELECT * FROM campaign ORDER BY CASE WHEN state = 'open' THEN 0 ELSE 1 END, created DESC, id DESC " \
    "LIMIT " SHOWN ") "

/* Time from the first to the last slice of each campaign, and how many parts to divide it into: each is as long as
 * two average slices. */
#define SPAN \
    "(SELECT r.campaign AS id, min(r.at - r.seconds) AS began, max(r.at) AS ended, " \
    "(max(r.at) - min(r.at - r.seconds)) * count(*) / (2 * sum(r.seconds)) AS parts FROM result r " \
    "JOIN shown k ON k.id = r.campaign AND r.pass >= k.valid_from GROUP BY r.campaign HAVING max(r.at) > min(r.at - r.seconds) " \
    "AND sum(r.seconds) > 0)"
#define PARTS "CASE WHEN s.parts < 1 THEN 1 WHEN s.parts > $1 THEN $1 ELSE s.parts END"

static void add_spark(struct hd_view_campaigns *all, int64_t id, int64_t at, int64_t executions, double parts)
{
    size_t n = parts < 1 ? 1 : parts > HD_VIEW_SPARKS ? HD_VIEW_SPARKS : (size_t)ceil(parts);

    for (size_t i = 0; i < all->n; i++) {
        struct hd_view_campaign *c = &all->list[i];

        if (c->id != id)
            continue;
        c->nsparks = n;
        c->spark[at < 0 ? 0 : at < (int64_t)n ? (size_t)at : n - 1] += executions;
    }
}

/* The executions of a slice count at the middle of its time. */
static bool read_sparks(struct hd_view *v, struct hd_view_campaigns *all)
{
    struct hd_sql_rows r;

    if (!hd_sql_run(v->sql, &r,
                    LISTED "SELECT r.campaign, " FLOOR("((r.at - r.seconds / 2 - s.began) / (s.ended - s.began) * " PARTS ")")
                    ", sum(r.executions), max(" PARTS ") FROM result r JOIN shown k ON k.id = r.campaign AND r.pass >= k.valid_from "
                    "JOIN " SPAN " s ON s.id = r.campaign GROUP BY 1, 2", "d", (double)HD_VIEW_SPARKS))
        return fail(v);
    for (uint32_t i = 0; i < r.n; i++)
        add_spark(all, hd_sql_int(&r, i, 0), hd_sql_int(&r, i, 1), hd_sql_int(&r, i, 2), hd_sql_real(&r, i, 3));
    hd_sql_free(&r);
    return true;
}

bool hd_view_campaigns(struct hd_view *v, struct hd_view_campaigns *out)
{
    struct hd_sql_rows r;

    *out = (struct hd_view_campaigns){ .n = 0 };
    if (!hd_sql_run(v->sql, &r, "SELECT count(*) FROM campaign", ""))
        return fail(v);
    out->all = hd_sql_int(&r, 0, 0);
    hd_sql_free(&r);
    if (!hd_sql_run(v->sql, &r,
                    LISTED "SELECT " COMMON FROM_SHOWN
                    " ORDER BY CASE WHEN c.state = 'open' THEN 0 ELSE 1 END, c.created DESC, c.id DESC", ""))
        return fail(v);
    out->list = hd_zeroed(r.n, sizeof *out->list);
    out->n = r.n;
    for (uint32_t i = 0; i < r.n; i++)
        take_common(&r, i, &out->list[i]);
    hd_sql_free(&r);
    if (read_sparks(v, out))
        return true;
    hd_view_campaigns_free(out);
    return false;
}

void hd_view_campaigns_free(struct hd_view_campaigns *c)
{
    for (size_t i = 0; i < c->n; i++)
        hd_view_campaign_free(&c->list[i]);
    free(c->list);
    *c = (struct hd_view_campaigns){ .n = 0 };
}

static void take_rest(struct hd_sql_rows *r, struct hd_view_campaign *c)
{
    uint32_t at = NCOMMON;

    c->hash = take_text(r, 0, at++);
    c->program = take_text_or_null(r, 0, at++);
    c->build_id = take_text_or_null(r, 0, at++);
    c->command.data = hd_sql_take(r, 0, at++, &c->command.size);
    c->claim.sentence = take_text_or_null(r, 0, at++);
    c->claim.at = hd_sql_real(r, 0, at++);
    c->claim.executions = hd_sql_int(r, 0, at++);
}

bool hd_view_campaign(struct hd_view *v, const char *name, int64_t id, struct hd_view_campaign *out, bool *found)
{
    struct hd_sql_rows r;

    *out = (struct hd_view_campaign){ .id = 0 };
    if (!hd_sql_run(v->sql, &r,
                    "WITH shown AS (SELECT * FROM campaign WHERE CASE WHEN $3 = 1 THEN name = $1 ELSE id = $2 END) SELECT " COMMON
                    ", substr(c.hash, 1, 64), substr(g.name, 1, 200), substr(g.build_id, 1, 64), "
                    "CASE WHEN length(g.command) < 65536 THEN g.command END, substr(d.sentence, 1, 5000), "
                    "coalesce(d.at, 0), coalesce(d.executions, 0) " FROM_SHOWN
                    " LEFT JOIN program g ON g.campaign = c.id",
                    "tii", name, id, (int64_t)(name != NULL)))
        return fail(v);
    *found = r.n > 0;
    if (*found) {
        take_common(&r, 0, out);
        take_rest(&r, out);
    }
    hd_sql_free(&r);
    return true;
}

void hd_view_campaign_free(struct hd_view_campaign *c)
{
    char *const texts[] = { c->name, c->state, c->outcome, c->spec, c->hash, c->program, c->build_id, c->command.data,
                            c->verdict, c->claim.sentence };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *c = (struct hd_view_campaign){ .id = 0 };
}

/* ---- workers ------------------------------------------------------------------------------------- */

bool hd_view_workers(struct hd_view *v, int64_t campaign, struct hd_view_workers *out)
{
    struct hd_sql_rows r;

    *out = (struct hd_view_workers){ .n = 0 };
    if (!hd_sql_run(v->sql, &r,
                    "WITH shown AS (SELECT id, valid_from FROM campaign WHERE id = $1) SELECT substr(p.id, 1, 200), " STATE ", p.idle, "
                    "@now@ - p.seen, coalesce(h.until - @now@, -1), coalesce(h.n, 0), coalesce(r.n, 0), coalesce(r.executions, 0) "
                    "FROM worker p LEFT JOIN " HELD " h ON h.holder = p.id LEFT JOIN (SELECT r.worker, count(*) AS n, "
                    "sum(r.executions) AS executions FROM result r JOIN shown k ON k.id = r.campaign AND r.pass >= k.valid_from "
                    "GROUP BY r.worker) r ON r.worker = p.id WHERE p.campaign = $1 "
                    "ORDER BY CASE " STATE " WHEN 1 THEN 0 WHEN 0 THEN 1 ELSE 2 END, p.id LIMIT " SHOWN, "i", campaign))
        return fail(v);
    out->list = hd_zeroed(r.n, sizeof *out->list);
    out->n = r.n;
    for (uint32_t i = 0; i < r.n; i++) {
        int64_t state = hd_sql_int(&r, i, 1);

        out->list[i] = (struct hd_view_worker){
            .id = take_text(&r, i, 0), .state = state == 0 ? HD_WORKER_ALIVE : state == 1 ? HD_WORKER_LOST : HD_WORKER_LEFT,
            .idle = hd_sql_int(&r, i, 2) == 1, .silent = hd_sql_real(&r, i, 3), .lease = hd_sql_real(&r, i, 4),
            .leases = hd_sql_int(&r, i, 5), .slices = hd_sql_int(&r, i, 6), .executions = hd_sql_int(&r, i, 7),
        };
    }
    hd_sql_free(&r);
    return true;
}

void hd_view_workers_free(struct hd_view_workers *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->list[i].id);
    free(w->list);
    *w = (struct hd_view_workers){ .n = 0 };
}

/* ---- rate ------------------------------------------------------------------------------------------ */

/* Divides the time into parts: as many as can be shown, but each longer than a slice, whose executions all count at
 * its middle. */
static bool lay_out(const struct hd_view_campaign *c, struct hd_view_rate *out)
{
    double end = strcmp(c->state, "open") == 0 && c->now > c->last ? c->now : c->last, length = end - c->first;
    double shortest = c->slices > 0 ? 2 * c->seconds / (double)c->slices : 0;

    *out = (struct hd_view_rate){ .begin = c->first };
    if (c->slices <= 0 || !isfinite(length) || length <= 0 || !isfinite(shortest))
        return false;
    out->width = fmax(length / HD_VIEW_BUCKETS, fmin(shortest, length));
    out->n = (size_t)ceil(length / out->width - 1e-9);
    out->n = out->n < 1 ? 1 : out->n > HD_VIEW_BUCKETS ? HD_VIEW_BUCKETS : out->n;
    out->width = length / (double)out->n;
    return true;
}

bool hd_view_rate(struct hd_view *v, const struct hd_view_campaign *c, struct hd_view_rate *out)
{
    struct hd_sql_rows r;

    if (!lay_out(c, out))
        return true;
    if (!hd_sql_run(v->sql, &r,
                    "SELECT " FLOOR("((r.at - r.seconds / 2 - $2) / $3)") ", sum(r.executions) FROM result r JOIN campaign c ON c.id = r.campaign AND r.pass >= c.valid_from "
                    "WHERE r.campaign = $1 GROUP BY 1", "idd", c->id, out->begin, out->width))
        return fail(v);
    for (uint32_t i = 0; i < r.n; i++) {
        int64_t at = hd_sql_int(&r, i, 0);

        at = at < 0 ? 0 : at >= (int64_t)out->n ? (int64_t)out->n - 1 : at;
        out->executions[at] += hd_sql_int(&r, i, 1);
    }
    hd_sql_free(&r);
    return true;
}

/* ---- findings ---------------------------------------------------------------------------------------- */

#define FINDING \
    "SELECT substr(signature, 1, 64), substr(kind, 1, 100), substr(message, 1, 5000), substr(worker, 1, 200), at, found_index, " \
    "coalesce(length(schedule), 0), coalesce(length(report), 0) FROM finding WHERE campaign = $1 "

static void take_finding(struct hd_sql_rows *r, uint32_t i, struct hd_view_finding *f)
{
    *f = (struct hd_view_finding){
        .signature = take_text(r, i, 0), .kind = take_text(r, i, 1), .message = take_text(r, i, 2), .worker = take_text(r, i, 3),
        .at = hd_sql_real(r, i, 4), .index = hd_sql_int(r, i, 5), .schedule_size = hd_sql_int(r, i, 6),
        .report_size = hd_sql_int(r, i, 7),
    };
}

bool hd_view_findings(struct hd_view *v, int64_t campaign, struct hd_view_findings *out)
{
    struct hd_sql_rows r;

    *out = (struct hd_view_findings){ .n = 0 };
    if (!hd_sql_run(v->sql, &r, FINDING "ORDER BY found_index, at, signature LIMIT " SHOWN, "i", campaign))
        return fail(v);
    out->list = hd_zeroed(r.n, sizeof *out->list);
    out->n = r.n;
    for (uint32_t i = 0; i < r.n; i++)
        take_finding(&r, i, &out->list[i]);
    hd_sql_free(&r);
    return true;
}

void hd_view_findings_free(struct hd_view_findings *f)
{
    for (size_t i = 0; i < f->n; i++)
        hd_view_finding_free(&f->list[i]);
    free(f->list);
    *f = (struct hd_view_findings){ .n = 0 };
}

bool hd_view_finding(struct hd_view *v, int64_t campaign, const char *signature, struct hd_view_finding *out, bool *found)
{
    struct hd_sql_rows r;

    *out = (struct hd_view_finding){ .index = 0 };
    if (!hd_sql_run(v->sql, &r, FINDING "AND signature = $2", "it", campaign, signature))
        return fail(v);
    *found = r.n > 0;
    if (*found)
        take_finding(&r, 0, out);
    hd_sql_free(&r);
    return true;
}

void hd_view_finding_free(struct hd_view_finding *f)
{
    free(f->signature);
    free(f->kind);
    free(f->message);
    free(f->worker);
    *f = (struct hd_view_finding){ .index = 0 };
}

static bool read_bytes(struct hd_view *v, const char *sql, int64_t campaign, const char *signature, struct hd_bytes *out)
{
    struct hd_sql_rows r;

    *out = (struct hd_bytes){ NULL, 0 };
    if (!hd_sql_run(v->sql, &r, sql, "it", campaign, signature))
        return fail(v);
    if (r.n > 0)
        out->data = hd_sql_take(&r, 0, 0, &out->size);
    hd_sql_free(&r);
    return true;
}

bool hd_view_schedule(struct hd_view *v, int64_t campaign, const char *signature, struct hd_bytes *out)
{
    return read_bytes(v, "SELECT schedule FROM finding WHERE campaign = $1 AND signature = $2", campaign, signature, out);
}

bool hd_view_report(struct hd_view *v, int64_t campaign, const char *signature, struct hd_bytes *out)
{
    return read_bytes(v, "SELECT report FROM finding WHERE campaign = $1 AND signature = $2", campaign, signature, out);
}
