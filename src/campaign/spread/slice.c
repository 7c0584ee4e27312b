/* SPDX-License-Identifier: BSD-2-Clause
 *
 * slice.c - runs a session with a lease: stores the leased part in memory, sends heartbeats, closes the part and
 * commits. */
#include "campaign/spread/slice.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "campaign/session/unseen_watch.h"
#include "campaign/setup/baselines.h"
#include "campaign/setup/jobs.h"
#include "campaign/spread/knowledge.h"
#include "conductor/signals.h"
#include "search/core/strategy.h"
#include "search/enumerate/enumerate_state.h"
#include "search/por/wakeup_share.h"

#define BEATS 15        /* number of heartbeats within the time of a lease */
#define FIRST_BEAT 0.1  /* seconds until the first heartbeat; short, because others may wait for the step of the leased row */
#define SHORTEST 0.3    /* a slice lasts at least so many seconds, even if other workers have no work */

static double lease_seconds(const struct hd_slice *sl)
{
    return (double)sl->o.lease_ms / 1e3;
}

const char *hd_slice_obstacle(const struct hd_options *o)
{
    const struct hd_strategy_ops *ops = hd_strategy_find(o->strategy);

    if (hd_baseline_find(o->strategy) != NULL)
        return "native runs are not under Heddle's control";
    if (o->deepens)
        return "quicksand divides its time among searches itself; name another strategy";
    if (ops == NULL || ops->split == HD_SPLIT_NONE)
        return "each execution of the strategy depends on the ones before it; use another one, see 'heddle list strategies'";
    if (hd_strategy_reducer(o->strategy) != HD_REDUCE_NONE)
        return "a cache is the memory of one machine; leave it out";
    if (hd_strategy_traits(o->strategy).draws == HD_DRAWS_DIRECTED)
        return "its next execution depends on what all before it have shown, which one machine knows; use another one";
    if (strcmp(o->strategy, "dpor-lazy") == 0)
        return "dpor-lazy may have to begin again with another reduction; use dpor";
    if (o->points != HD_POINTS_SYNC)
        return "with --points other than sync, what the search learns about races changes its space";
    if (o->outcomes_file != NULL || o->sample_orders != 0)
        return "outcomes are collected by one machine; leave --outcomes and --sample-orders out";
    if (o->each)
        return "--each searches many tests; name one campaign for each test";
    if (o->expect_same)
        return "--expect-same compares with the first execution of one machine; use --expect FILE";
    if (o->nsuppressions > 0 || o->mute != 0)
        return "suppressed findings are known to one machine only; leave --suppressions and --mute out";
    if (o->races == HD_RACES_PREDICT)
        return "predicted races are collected on one machine; use --races on";
    if (strstr(o->params, "finish=1") != NULL)
        return "finish=1 ends a search at a bound that one machine has reached; leave it out";
    if (hd_jobs_obstacle(o) != NULL)
        return hd_jobs_obstacle(o);
    if (o->count != 0)
        return "--count counts on one machine";
    if (o->resume || o->dry || o->splits)
        return "the store continues campaigns by itself; leave --resume, --dry and --split out";
    if (ops->split == HD_SPLIT_TASKS && o->executions != 0)
        return "machines do not know each other's executions in time; limit the campaign with --budget";
    return NULL;
}

static bool enumerates(const struct hd_options *o)
{
    struct hd_traits t = hd_strategy_traits(o->strategy);

    return !hd_traits_reduces(&t);
}

int64_t hd_slice_kind(const struct hd_options *o)
{
    if (hd_strategy_find(o->strategy)->split == HD_SPLIT_INDEX)
        return HD_CLUSTER_INDEX;
    return enumerates(o) ? HD_CLUSTER_LIST : HD_CLUSTER_TREE;
}

/* Returns the flags that make another pass follow, with the next bound. */
static int64_t deepening_flags(const struct hd_slice *sl)
{
    const struct hd_options *o = &sl->o;
    struct hd_traits t = hd_strategy_traits(o->strategy);

    if (t.bound == HD_BOUND_NONE || (o->bound >= 0 && (!enumerates(o) || sl->c->bound >= o->bound)))
        return 0;
    return enumerates(o) ? HD_ENUM_PASS_PRUNED : HD_WAKEUP_PRUNED;
}

/* ---- while it runs --------------------------------------------------------------------------- */

static bool divides(const struct hd_slice *sl)
{
    return sl->part.share != NULL;
}

