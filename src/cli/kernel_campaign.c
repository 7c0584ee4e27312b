/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kernel_campaign.c - see kernel_campaign.h.  Only samplers are divided: an exhaustive search is a tree in the memory of
 * the plugin, which no other process can continue. */
#include "cli/kernel_campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/version.h"
#include "campaign/spread/pages.h"
#include "cli/options.h"
#include "conductor/store.h"
#include "kernel/drive/report.h"
#include "report/print/text.h"
#include "search/core/strategy.h"

#define SLICES 3 /* number of slices within the time of a lease */
#define BEATS 15 /* number of heartbeats within the time of a lease */
#define FIRST_RANGE 10
#define PATIENCE 300.0 /* seconds to wait for a database that does not answer: enough to restart its server */

struct worker {
    const struct hd_options *o;
    struct hd_kernel_request r; /* without limits, which are those of the campaign */
    struct hd_ksession s;
    struct hd_cluster *st;
    struct hd_cluster_campaign c;
    struct hd_cluster_lease lease;
    char name[128];
    int64_t range;
    double beat_at;
    bool lost, leaves; /* it has lost the lease; it leaves the campaign, which is over or stopped */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double lease_seconds(const struct worker *w)
{
    return (double)w->o->lease_ms / 1e3;
}

static int fail(const char *message)
{
    fprintf(stderr, "heddle: %s\n", message);
    return HD_EXIT_USAGE;
}

/* ---- joining ------------------------------------------------------------------------------- */

static const char *obstacle(const struct hd_options *o)
{
    struct hd_traits t = hd_strategy_traits(o->strategy);

    if (o->campaign == NULL)
        return "--store: name the campaign with --campaign";
    if (!hd_traits_samples(&t))
        return "--store: this search cannot be divided among machines: an exhaustive search of a kernel is in the memory of one "
               "QEMU; use pct, random, pos or surw";
    return NULL;
}

/* Options and words on which all workers must agree.  Paths may differ: the hash covers kernel, tests and modules. */
static char *spec_of(const struct hd_options *o)
{
    char *text, *options = hd_options_of_search(o, HD_VERB_KERNEL);
    size_t size;
    FILE *f = hd_memory_stream(&text, &size);

    fprintf(f, "heddle\t%s\nverb\tkernel run\n%s", HD_VERSION_TEXT, options);
    for (int i = 1; o->kernel_image == NULL && i < o->nargs; i++)
        fprintf(f, "argument\t%s\n", o->args[i]);
    fclose(f);
    free(options);
    return text;
}

static int join(struct worker *w, const struct hd_kernel_request *r)
{
    char error[512], hash[65] = "", *text = spec_of(w->o);

    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hd_kimage_hash(w->s.image));
    const struct hd_cluster_spec spec = { .name = w->o->campaign, .kind = HD_CLUSTER_INDEX, .spec = text, .hash = hash,
                                          .limit = (int64_t)r->executions, .budget = (double)r->budget_ms / 1e3 };

    if (strcmp(w->o->store, HD_DEFAULT_STORE) == 0) /* if this fails, opening the store reports why */
        hd_store_make(HD_DEFAULT_OUT_DIR);
    w->st = hd_cluster_open(w->o->store, error, sizeof error);
    bool ok = w->st != NULL && hd_cluster_join(w->st, &spec, &w->c);

    free(text);
    if (!ok)
        return fail(w->st == NULL ? error : hd_cluster_error(w->st));
    hd_cluster_set_patience(w->st, PATIENCE, hd_ksession_interrupted);
    gethostname(hash, 63);
    snprintf(w->name, sizeof w->name, "%.64s:%d:%lx", hash, (int)getpid(), (unsigned long)(now() * 1e6) & 0xffffff);
    return HD_EXIT_CLEAN;
}

/* ---- working --------------------------------------------------------------------------------- */

/* Asked after each execution: sends a heartbeat if one is due. */
static bool goes_on(void *ctx)
{
    struct worker *w = ctx;
    struct hd_cluster_beat b;

    if (now() < w->beat_at)
        return true;
    w->beat_at = now() + lease_seconds(w) / BEATS;
    if (!hd_cluster_heartbeat(w->st, w->name, &w->lease, lease_seconds(w), NULL, &b))
        return true; /* the next heartbeat or the commit will detect the problem */
    w->lost = !b.mine;
    w->leaves = !b.go_on;
    return !w->lost && !w->leaves;
}

