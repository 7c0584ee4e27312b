/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.c - campaigns and their results. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/schema.h"
#include "store/transact.h"

#define PATIENCE 300.0

#define COLUMNS \
    "id, name, state, outcome, kind, pass, bound, flags, next_index, index_limit, " \
    "CASE WHEN deadline IS NULL THEN -1 WHEN deadline < @now@ THEN 0 ELSE deadline - @now@ END, spec, hash"

struct hd_cluster *hd_cluster_open(const char *url, char *error, size_t cap)
{
    struct hd_sql *q = hd_sql_open(url, error, cap);

    if (q == NULL)
        return NULL;
    if (!hd_schema_update(q, error, cap)) {
        hd_sql_close(q);
        return NULL;
    }
    struct hd_cluster *st = hd_zeroed(1, sizeof *st);

    st->sql = q;
    hd_cluster_set_patience(st, PATIENCE, NULL);
    return st;
}

void hd_cluster_close(struct hd_cluster *st)
{
    if (st == NULL)
        return;
    hd_sql_close(st->sql);
    free(st);
}

const char *hd_cluster_error(const struct hd_cluster *st)
{
    return st->error;
}

void hd_cluster_set_patience(struct hd_cluster *st, double seconds, bool (*leaves)(void))
{
    st->patience = seconds;
    st->leaves = leaves;
}

/* ---- campaigns ---------------------------------------------------------------------------- */

static void take_campaign(struct hd_sql_rows *r, uint32_t row, struct hd_cluster_campaign *c)
{
    size_t size;

    *c = (struct hd_cluster_campaign){ .id = hd_sql_int(r, row, 0), .kind = hd_sql_int(r, row, 4), .pass = hd_sql_int(r, row, 5),
                                     .bound = hd_sql_int(r, row, 6), .flags = hd_sql_int(r, row, 7),
                                     .next_index = hd_sql_int(r, row, 8), .limit = hd_sql_int(r, row, 9),
                                     .left = hd_sql_real(r, row, 10) };
    snprintf(c->name, sizeof c->name, "%s", hd_sql_text(r, row, 1));
    snprintf(c->state, sizeof c->state, "%s", hd_sql_text(r, row, 2));
    snprintf(c->outcome, sizeof c->outcome, "%s", hd_sql_text(r, row, 3));
    snprintf(c->hash, sizeof c->hash, "%s", hd_sql_text(r, row, 12));
    c->spec = hd_sql_take(r, row, 11, &size);
}

void hd_cluster_campaign_free(struct hd_cluster_campaign *c)
{
    free(c->spec);
    *c = (struct hd_cluster_campaign){ 0 };
}

struct joining {
    const struct hd_cluster_spec *spec;
    struct hd_sql_rows rows;
};

static bool create_and_read(struct hd_cluster *st, void *ctx)
{
    struct joining *j = ctx;
    const struct hd_cluster_spec *s = j->spec;

    hd_sql_free(&j->rows);
    return hd_sql_run(st->sql, &j->rows,
                      "INSERT INTO campaign (name, state, outcome, kind, pass, valid_from, bound, flags, next_index, index_limit,"
                      " spec, hash, created, deadline) VALUES ($1, 'open', '', $2, 1, 1, 0, 0, 0, $3, $4, $5, @now@,"
                      " CASE WHEN $6 > 0 THEN @now@ + $6 ELSE NULL END) ON CONFLICT (name) DO NOTHING RETURNING id",
                      "tiittd", s->name, (int64_t)s->kind, s->limit, s->spec, s->hash, s->budget) &&
           (j->rows.n == 0 || s->kind == HD_CLUSTER_INDEX ||
            hd_sql_run(st->sql, NULL,
                       "INSERT INTO work (campaign, pass, ord, depth, known, state, fence, expires) VALUES ($1, 1, 0, 0, 1, 0, 0, 0)",
                       "i", hd_sql_int(&j->rows, 0, 0))) &&
           (hd_sql_free(&j->rows), hd_sql_run(st->sql, &j->rows, "SELECT " COLUMNS " FROM campaign WHERE name = $1", "t", s->name));
}

/* Copies the first line of `there` that differs from the line of `here` at the same place.  The tab in it becomes a
 * space. */