static void stop(struct hd_slice *sl)
{
    for (uint32_t i = 0; i < sl->session.wires.n; i++)
        __atomic_store_n(&sl->session.wires.wire[i]->stop, 1, __ATOMIC_RELEASE);
}

/* H4: closes the part.  The workers need only a few more executions, so waiting here is faster than checking again
 * later. */
static void close_part(struct hd_slice *sl, double seconds)
{
    enum { LOOKS = 40, LOOK_US = 1000 };

    if (sl->closing_at == 0)
        sl->closing_at = seconds;
    if (!divides(sl)) {
        stop(sl);
        return;
    }
    __atomic_store_n(&sl->part.share->closing, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < LOOKS && !hd_share_is_idle(sl->part.share); i++)
        usleep(LOOK_US);
    if (hd_share_is_idle(sl->part.share))
        stop(sl);
}

/* The time before the first execution does not count: on a busy machine it may be longer than a slice, which would then end
 * without an execution, again and again. */
static bool has_worked(const struct hd_slice *sl, double seconds, double wanted)
{
    return sl->began_at > 0 && seconds - sl->began_at >= wanted;
}

static void beat(struct hd_slice *sl, double seconds)
{
    struct hd_step step;
    struct hd_bytes bytes = { &step, sizeof step };
    bool known = !sl->published && divides(sl) && hd_part_step(&sl->part, &step);
    struct hd_cluster_beat b;

    sl->beat_at = seconds;
    if (!hd_cluster_heartbeat(sl->st, sl->worker, sl->lease, lease_seconds(sl), known ? &bytes : NULL, &b))
        return; /* the next heartbeat or the commit will detect the problem */
    sl->published |= known && b.mine;
    sl->lost = !b.mine;
    if (sl->lost)
        stop(sl);
    else if (!b.go_on)
        close_part(sl, seconds);
    else if (b.hungry > 0 && divides(sl) && has_worked(sl, seconds, SHORTEST)) {
        sl->pieces = (uint32_t)b.hungry + 1;
        close_part(sl, seconds);
    }
}

struct looking {
    struct hd_slice *sl;
    double seconds;
};

static void look(void *ctx, const struct hd_totals *t, double seconds)
{
    struct looking *l = ctx;
    struct hd_slice *sl = l->sl;

    if (sl->lost)
        return;
    if (sl->began_at == 0 && t->begun > 0)
        sl->began_at = seconds;
    if (sl->closing_at != 0 || (divides(sl) && has_worked(sl, seconds, l->seconds)) || hd_signals_wait())
        close_part(sl, seconds);
    else if (seconds - sl->beat_at >= (sl->beat_at == 0 ? FIRST_BEAT : lease_seconds(sl) / BEATS))
        beat(sl, seconds);
}

/* ---- the result -------------------------------------------------------------------------------- */

static void read_bytes(const char *path, struct hd_bytes *out)
{
    FILE *f = fopen(path, "re");
    char buffer[4096];
    size_t n;

    while (f != NULL && (n = fread(buffer, 1, sizeof buffer, f)) > 0)
        hd_bytes_add(out, buffer, n);
    if (f != NULL)
        fclose(f);
}

/* Returns the findings of the slice.  Those that the store already has get no schedule and no report. */
static struct hd_cluster_finding *take_findings(struct hd_slice *sl, uint32_t *n)
{
    struct hd_findings *all = &sl->findings;
    struct hd_cluster_finding *list = hd_zeroed(all->n, sizeof *list);
    struct hd_result r;

    if (all->n > 0)
        hd_findings_result(all, &r);
    for (size_t i = 0; i < all->n; i++) {
        const struct hd_result_finding *f = &all->list[i];

        hd_pages_signature(f, list[i].signature, sizeof list[i].signature);
        list[i].kind = hd_finding_kind_text(f->kind);
        list[i].message = f->message;
        list[i].index = f->record != NULL && sl->session.wire->config.by_index ? (int64_t)f->record->index : 0;
        if (hd_cluster_has_finding(sl->st, sl->c->id, list[i].signature, list[i].index))
            continue;
        read_bytes(f->schedule, &list[i].schedule);
        list[i].report = hd_pages_make(&sl->pages, &r, f, &sl->session);
    }
    *n = (uint32_t)all->n;
    return list;
}

static void free_findings(struct hd_cluster_finding *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free(list[i].schedule.data);
        free(list[i].report.data);
    }
    free(list);
}

/* Stores the rest of the lease in the commit.  Returns false if the rest is not known; then nothing of the slice may
 * count. */
