/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_campaign.c - `heddle campaign` lists, shows, stops, resumes and removes the campaigns of a store, exports
 * their findings, and removes findings from the regression corpus. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory.h"
#include "campaign/spread/pages.h"
#include "campaign/spread/shipping.h"
#include "cli/options.h"
#include "cli/registry.h"
#include "conductor/store.h"
#include "report/print/text.h"
#include "store/store.h"

struct command {
    const struct hd_options *o;
    struct hd_cluster *st;
    struct hd_cluster_campaign c; /* the campaign that the command names */
    struct hd_json *json;         /* NULL: text */
    unsigned n;                   /* number of findings exported */
};

static int fail(const char *message)
{
    fprintf(stderr, "heddle: %s\n", message);
    return HD_EXIT_USAGE;
}

/* ---- list and show ----------------------------------------------------------------------- */

static const char *const kinds[] = { "indices", "tree", "list" };

static void print_campaign(const struct hd_cluster_campaign *c, const struct hd_cluster_totals *t)
{
    char name[4 * sizeof c->name];

    hd_text_visible(c->name, name, sizeof name);
    printf("%s: %s%s%s; %lld executions, %lld redundant, %lld with a finding; %lld of %lld rows of work left; %lld workers\n",
           name, c->state, c->outcome[0] != '\0' ? ", " : "", c->outcome, (long long)t->executions,
           (long long)t->redundant, (long long)t->buggy, (long long)t->unfinished, (long long)t->rows, (long long)t->workers);
}

static void put_campaign(struct hd_json *j, const struct hd_cluster_campaign *c, const struct hd_cluster_totals *t)
{
    hd_json_put_string(j, "name", c->name);
    hd_json_put_string(j, "state", c->state);
    hd_json_put_string(j, "outcome", c->outcome);
    hd_json_put_string(j, "divided", kinds[c->kind]);
    hd_json_put_string(j, "program", c->hash);
    hd_json_put_uint(j, "executions", (uint64_t)t->executions);
    hd_json_put_uint(j, "redundant", (uint64_t)t->redundant);
    hd_json_put_uint(j, "buggy", (uint64_t)t->buggy);
    hd_json_put_uint(j, "slices", (uint64_t)t->slices);
    hd_json_put_uint(j, "rows", (uint64_t)t->rows);
    hd_json_put_uint(j, "unfinished", (uint64_t)t->unfinished);
    hd_json_put_uint(j, "leased", (uint64_t)t->leased);
    hd_json_put_uint(j, "workers", (uint64_t)t->workers);
}

static void tell(struct command *m, const struct hd_cluster_campaign *c)
{
    struct hd_cluster_totals t;

    if (!hd_cluster_totals(m->st, c->id, &t))
        return;
    if (m->json == NULL) {
        print_campaign(c, &t);
        return;
    }
    hd_json_object(hd_json_line(m->json));
    put_campaign(m->json, c, &t);
}

static void list_one(void *ctx, const struct hd_cluster_campaign *c)
{
    struct command *m = ctx;

    tell(m, c);
    if (m->json != NULL)
        hd_json_end(m->json);
}

/* Whoever writes to the database must not control the terminal. */
static void print_finding(const char *path, const struct hd_cluster_finding *f)
{
    char *text = hd_formatted("%s %s: %s", path[0] != '\0' ? path : f->signature, f->kind, f->message);
    size_t cap = 4 * strlen(text) + 6;
    char *shown = hd_zeroed(cap, 1);

    hd_text_visible(text, shown, cap);
    printf("%s%s\n", path[0] != '\0' ? "" : "  ", shown);
    free(shown);
    free(text);
}

static void show_finding(void *ctx, const struct hd_cluster_finding *f)
{
    struct command *m = ctx;

    if (m->json == NULL) {
        print_finding("", f);
        return;
    }
    hd_json_object(hd_json_line(m->json));
    hd_json_put_string(m->json, "signature", f->signature);
    hd_json_put_string(m->json, "kind", f->kind);
    hd_json_put_string(m->json, "message", f->message);
    hd_json_end(m->json);
}

static bool list(struct command *m)
{
    return hd_cluster_each_campaign(m->st, list_one, m);
}

/* Prints the hash for --allow, if the store has the program of the campaign (shipping.h). */
static void show_hash(struct command *m)
{
    struct hd_cluster_program p;
    char hash[65];

    if (!hd_cluster_shipped(m->st, m->c.id, false, &p))
        return;
    hd_shipping_hash(m->c.hash, &p.command, hash);
    hd_cluster_program_free(&p);
    if (m->json != NULL)
        hd_json_put_string(m->json, "order", hash);
    else
        printf("  the store carries its program: heddle worker --allow %s\n", hash);
}