static void first_difference(const char *there, const char *here, char *line, size_t cap)
{
    size_t begin = 0, at = 0;

    for (; there[at] != '\0' && there[at] == here[at]; at++)
        if (there[at] == '\n')
            begin = at + 1;
    snprintf(line, cap, "%.*s", (int)strcspn(there + begin, "\n"), there + begin);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\t')
            *c = ' ';
}

/* A name must fit into the struct, and be harmless on a terminal. */
static bool is_name(const char *name)
{
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            return false;
    return name[0] != '\0' && strlen(name) < sizeof((struct hd_cluster_campaign *)NULL)->name;
}

bool hd_cluster_join(struct hd_cluster *st, const struct hd_cluster_spec *spec, struct hd_cluster_campaign *out)
{
    struct joining j = { .spec = spec };
    char line[128] = "";

    if (!is_name(spec->name)) {
        snprintf(st->error, sizeof st->error, "the name of a campaign has 1 to %zu bytes and no control characters; choose another one",
                 sizeof out->name - 1);
        return false;
    }
    if (!hd_transact(st, create_and_read, &j))
        return false;
    take_campaign(&j.rows, 0, out);
    hd_sql_free(&j.rows);
    bool same = strcmp(out->hash, spec->hash) == 0;

    if (same && strcmp(out->spec, spec->spec) == 0)
        return true;
    if (same)
        first_difference(out->spec, spec->spec, line, sizeof line);
    snprintf(st->error, sizeof st->error, "the store has a campaign '%s' of %s%s%s%s; choose another name, or remove that one with "
                                          "heddle campaign delete", spec->name, same ? "other options" : "another program",
             line[0] != '\0' ? " (" : "", line, line[0] != '\0' ? ")" : "");
    hd_cluster_campaign_free(out);
    return false;
}

struct reading {
    const char *sql, *text;
    int64_t id;
    struct hd_sql_rows rows;
};

static bool read_rows(struct hd_cluster *st, void *ctx)
{
    struct reading *r = ctx;

    hd_sql_free(&r->rows);
    return hd_sql_run(st->sql, &r->rows, r->sql, "ti", r->text, r->id);
}

bool hd_cluster_find(struct hd_cluster *st, const char *name, struct hd_cluster_campaign *out)
{
    struct reading r = { .sql = "SELECT " COLUMNS " FROM campaign WHERE name = $1 AND $2 = 0", .text = name };

    st->error[0] = '\0';
    if (!hd_transact(st, read_rows, &r))
        return false;
    bool found = r.rows.n > 0;

    if (found)
        take_campaign(&r.rows, 0, out);
    hd_sql_free(&r.rows);
    return found;
}

/* By its number: another campaign may have got the name since. */
bool hd_cluster_refresh(struct hd_cluster *st, struct hd_cluster_campaign *c)
{
    struct reading r = { .sql = "SELECT " COLUMNS " FROM campaign WHERE id = $2 AND $1 = ''", .text = "", .id = c->id };

    if (!hd_transact(st, read_rows, &r))
        return false;
    bool found = r.rows.n > 0;

    if (found) {
        hd_cluster_campaign_free(c);
        take_campaign(&r.rows, 0, c);
    } else {
        snprintf(st->error, sizeof st->error, "the campaign '%s' is not in the store any more: somebody has deleted it", c->name);
    }
    hd_sql_free(&r.rows);
    return found;
}

bool hd_cluster_stop(struct hd_cluster *st, int64_t campaign)
{
    return hd_transact_one(st, "UPDATE campaign SET state = 'stopped' WHERE id = $1 AND state = 'open' AND $2 = 0 AND $3 = ''",
                           campaign, 0, "");
}

/* A campaign that ended because its budget was used up still has unfinished rows. */
bool hd_cluster_resume(struct hd_cluster *st, int64_t campaign, double extra)
{
    return hd_transact_one(st, "UPDATE campaign SET state = 'open', outcome = '', deadline = CASE WHEN $2 > 0 THEN @now@ + $2 "
                               "ELSE NULL END WHERE id = $1 AND (state = 'stopped' OR outcome = 'budget') AND $3 = ''",
                           campaign, extra, "");
}

bool hd_cluster_end(struct hd_cluster *st, int64_t campaign, const char *outcome)
{
    return hd_transact_one(st, "UPDATE campaign SET state = 'done', outcome = $3 WHERE id = $1 AND state <> 'done' AND $2 = 0",
                           campaign, 0, outcome);
}

