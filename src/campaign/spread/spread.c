/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spread.c - the loop of a worker, and the report of the campaign. */
#include "campaign/spread/spread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "campaign/spread/shipping.h"
#include "campaign/spread/slice.h"
#include "conductor/signals.h"
#include "conductor/store.h"
#include "report/print/text.h"
#include "search/enumerate/enumerate_state.h"
#include "search/por/wakeup_share.h"

#define SLICES 3 /* number of slices within the time of a lease */
#define FIRST_RANGE 100
#define PATIENCE 300.0 /* seconds to wait for a database that does not answer: time to restart its server */

static double lease_seconds(const struct hd_options *o)
{
    return (double)o->lease_ms / 1e3;
}

struct spread {
    const struct hd_options *o;
    const struct hd_one *one;
    struct hd_cluster *st;
    struct hd_cluster_campaign c;
    struct hd_slice slice;
    char worker[128];
    int64_t range;
    bool interrupted;
    double started;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int fail(struct hd_one_result *out, const char *message)
{
    snprintf(out->what, sizeof out->what, "%s", message);
    fprintf(stderr, "heddle: %s\n", out->what);
    return HD_EXIT_USAGE;
}

/* ---- joining ------------------------------------------------------------------------------- */

static bool read_program(const char *path, struct hd_bytes *out)
{
    FILE *f = fopen(path, "re");
    struct stat st;

    *out = (struct hd_bytes){ NULL, 0 };
    if (f == NULL || fstat(fileno(f), &st) != 0) {
        if (f != NULL)
            fclose(f);
        return false;
    }
    out->data = hd_zeroed((size_t)st.st_size + 1, 1);
    out->size = fread(out->data, 1, (size_t)st.st_size, f);
    fclose(f);
    return true;
}

static int join(struct spread *s, const char *spec, struct hd_one_result *out)
{
    struct hd_elf_info elf;
    struct hd_bytes program;
    char hash[65], error[512];

    if (!hd_session_inspect(s->one->argv[0], &elf))
        return HD_EXIT_USAGE;
    if (!read_program(elf.path, &program))
        return fail(out, strerror(errno));
    hd_sha256(program.data, program.size, hash);
    s->st = hd_cluster_open(s->o->store, error, sizeof error);
    struct hd_cluster_spec cs = {
        .name = s->o->campaign, .kind = (enum hd_cluster_kind)hd_slice_kind(s->o), .spec = spec, .hash = hash,
        .limit = (int64_t)s->o->executions, .budget = (double)s->o->budget_ms / 1e3,
    };
    bool ok = s->st != NULL && hd_cluster_join(s->st, &cs, &s->c);
    const struct hd_shipping ship = { s->st, &s->c, s->o, s->one, &elf, &program };
    int code = ok ? hd_shipping_begin(&ship) : fail(out, s->st == NULL ? error : hd_cluster_error(s->st));

    free(program.data);
    return code;
}

/* ---- working --------------------------------------------------------------------------------- */

/* Adapts the size of ranges of indices: they grow until one takes as long as a slice.  The time before the first execution
 * does not count: where it is longer than a slice, ranges would shrink to one index. */
static void adapt_range(struct spread *s, const struct hd_cluster_lease *l)
{
    double seconds = s->slice.session.watched.searching;
    double rate = (double)(l->end - l->first) / (seconds > 0.01 ? seconds : 0.01);
    int64_t wanted = (int64_t)(rate * lease_seconds(s->o) / SLICES);

    s->range = wanted > 8 * s->range ? 8 * s->range : wanted < 1 ? 1 : wanted;
}

/* Returns false if this worker cannot continue; out->code is the exit code. */
static bool work_on(struct spread *s, struct hd_cluster_lease *l, struct hd_one_result *out)
{
    hd_slice_close(&s->slice);
    memset(&s->slice, 0, sizeof s->slice);
    s->slice.st = s->st;
    s->slice.worker = s->worker;
    s->slice.c = &s->c;
    s->slice.lease = l;
    enum hd_slice_end end = hd_slice_run(&s->slice, s->o, s->one, lease_seconds(s->o) / SLICES, &out->code);

    if (end == HD_SLICE_DONE && s->c.kind == HD_CLUSTER_INDEX)
        adapt_range(s, l);
    s->slice.lease = NULL;
    hd_cluster_lease_free(l);
    return end != HD_SLICE_FAILED;
}

static bool refresh(struct spread *s, struct hd_one_result *out)
{
    if (hd_cluster_refresh(s->st, &s->c))
        return true;
    out->code = fail(out, hd_cluster_error(s->st));
    return false;
}

/* Works until the campaign is over or the user ends this worker.  Returns false if it failed. */
static bool work(struct spread *s, struct hd_one_result *out)
{
    enum { SHORT_US = 5000, LONG_US = 200000 };
    struct hd_cluster_lease l;
    useconds_t pause = SHORT_US;

    while (!(s->interrupted = hd_signals_wait())) {
        enum hd_cluster_claim got = hd_cluster_claim(s->st, s->c.id, s->worker, lease_seconds(s->o), s->range, &l);

        if (got == HD_CLAIM_FAILED) {
            out->code = fail(out, hd_cluster_error(s->st));
            return false;
        }
        if (got == HD_CLAIM_OVER || got == HD_CLAIM_STOPPED)
            break;
        if (got == HD_CLAIM_WAIT) {
            usleep(pause);
            pause = pause < LONG_US ? pause * 2 : pause;
            continue;
        }
        pause = SHORT_US;
        if (!refresh(s, out) || !work_on(s, &l, out))
            return false;
    }
    return refresh(s, out);
}

/* ---- the report --------------------------------------------------------------------------------- */

struct merging {
    struct hd_facts facts, one;
    bool any, foreign;
};

static void merge(void *ctx, const struct hd_bytes *totals)
{
    struct merging *m = ctx;

    if (!hd_facts_unpack(&m->one, totals)) {
        m->foreign = true;
        return;
    }
    hd_facts_merge(&m->facts, &m->one, &m->any);
}

static enum hd_finding_kind kind_of(const char *text)
{
    for (int k = 0; k < HD_FK_COUNT; k++)
        if (strcmp(hd_finding_kind_text((enum hd_finding_kind)k), text) == 0)
            return (enum hd_finding_kind)k;
    HD_INVARIANT(false, "the store has a kind of finding that does not exist");
    return (enum hd_finding_kind)0;
}

/* Writes the schedule of a finding into the output directory, under its signature. */
static void save_schedule(const struct hd_options *o, const struct hd_cluster_finding *f, char *path, size_t cap)
{
    path[0] = '\0';
    if (f->schedule.data == NULL || !hd_store_make(o->out_dir))
        return;
    char name[64];

    hd_pages_name(f->signature, name, sizeof name);
    snprintf(path, cap, "%s/%s", o->out_dir, name);
    if (hd_pages_save(path, &f->schedule))
        hd_store_point(o->out_dir, path);
    else
        path[0] = '\0';
}

static void add_finding(void *ctx, const struct hd_cluster_finding *f)
{
    struct spread *s = ctx;
    struct hd_result_finding *to = hd_findings_new(&s->slice.findings, kind_of(f->kind), (uint64_t)f->index + 1);

    snprintf(to->id, sizeof to->id, "%.12s", f->signature);
    hd_text_visible(f->message, to->message, sizeof to->message);
    save_schedule(s->o, f, to->schedule, sizeof to->schedule);
    if (!s->o->quiet)
        printf("FOUND %s: %s\nreproduce: heddle replay %s\n", f->kind, f->message, to->schedule);
}

/* Sets the verdict in the pool, which hd_session_totals reads. */
static void put_verdict(struct spread *s)
{
    struct hd_share *sh = (struct hd_share *)(void *)s->slice.session.wires.common->arena.base;
    bool over = strcmp(s->c.state, "done") == 0 && strcmp(s->c.outcome, "complete") == 0;
    struct hd_traits t = hd_strategy_traits(s->o->strategy);
    int64_t missing = s->c.kind == HD_CLUSTER_LIST ? HD_ENUM_NOT_ALL_SEEN : HD_WAKEUP_NOT_ALL_SEEN;

    if (s->c.kind == HD_CLUSTER_TREE && t.bound != HD_BOUND_NONE && t.coverage == HD_COVERS_NOTHING)
        missing |= HD_WAKEUP_PRUNED;
    sh->verdict = over ? HD_SHARE_OVER | ((s->c.flags & missing) == 0 ? HD_SHARE_COMPLETE : 0u) : 0;
}

/* Stores the verdict and its sentence for the dashboard, whose users do not have the program. */
static void say(struct spread *s, const struct hd_result *r)
{
    char sentence[HD_GUARANTEE_TEXT];

    hd_result_guarantee(r, sentence, sizeof sentence);
    const struct hd_cluster_claims claims = {
        .campaign = s->c.id, .pass = s->c.pass, .executions = (int64_t)r->totals.executions,
        .verdict = hd_verdict_text(r->verdict), .sentence = sentence,
    };

    hd_cluster_say(s->st, &claims);
}

static void conclude(struct spread *s, struct hd_outputs *outputs, const struct hd_stage *stage, struct hd_one_result *out)
{
    static struct merging m;
    struct hd_session *session = &s->slice.session;
    struct hd_text text = session->text;
    struct hd_result r;

    memset(&m, 0, sizeof m);
    if (!hd_cluster_each_slice(s->st, s->c.id, merge, &m)) {
        out->code = fail(out, hd_cluster_error(s->st));
        return;
    }
    if (m.foreign) {
        out->code = fail(out, "another version of Heddle has worked on this campaign; all machines need the same version");
        return;
    }
    for (uint32_t i = 0; i < session->wires.n; i++)
        session->wires.wire[i]->config.leased = s->c.kind == HD_CLUSTER_INDEX ? HD_LEASED_INDICES : HD_LEASED_TASKS;
    hd_facts_put(&m.facts, session);
    put_verdict(s);
    s->slice.findings.n = 0;
    session->watched.interrupted = s->interrupted || strcmp(s->c.state, "stopped") == 0;
    session->watched.seconds = now() - s->started;
    session->watched.searching = 0;
    s->slice.findings.outputs = outputs;
    hd_cluster_each_finding(s->st, s->c.id, add_finding, s);
    if (stage != NULL)
        stage->is_given_up(&s->slice.findings, stage->ctx);
    hd_findings_result(&s->slice.findings, &r);
    if (stage != NULL)
        stage->complete(stage->ctx, session, &r);
    say(s, &r);
    text.out = hd_outputs_take_stdout(s->o) ? stderr : stdout;
    if (!s->o->quiet) {
        fprintf(text.out, "campaign %s: %s%s%s\n", s->c.name, s->c.state, s->c.outcome[0] != '\0' ? ", " : "", s->c.outcome);
        hd_result_summary(&text, &r);
    }
    fflush(text.out);
    out->ran = true;
    out->code = hd_verdict_exit_code(r.verdict);
    out->verdict = r.verdict;
    out->interrupted = r.interrupted;
    out->executions = r.totals.executions;
    out->nfindings = r.nfindings;
    hd_findings_deliver(&s->slice.findings, &r, out->code);
}

void hd_spread_search(const struct hd_options *o, struct hd_outputs *outputs, const struct hd_one *one, const char *spec,
                      const struct hd_stage *stage, struct hd_one_result *out)
{
    static struct spread s;
    const char *obstacle = hd_slice_obstacle(o);
    sigset_t before;

    memset(&s, 0, sizeof s);
    memset(out, 0, sizeof *out);
    s.o = o;
    s.one = one;
    s.range = FIRST_RANGE;
    s.started = now();
    const char *stays = o->ship ? hd_shipping_obstacle(o) : NULL;

    if (obstacle != NULL || stays != NULL) {
        char why[512];

        snprintf(why, sizeof why, "%s: %s", obstacle != NULL ? "--store: this search cannot be divided among machines" : "--ship",
                 obstacle != NULL ? obstacle : stays);
        out->code = fail(out, why);
        return;
    }
    char host[64] = "";

    gethostname(host, sizeof host - 1);
    snprintf(s.worker, sizeof s.worker, "%s:%d:%lx", host, (int)getpid(), (unsigned long)(now() * 1e6) & 0xffffff);
    hd_signals_hold(&before);
    out->code = join(&s, spec, out);
    if (out->code == HD_EXIT_CLEAN)
        hd_cluster_set_patience(s.st, PATIENCE, hd_signals_wait);
    bool ok = out->code == HD_EXIT_CLEAN && work(&s, out);

    if (ok && (s.slice.open || hd_slice_look(&s.slice, o, one, &out->code)))
        conclude(&s, outputs, stage, out);
    HD_INVARIANT(out->ran || out->code != HD_EXIT_CLEAN, "a worker claims something without a result");
    if (s.st != NULL) {
        hd_cluster_set_patience(s.st, 2, NULL);
        hd_cluster_leave(s.st, s.worker);
    }
    hd_slice_close(&s.slice);
    hd_cluster_campaign_free(&s.c);
    hd_cluster_close(s.st);
    hd_signals_take();
    sigprocmask(SIG_SETMASK, &before, NULL);
}