static bool show(struct command *m)
{
    tell(m, &m->c);
    show_hash(m);
    if (m->json != NULL)
        hd_json_put_array(m->json, "findings");
    bool ok = hd_cluster_each_finding(m->st, m->c.id, show_finding, m);

    if (m->json != NULL) {
        hd_json_end(m->json);
        hd_json_end(m->json);
    }
    return ok;
}

/* Prints text, or an array of JSON objects. */
static bool print(struct command *m, bool (*what)(struct command *m))
{
    struct hd_json j;

    if (!m->o->json)
        return what(m);
    hd_json_open(&j, stdout, 0);
    hd_json_array(&j);
    m->json = &j;
    bool ok = what(m);

    hd_json_end(&j);
    fputc('\n', stdout);
    return ok;
}

/* ---- export ------------------------------------------------------------------------------- */

static void export_finding(void *ctx, const struct hd_cluster_finding *f)
{
    struct command *m = ctx;
    char path[4096], name[64];

    if (f->schedule.data == NULL)
        return;
    hd_pages_name(f->signature, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", m->o->out_dir, name);
    if (!hd_pages_save(path, &f->schedule)) {
        fprintf(stderr, "heddle: cannot write %s: %s\n", path, strerror(errno));
        return;
    }
    m->n++;
    print_finding(path, f);
}

static bool export(struct command *m)
{
    if (!hd_store_make(m->o->out_dir)) {
        fprintf(stderr, "heddle: cannot make the directory %s: %s\n", m->o->out_dir, strerror(errno));
        return true;
    }
    return hd_cluster_each_finding(m->st, m->c.id, export_finding, m);
}

/* ---- stop, resume, delete and export ---------------------------------------------------------- */

static bool print_list(struct command *m) { return print(m, list); }
static bool print_show(struct command *m) { return print(m, show); }
static bool stop(struct command *m) { return hd_cluster_stop(m->st, m->c.id); }
static bool resume(struct command *m) { return hd_cluster_resume(m->st, m->c.id, (double)m->o->budget_ms / 1e3); }
static bool delete(struct command *m) { return hd_cluster_delete(m->st, m->c.id); }

static bool forget(struct command *m)
{
    bool there;

    if (!hd_cluster_forget(m->st, m->o->args[1], &there))
        return false;
    puts(there ? "removed from the regression corpus" : "the regression corpus has no such finding; see 'heddle recheck --store'");
    return true;
}

enum naming { NOTHING, A_CAMPAIGN, A_FINDING };

static const struct {
    const char *name;
    bool (*run)(struct command *m);
    enum naming names;
} commands[] = {
    { "list", print_list, NOTHING },  { "show", print_show, A_CAMPAIGN }, { "stop", stop, A_CAMPAIGN },
    { "resume", resume, A_CAMPAIGN }, { "export", export, A_CAMPAIGN },   { "delete", delete, A_CAMPAIGN },
    { "forget", forget, A_FINDING },
};

static const char *const wrong_names[] = {
    [NOTHING] = "campaign list: takes no name; use show",
    [A_CAMPAIGN] = "campaign: name the campaign after the command; see 'heddle campaign list'",
    [A_FINDING] = "campaign forget: give the signature of a finding: the digits after the program in the names of 'heddle recheck --store'",
};

static int run(struct command *m, size_t which)
{
    const struct hd_options *o = m->o;
    char why[512];

    if (commands[which].names == A_CAMPAIGN && !hd_cluster_find(m->st, o->args[1], &m->c)) {
        const char *error = hd_cluster_error(m->st);

        snprintf(why, sizeof why, "%s", error);
        if (error[0] == '\0')
            snprintf(why, sizeof why, "the store has no campaign '%s'; see 'heddle campaign list'", o->args[1]);
        return fail(why);
    }
    bool ok = commands[which].run(m);

    hd_cluster_campaign_free(&m->c);
    return ok ? HD_EXIT_CLEAN : fail(hd_cluster_error(m->st));
}

int hd_cmd_campaign(const struct hd_options *o)
{
    struct command m = { .o = o };
    char error[512];
    size_t i = 0;

    while (i < sizeof commands / sizeof *commands && strcmp(commands[i].name, o->args[0]) != 0)
        i++;
    if (i == sizeof commands / sizeof *commands) {
        snprintf(error, sizeof error, "campaign: there is no '%s'; use list, show, stop, resume, export, delete or forget", o->args[0]);
        return fail(error);
    }
    if ((commands[i].names != NOTHING) != (o->nargs == 2))
        return fail(wrong_names[commands[i].names]);
    if (strcmp(o->store, HD_DEFAULT_STORE) == 0 && access(HD_DEFAULT_STORE + strlen("sqlite:"), F_OK) != 0)
        return fail("campaign: there is no " HD_DEFAULT_OUT_DIR "/store.sqlite here; name the database with --store");
    m.st = hd_cluster_open(o->store, error, sizeof error);
    if (m.st == NULL)
        return fail(error);
    int code = run(&m, i);

    hd_cluster_close(m.st);
    return code;
}
