/* SPDX-License-Identifier: BSD-2-Clause
 *
 * data.c - the data of the pages as JSON.  docs/cluster.md describes the members. */
#include "base/json.h"
#include "serve/pages.h"
#include "serve/state.h"

static void open_document(struct hd_json *j, FILE *out)
{
    hd_json_open(j, out, 0);
    hd_json_object(j);
    hd_json_put_uint(j, "version", 1);
}

static void close_document(struct hd_json *j)
{
    hd_json_end(j);
    fputc('\n', j->out);
}

static void put_real(struct hd_json *j, const char *key, bool known, double x)
{
    hd_json_key(j, key);
    if (known)
        hd_json_fixed(j, x, 3);
    else
        hd_json_null(j);
}

static void put_numbers(struct hd_json *j, const struct hd_view_campaign *c, const struct hd_state *s)
{
    hd_json_put_int(j, "executions", c->executions);
    hd_json_put_int(j, "redundant", c->redundant);
    hd_json_put_int(j, "buggy", c->buggy);
    hd_json_put_int(j, "slices", c->slices);
    hd_json_put_int(j, "rows", c->rows);
    hd_json_put_int(j, "unfinished", c->unfinished);
    hd_json_put_int(j, "leased", c->leased);
    hd_json_put_int(j, "bound", c->bound);
    hd_json_put_int_or_null(j, "limit", c->limit > 0, c->limit);
    hd_json_put_int(j, "findings", c->findings);
    hd_json_put_int(j, "workers_alive", c->alive);
    hd_json_put_int(j, "workers_lost", c->lost);
    hd_json_put_int(j, "workers_left", c->left);
    put_real(j, "created", true, c->created);
    put_real(j, "deadline", c->deadline >= 0, c->deadline);
    put_real(j, "seconds", true, s->elapsed);
    put_real(j, "rate", true, s->rate);
    put_real(j, "progress", s->done >= 0, s->done);
    put_real(j, "seconds_left", s->left >= 0, s->left);
    put_real(j, "budget_used", s->budget >= 0, s->budget);
}

/* Writes the members of a campaign's JSON object that lists and single campaigns have in common. */
static void put_campaign(struct hd_json *j, const struct hd_view_campaign *c)
{
    static const char *const kinds[] = { "indices", "tree", "list" };
    struct hd_state s;

    hd_state_of(c, &s);
    hd_json_put_int(j, "id", c->id);
    hd_json_put_string(j, "name", c->name);
    hd_json_put_string(j, "state", c->state);
    hd_json_put_string(j, "outcome", c->outcome);
    hd_json_put_string_or_null(j, "divided", c->kind >= 0 && c->kind < 3 ? kinds[c->kind] : NULL);
    hd_json_put_string_or_null(j, "verdict", c->verdict);
    put_numbers(j, c, &s);
}

void hd_data_campaigns(FILE *out, const struct hd_view_campaigns *all)
{
    struct hd_json j;

    open_document(&j, out);
    hd_json_put_int(&j, "total", all->all);
    hd_json_put_array(&j, "campaigns");
    for (size_t i = 0; i < all->n; i++) {
        hd_json_object(hd_json_line(&j));
        put_campaign(&j, &all->list[i]);
        hd_json_end(&j);
    }
    hd_json_end(&j);
    close_document(&j);
}

/* ---- one campaign ---------------------------------------------------------------------------- */

static void put_claim(struct hd_json *j, const struct hd_view_campaign *c)
{
    hd_json_key(hd_json_line(j), "claim");
    if (c->verdict == NULL) {
        hd_json_null(j);
        return;
    }
    hd_json_object(j);
    hd_json_put_string(j, "verdict", c->verdict);
    hd_json_put_string(j, "guarantee", c->claim.sentence != NULL ? c->claim.sentence : "");
    hd_json_put_int(j, "executions", c->claim.executions);
    put_real(j, "at", true, c->claim.at);
    hd_json_end(j);
}

static void put_findings(struct hd_json *j, const struct hd_view_findings *all)
{
    hd_json_put_array(hd_json_line(j), "finding_list");
    for (size_t i = 0; i < all->n; i++) {
        const struct hd_view_finding *f = &all->list[i];

        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "id", f->signature);
        hd_json_put_string(j, "kind", f->kind);
        hd_json_put_string(j, "message", f->message);
        hd_json_put_int(j, "index", f->index);
        hd_json_put_string(j, "worker", f->worker);
        put_real(j, "at", true, f->at);
        hd_json_put_bool(j, "schedule", f->schedule_size > 0);
        hd_json_put_bool(j, "report", f->report_size > 0);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void put_workers(struct hd_json *j, const struct hd_view_workers *all)
{
    static const char *const words[] = { [HD_WORKER_ALIVE] = "alive", [HD_WORKER_LOST] = "lost", [HD_WORKER_LEFT] = "left" };

    hd_json_put_array(hd_json_line(j), "workers");
    for (size_t i = 0; i < all->n; i++) {
        const struct hd_view_worker *w = &all->list[i];

        hd_json_object(hd_json_line(j));
        hd_json_put_string(j, "id", w->id);
        hd_json_put_string(j, "state", words[w->state]);
        put_real(j, "seconds_silent", true, w->silent);
        put_real(j, "lease_seconds_left", w->leases > 0, w->lease);
        hd_json_put_int(j, "leases", w->leases);
        hd_json_put_int(j, "slices", w->slices);
        hd_json_put_int(j, "executions", w->executions);
        hd_json_end(j);
    }
    hd_json_end(j);
}

static void put_rates(struct hd_json *j, const struct hd_view_rate *r)
{
    hd_json_put_object(hd_json_line(j), "executions_over_time");
    put_real(j, "begin", r->n > 0, r->begin);
    put_real(j, "width", r->n > 0, r->width);
    hd_json_put_array(j, "executions");
    for (size_t i = 0; i < r->n; i++)
        hd_json_int(j, r->executions[i]);
    hd_json_end(j);
    hd_json_end(j);
}

void hd_data_campaign(FILE *out, const struct hd_whole *w)
{
    struct hd_json j;

    open_document(&j, out);
    put_campaign(&j, w->c);
    hd_json_put_string(hd_json_line(&j), "program", w->c->hash);
    hd_json_put_string_or_null(&j, "carried", w->c->program);
    hd_json_put_string(hd_json_line(&j), "options", w->c->spec);
    put_claim(&j, w->c);
    put_findings(&j, w->findings);
    put_workers(&j, w->workers);
    put_rates(&j, w->rate);
    close_document(&j);
}

void hd_data_error(FILE *out, const char *sentence)
{
    struct hd_json j;

    open_document(&j, out);
    hd_json_put_string(&j, "error", sentence);
    close_document(&j);
}