static void take_findings(struct worker *w, struct hd_cluster_finding *list)
{
    for (unsigned i = 0; i < w->s.nfindings; i++) {
        const struct hd_kernel_finding *f = &w->s.finding[i];
        char *text = f->schedule[0] != '\0' ? hd_text_of_file(f->schedule) : NULL;

        list[i] = (struct hd_cluster_finding){ .kind = f->kind, .message = f->message,
                                               .index = w->lease.first + (int64_t)f->execution - 1,
                                               .schedule = { text, text != NULL ? strlen(text) : 0 } };
        snprintf(list[i].signature, sizeof list[i].signature, "%s", f->id);
    }
}

static enum hd_cluster_commit commit(struct worker *w)
{
    struct hd_cluster_finding list[HD_K_FINDINGS];
    const struct hd_klink *l = w->s.machine.link;
    int64_t n = w->lease.end - w->lease.first, done = (int64_t)l->total.executions;
    bool stops = w->s.nfindings > 0 && !w->r.keep_going;
    struct hd_k_counters counters = l->total;
    const struct hd_cluster_slice slice = {
        .worker = w->name, .seconds = w->s.seconds, .executions = done, .buggy = w->s.nfindings,
        .totals = { &counters, sizeof counters }, .state = stops || done >= n ? HD_ROW_DONE : HD_ROW_QUEUED,
        .first = w->lease.first + done, .findings = list, .nfindings = w->s.nfindings, .stops = stops,
    };

    take_findings(w, list);
    enum hd_cluster_commit result = hd_cluster_commit(w->st, &w->lease, &slice);

    for (unsigned i = 0; i < w->s.nfindings; i++)
        free(list[i].schedule.data);
    return result;
}

/* Ranges grow until one takes as long as a slice. */
static void adapt_range(struct worker *w, double seconds)
{
    double rate = (double)w->s.machine.link->total.executions / (seconds > 0.01 ? seconds : 0.01);
    int64_t wanted = (int64_t)(rate * lease_seconds(w) / SLICES);

    w->range = wanted > 8 * w->range ? 8 * w->range : wanted < 1 ? 1 : wanted;
}

static int work_on(struct worker *w)
{
    double begun = now();

    w->beat_at = begun + lease_seconds(w) / BEATS;
    w->lost = false;
    int code = hd_ksession_part(&w->s, (uint64_t)w->lease.first, (uint64_t)(w->lease.end - w->lease.first));

    if (w->lost)
        return HD_EXIT_CLEAN;
    if (code != HD_EXIT_BUDGET && code != HD_EXIT_FINDING) {
        hd_cluster_release(w->st, w->name, &w->lease);
        return code;
    }
    if (commit(w) == HD_COMMIT_FAILED)
        return fail(hd_cluster_error(w->st));
    adapt_range(w, now() - begun);
    return HD_EXIT_CLEAN;
}

/* Works until the campaign is over or the user ends this worker. */
static int work(struct worker *w)
{
    enum { PAUSE_US = 200000 };
    int code = HD_EXIT_CLEAN;

    while (code == HD_EXIT_CLEAN && !hd_ksession_interrupted()) {
        switch (hd_cluster_claim(w->st, w->c.id, w->name, lease_seconds(w), w->range, &w->lease)) {
        case HD_CLAIM_WORK:
            code = work_on(w);
            hd_cluster_lease_free(&w->lease);
            break;
        case HD_CLAIM_WAIT:
            usleep(PAUSE_US);
            break;
        case HD_CLAIM_FAILED:
            return fail(hd_cluster_error(w->st));
        default:
            return code;
        }
    }
    return code;
}

/* ---- the report --------------------------------------------------------------------------------- */