static bool take_rest(struct hd_slice *sl, const struct hd_totals *t, bool found, struct hd_harvest *h)
{
    const struct hd_cluster_lease *l = sl->lease;

    *h = (struct hd_harvest){ .state = HD_ROW_DONE };
    if (divides(sl) && hd_share_is_idle(sl->part.share)) {
        hd_part_harvest(&sl->part, sl->pieces, h);
        return true;
    }
    if (found || divides(sl)) { /* a finding has ended the search */
        if (divides(sl)) {
            h->state = HD_ROW_QUEUED;
            if (l->cursor.data != NULL)
                hd_bytes_add(&h->cursor, l->cursor.data, l->cursor.size);
        }
        return found;
    }
    if ((int64_t)t->begun >= l->end - l->first || hd_totals_undecided(t))
        return true;
    h->state = HD_ROW_QUEUED; /* interrupted: with several workers the executed indices have gaps, so the rest is not
                               * known */
    return sl->session.wires.n == 1 && t->restarts == 0 && sl->session.wire->restarts == 0;
}

static bool same_bytes(const struct hd_bytes *a, const struct hd_bytes *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static enum hd_slice_end commit(struct hd_slice *sl, int *code)
{
    static struct hd_facts facts;
    bool found = sl->session.nfound > 0 && !sl->o.keep_going;
    struct hd_harvest h;

    hd_facts_of(&sl->session, &facts);
    if (!take_rest(sl, &facts.totals, found, &h) || sl->lost) {
        hd_harvest_free(&h);
        hd_cluster_release(sl->st, sl->worker, sl->lease);
        return HD_SLICE_LOST;
    }
    struct hd_bytes packed = hd_facts_pack(&facts), knowledge = { NULL, 0 };
    struct hd_cluster_slice s = {
        .worker = sl->worker, .program = hd_base_name(sl->session.elf.path), .seconds = facts.seconds, .executions = (int64_t)facts.totals.executions,
        .redundant = (int64_t)facts.totals.redundant, .buggy = (int64_t)facts.totals.buggy, .totals = packed,
        .flags = h.flags, .old_flags = sl->c->pass == sl->lease->pass ? sl->c->flags : 0, .deepens = deepening_flags(sl), .state = h.state, .cursor = h.cursor, .step = h.step,
        .first = sl->lease->first + (int64_t)facts.totals.begun, .rows = h.rows, .nrows = h.nrows, .stops = found,
    };

    s.findings = take_findings(sl, &s.nfindings);
    if (divides(sl)) {
        knowledge = hd_knowledge_of(&sl->session.wires, false);
        if (!same_bytes(&knowledge, &sl->lease->places))
            s.places = knowledge;
    }
    enum hd_cluster_commit done = hd_cluster_commit(sl->st, sl->lease, &s);

    free_findings((struct hd_cluster_finding *)(uintptr_t)s.findings, s.nfindings);
    free(knowledge.data);
    free(packed.data);
    hd_harvest_free(&h);
    if (done == HD_COMMIT_FAILED) {
        fprintf(stderr, "heddle: the store: %s\n", hd_cluster_error(sl->st));
        *code = HD_EXIT_USAGE;
        return HD_SLICE_FAILED;
    }
    if (done == HD_COMMIT_LOST) /* another session has changed the knowledge; the row can be repeated at once */
        hd_cluster_release(sl->st, sl->worker, sl->lease);
    else if (!divides(sl) && hd_totals_undecided(&facts.totals))
        hd_cluster_end(sl->st, sl->c->id, "complete");
    return done == HD_COMMIT_DONE ? HD_SLICE_DONE : HD_SLICE_LOST;
}

/* K3: starts the campaign again. */
static enum hd_slice_end begin_again(struct hd_slice *sl)
{
    struct hd_bytes knowledge = hd_knowledge_of(&sl->session.wires, true);

    hd_cluster_restart(sl->st, sl->lease, &knowledge);
    free(knowledge.data);
    return HD_SLICE_LOST;
}

static enum hd_slice_end conclude(struct hd_slice *sl, int *code)
{
    if (*code != HD_EXIT_CLEAN) {
        hd_cluster_release(sl->st, sl->worker, sl->lease);
        return HD_SLICE_FAILED;
    }
    const char *other = divides(sl) ? hd_knowledge_other_file(&sl->session.wires, &sl->lease->places) : NULL;

    if (other != NULL) {
        fprintf(stderr, "heddle: %s is not the file with which this campaign was begun (its build id differs); all machines need "
                        "the same libraries\n", other);
        hd_cluster_release(sl->st, sl->worker, sl->lease);
        *code = HD_EXIT_USAGE;
        return HD_SLICE_FAILED;
    }
    if (divides(sl) && hd_knowledge_is_void(&sl->session.wires))
        return begin_again(sl);
    return commit(sl, code);
}

/* ---- a session ----------------------------------------------------------------------------------- */

static int open_session(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one)
{
    sl->o = *o;
    sl->o.quiet = true;
    sl->o.minimize = false;
    sl->o.budget_ms = 0;
    sl->o.checkpoint_ms = 0;
    const char *tmp = getenv("TMPDIR");

    snprintf(sl->dir, sizeof sl->dir, "%.200s/heddle-slice-XXXXXX", tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp");
    if (mkdtemp(sl->dir) == NULL) {
        fprintf(stderr, "heddle: cannot make the directory %s: %s\n", sl->dir, strerror(errno));
        sl->dir[0] = '\0';
        return HD_EXIT_USAGE;
    }
    sl->o.out_dir = sl->dir;
    int code = hd_session_open(&sl->session, &sl->o, one->argv[0], one->argv);

    sl->open = true;
    sl->session.leaves_signals = true;
    sl->nowhere = fopen("/dev/null", "we");
    if (sl->nowhere != NULL)
        sl->session.text.out = sl->nowhere;
    if (code == HD_EXIT_CLEAN && !hd_findings_open(&sl->findings, &sl->session, NULL))
        code = HD_EXIT_USAGE;
    hd_pages_open(&sl->pages, &sl->findings);
    if (code == HD_EXIT_CLEAN)
        hd_unseen_begin(&sl->session);
    return code;
}

static bool plant(struct hd_slice *sl)
{
    struct hd_session *s = &sl->session;
    bool index = sl->c->kind == HD_CLUSTER_INDEX;

    for (uint32_t i = 0; i < s->wires.n; i++)
        s->wires.wire[i]->config.leased = index ? HD_LEASED_INDICES : HD_LEASED_TASKS;
    if (index)
        return true;
    if (!hd_knowledge_load(&s->wires, &sl->lease->places)) {
        fputs("heddle: another version of Heddle has begun this campaign; all machines need the same version\n", stderr);
        return false;
    }
    hd_part_plant(&sl->part, &s->wires.common->arena, sl->c->kind, sl->lease, sl->c->bound, sl->c->flags);
    return true;
}

enum hd_slice_end hd_slice_run(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, double seconds,
                               int *code)
{
    struct hd_options with = *o;
    struct looking l = { .sl = sl, .seconds = seconds };

    if (sl->c->kind == HD_CLUSTER_INDEX) {
        with.first_index = (uint64_t)sl->lease->first;
        with.executions = (uint64_t)(sl->lease->end - sl->lease->first);
    }
    sl->pieces = 1;
    *code = open_session(sl, &with, one);
    if (*code == HD_EXIT_CLEAN && !plant(sl))
        *code = HD_EXIT_USAGE;
    sl->session.on.look = look;
    sl->session.on.look_ctx = &l;
    if (*code == HD_EXIT_CLEAN)
        *code = hd_session_run(&sl->session, 0);
    return conclude(sl, code);
}

bool hd_slice_look(struct hd_slice *sl, const struct hd_options *o, const struct hd_one *one, int *code)
{
    struct hd_options with = *o;

    with.executions = 1;
    with.jobs = 1;
    *code = open_session(sl, &with, one);
    if (*code == HD_EXIT_CLEAN)
        *code = hd_session_run(&sl->session, 0);
    return *code == HD_EXIT_CLEAN;
}

static void remove_schedules(struct hd_slice *sl)
{
    DIR *d = sl->dir[0] != '\0' ? opendir(sl->dir) : NULL;
    struct dirent *e;

    while (d != NULL && (e = readdir(d)) != NULL)
        unlinkat(dirfd(d), e->d_name, 0);
    if (d != NULL)
        closedir(d);
    rmdir(sl->dir);
    sl->dir[0] = '\0';
}

void hd_slice_close(struct hd_slice *sl)
{
    remove_schedules(sl);
    if (!sl->open)
        return;
    hd_pages_close(&sl->pages);
    hd_findings_close(&sl->findings);
    hd_session_close(&sl->session);
    hd_part_free(&sl->part);
    if (sl->nowhere != NULL)
        fclose(sl->nowhere);
    sl->nowhere = NULL;
    sl->open = false;
}