bool hd_cluster_delete(struct hd_cluster *st, int64_t campaign)
{
    return hd_transact_one(st, "DELETE FROM campaign WHERE id = $1 AND $2 = 0 AND $3 = ''", campaign, 0, "");
}

/* ---- results ------------------------------------------------------------------------------- */

#define VALID "campaign = $2 AND pass >= (SELECT valid_from FROM campaign WHERE id = $2)"

bool hd_cluster_totals(struct hd_cluster *st, int64_t campaign, struct hd_cluster_totals *out)
{
    struct reading r = {
        .sql = "SELECT coalesce(sum(executions), 0), coalesce(sum(redundant), 0), coalesce(sum(buggy), 0), count(*),"
               " coalesce(sum(seconds), 0),"
               " (SELECT count(*) FROM work WHERE " VALID "), (SELECT count(*) FROM work WHERE " VALID " AND state = 0),"
               " (SELECT count(*) FROM work WHERE " VALID " AND state = 0 AND holder IS NOT NULL AND expires > @now@),"
               " (SELECT count(*) FROM worker WHERE campaign = $2 AND seen > @now@ - 30)"
               " FROM result WHERE " VALID " AND $1 = ''",
        .text = "", .id = campaign,
    };

    if (!hd_transact(st, read_rows, &r))
        return false;
    *out = (struct hd_cluster_totals){
        .executions = hd_sql_int(&r.rows, 0, 0), .redundant = hd_sql_int(&r.rows, 0, 1), .buggy = hd_sql_int(&r.rows, 0, 2),
        .slices = hd_sql_int(&r.rows, 0, 3), .seconds = hd_sql_real(&r.rows, 0, 4), .rows = hd_sql_int(&r.rows, 0, 5),
        .unfinished = hd_sql_int(&r.rows, 0, 6), .leased = hd_sql_int(&r.rows, 0, 7), .workers = hd_sql_int(&r.rows, 0, 8),
    };
    hd_sql_free(&r.rows);
    return true;
}

bool hd_cluster_each_slice(struct hd_cluster *st, int64_t campaign, void (*each)(void *ctx, const struct hd_bytes *totals),
                         void *ctx)
{
    struct reading r = { .sql = "SELECT totals FROM result WHERE " VALID " AND $1 = '' ORDER BY work, fence", .text = "", .id = campaign };

    if (!hd_transact(st, read_rows, &r))
        return false;
    for (uint32_t i = 0; i < r.rows.n; i++)
        each(ctx, &(struct hd_bytes){ r.rows.cells[i].data, r.rows.cells[i].size });
    hd_sql_free(&r.rows);
    return true;
}

bool hd_cluster_each_campaign(struct hd_cluster *st, void (*each)(void *ctx, const struct hd_cluster_campaign *c), void *ctx)
{
    struct reading r = { .sql = "SELECT " COLUMNS " FROM campaign WHERE $1 = '' AND $2 = 0 ORDER BY name", .text = "" };

    if (!hd_transact(st, read_rows, &r))
        return false;
    for (uint32_t i = 0; i < r.rows.n; i++) {
        struct hd_cluster_campaign c;

        take_campaign(&r.rows, i, &c);
        each(ctx, &c);
        hd_cluster_campaign_free(&c);
    }
    hd_sql_free(&r.rows);
    return true;
}

bool hd_cluster_each_finding(struct hd_cluster *st, int64_t campaign,
                           void (*each)(void *ctx, const struct hd_cluster_finding *f), void *ctx)
{
    struct reading r = { .sql = "SELECT signature, kind, message, found_index, schedule, report FROM finding WHERE campaign = $2 "
                                "AND $1 = '' ORDER BY found_index, at, signature", .text = "", .id = campaign };

    if (!hd_transact(st, read_rows, &r))
        return false;
    for (uint32_t i = 0; i < r.rows.n; i++) {
        const struct hd_sql_cell *c = &r.rows.cells[(size_t)i * r.rows.ncolumns];
        struct hd_cluster_finding f = { .kind = hd_sql_text(&r.rows, i, 1), .message = hd_sql_text(&r.rows, i, 2),
                                      .index = hd_sql_int(&r.rows, i, 3), .schedule = { c[4].data, c[4].size },
                                      .report = { c[5].data, c[5].size } };

        snprintf(f.signature, sizeof f.signature, "%s", hd_sql_text(&r.rows, i, 0));
        each(ctx, &f);
    }
    hd_sql_free(&r.rows);
    return true;
}