static void add_counters(void *ctx, const struct hd_bytes *totals)
{
    struct hd_k_counters *sum = ctx, one;

    if (totals->size != sizeof one) /* a damaged row: its executions are counted by the store */
        return;
    memcpy(&one, totals->data, sizeof one);
    sum->executions += one.executions;
    sum->instructions += one.instructions;
    sum->points += one.points;
    sum->ticks += one.ticks;
    sum->switches += one.switches;
    sum->starved += one.starved;
    sum->unreachable += one.unreachable;
    sum->idle_ticks += one.idle_ticks;
    sum->late += one.late;
}

static void add_finding(void *ctx, const struct hd_cluster_finding *from)
{
    struct worker *w = ctx;
    struct hd_ksession *s = &w->s;
    char name[64];

    if (s->nfindings == HD_K_FINDINGS)
        return;
    struct hd_kernel_finding *f = &s->finding[s->nfindings++];

    *f = (struct hd_kernel_finding){ .execution = (uint64_t)from->index + 1 };
    snprintf(f->id, sizeof f->id, "%.16s", from->signature);
    snprintf(f->kind, sizeof f->kind, "%s", from->kind);
    hd_text_visible(from->message, f->message, sizeof f->message);
    hd_pages_name_kernel(f->id, name, sizeof name);
    snprintf(f->schedule, sizeof f->schedule, "%.400s/%s", w->r.out_dir, name);
    if (from->schedule.data == NULL || !hd_pages_save(f->schedule, &from->schedule))
        f->schedule[0] = '\0';
    if (!w->r.quiet)
        printf("FOUND %s: %s\nreproduce: heddle kernel replay %s\n", f->kind, f->message, f->schedule);
}

static void say(struct worker *w, int code)
{
    char sentence[300];

    hd_kreport_guarantee(&w->s, sentence, sizeof sentence);
    const struct hd_cluster_claims claims = { .campaign = w->c.id, .pass = w->c.pass,
                                              .executions = (int64_t)w->s.machine.link->total.executions,
                                              .verdict = hd_kreport_word(code), .sentence = sentence };

    hd_cluster_say(w->st, &claims);
}

static int conclude(struct worker *w)
{
    struct hd_k_counters *sum = &w->s.machine.link->total;
    struct hd_cluster_totals t;

    *sum = (struct hd_k_counters){ .executions = 0 };
    w->s.nfindings = 0;
    if (!hd_cluster_refresh(w->st, &w->c) || !hd_cluster_totals(w->st, w->c.id, &t) ||
        !hd_cluster_each_slice(w->st, w->c.id, add_counters, sum) || !hd_cluster_each_finding(w->st, w->c.id, add_finding, w))
        return fail(hd_cluster_error(w->st));
    w->s.seconds = t.seconds; /* of all workers together */
    w->s.complete = false;
    int code = w->s.nfindings > 0 ? HD_EXIT_FINDING : HD_EXIT_BUDGET;

    say(w, code);
    if (!w->r.quiet) {
        printf("campaign %s: %s%s%s\n", w->c.name, w->c.state, w->c.outcome[0] != '\0' ? ", " : "", w->c.outcome);
        hd_kreport_verdict(&w->s, code, stdout);
    }
    if (w->r.json != NULL && !hd_kreport_json(&w->s, code, w->r.json))
        code = HD_EXIT_USAGE;
    return code;
}

int hd_kernel_campaign(const struct hd_options *o, const struct hd_kernel_request *r)
{
    static struct worker w;
    const char *why = obstacle(o);

    if (why != NULL)
        return fail(why);
    w = (struct worker){ .o = o, .r = *r, .range = FIRST_RANGE };
    w.r.executions = w.r.budget_ms = 0;
    int code = hd_ksession_open(&w.s, &w.r);

    w.s.goes_on = goes_on;
    w.s.ctx = &w;
    mkdir(r->out_dir, 0777);
    if (code == HD_EXIT_CLEAN)
        code = join(&w, r);
    if (code == HD_EXIT_CLEAN)
        code = work(&w);
    if (code == HD_EXIT_CLEAN)
        code = conclude(&w);
    if (w.st != NULL) {
        hd_cluster_set_patience(w.st, 2, NULL);
        hd_cluster_leave(w.st, w.name);
        hd_cluster_close(w.st);
    }
    hd_cluster_campaign_free(&w.c);
    hd_ksession_close(&w.s);
    return code;
}
