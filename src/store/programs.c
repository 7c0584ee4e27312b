/* SPDX-License-Identifier: BSD-2-Clause
 *
 * programs.c - programs in the store, for workers on machines that do not have them. */
#include <stdio.h>
#include <stdlib.h>

#include "store/transact.h"

struct shipping {
    int64_t campaign;
    const struct hd_cluster_program *program;
};

static bool insert(struct hd_cluster *st, void *ctx)
{
    const struct shipping *s = ctx;
    const struct hd_cluster_program *p = s->program;

    return hd_sql_run(st->sql, NULL,
                      "INSERT INTO program (campaign, name, build_id, features, command, reference, content) VALUES "
                      "($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (campaign) DO NOTHING",
                      "itttbbb", s->campaign, p->name, p->build_id, p->features, p->command.data, p->command.size,
                      p->reference.data, p->reference.size, p->content.data, p->content.size);
}

bool hd_cluster_ship(struct hd_cluster *st, int64_t campaign, const struct hd_cluster_program *p)
{
    struct shipping s = { campaign, p };

    return hd_transact(st, insert, &s);
}

struct reading {
    int64_t campaign, content;
    struct hd_sql_rows rows;
};

static bool read_program(struct hd_cluster *st, void *ctx)
{
    struct reading *r = ctx;

    hd_sql_free(&r->rows);
    return hd_sql_run(st->sql, &r->rows,
                      "SELECT name, build_id, features, command, reference, CASE WHEN $2 = 1 THEN content END "
                      "FROM program WHERE campaign = $1", "ii", r->campaign, r->content);
}

bool hd_cluster_shipped(struct hd_cluster *st, int64_t campaign, bool content, struct hd_cluster_program *out)
{
    struct reading r = { .campaign = campaign, .content = content };
    size_t size;

    *out = (struct hd_cluster_program){ .features = NULL };
    st->error[0] = '\0';
    if (!hd_transact(st, read_program, &r))
        return false;
    bool found = r.rows.n > 0;

    if (found) {
        snprintf(out->name, sizeof out->name, "%s", hd_sql_text(&r.rows, 0, 0));
        snprintf(out->build_id, sizeof out->build_id, "%s", hd_sql_text(&r.rows, 0, 1));
        out->features = hd_sql_take(&r.rows, 0, 2, &size);
        out->command.data = hd_sql_take(&r.rows, 0, 3, &out->command.size);
        out->reference.data = hd_sql_take(&r.rows, 0, 4, &out->reference.size);
        out->content.data = hd_sql_take(&r.rows, 0, 5, &out->content.size);
    }
    hd_sql_free(&r.rows);
    return found;
}

void hd_cluster_program_free(struct hd_cluster_program *p)
{
    free(p->features);
    free(p->command.data);
    free(p->reference.data);
    free(p->content.data);
    *p = (struct hd_cluster_program){ .features = NULL };
}
