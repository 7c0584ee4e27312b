/* SPDX-License-Identifier: BSD-2-Clause
 *
 * run.c - chooses the next cell of a study and gives it to a job.
 *
 * The order is program by program, because each program is compiled before its first cell; within a
 * program by strategy, then by seed.  A strategy that is not random runs with the first seed only. */
#include "study/run.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/version.h"
#include "campaign/setup/baselines.h"
#include "conductor/signals.h"
#include "search/core/strategy.h"

struct runner {
    const struct hd_study_plan *plan;
    struct hd_study_db *db;
    char cache[PATH_MAX];
    size_t program, strategy; /* program and strategy of the next cell */
    uint64_t seed;            /* number of seeds of the strategy that have been used */
    bool compiled;            /* the program of the next cell is compiled */
    struct hd_study_built built;
    struct hd_study_job job[HD_STUDY_JOBS];
    size_t total, done, skipped, running;
    int code;                 /* if not HD_EXIT_CLEAN: the reason to end */
};

uint32_t hd_study_jobs(uint32_t asked)
{
    cpu_set_t set;

    if (asked == 0)
        asked = sched_getaffinity(0, sizeof set, &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
    return asked > HD_STUDY_JOBS ? HD_STUDY_JOBS : asked;
}

/* ---- the next cell ---------------------------------------------------------------------------- */

static bool samples(const char *strategy)
{
    struct hd_traits t = hd_strategy_traits(strategy);

    return hd_traits_samples(&t) || hd_baseline_find(strategy) != NULL;
}

static uint64_t seeds_of(const struct hd_study_plan *p, const char *strategy)
{
    return samples(strategy) ? p->seeds.n : 1;
}

static size_t count_cells(const struct hd_study_plan *p)
{
    size_t programs = 0, cells = 0;

    for (size_t i = 0; i < p->list.n; i++)
        programs += hd_study_selects(p->patterns, &p->list.program[i]);
    for (size_t i = 0; i < p->strategies.n; i++)
        cells += seeds_of(p, p->strategies.name[i]);
    return programs * cells;
}

/* Advances to the next cell of the plan.  Returns false if there is none. */
static bool settle(struct runner *r)
{
    const struct hd_study_plan *p = r->plan;

    while (r->program < p->list.n) {
        if (!hd_study_selects(p->patterns, &p->list.program[r->program])) {
            r->program++;
            r->compiled = false;
        } else if (r->strategy == p->strategies.n) {
            r->program++;
            r->strategy = 0;
            r->compiled = false;
        } else if (r->seed == seeds_of(p, p->strategies.name[r->strategy])) {
            r->strategy++;
            r->seed = 0;
        } else {
            return true;
        }
    }
    return false;
}

static void describe(struct runner *r, struct hd_study_job *j)
{
    const struct hd_study_plan *p = r->plan;
    struct hd_cell_key *k = &j->cell.key;

    j->program = &p->list.program[r->program];
    j->cell = (struct hd_cell){
        .key = { .seed = p->seeds.first + r->seed, .limit = p->limit, .budget_ms = p->budget_ms,
                 .keep_going = p->keep_going },
        .executions = HD_CELL_NONE, .first = HD_CELL_NONE, .buggy = HD_CELL_NONE, .bound = HD_CELL_NONE,
        .fresh = HD_CELL_NONE, .buggy_at_bound = HD_CELL_NONE, .classes = HD_CELL_NONE,
        .redundant = HD_CELL_NONE, .steps = HD_CELL_NONE, .threads = HD_CELL_NONE };
    snprintf(k->program, sizeof k->program, "%s", j->program->name);
    snprintf(k->strategy, sizeof k->strategy, "%s", p->strategies.name[r->strategy]);
    snprintf(k->options, sizeof k->options, "%s", j->program->options);
    snprintf(k->build, sizeof k->build, "%s", r->built.digest);
    snprintf(k->version, sizeof k->version, "%s", HD_VERSION_TEXT);
    j->cell.samples = samples(k->strategy);
    snprintf(j->cell.suite, sizeof j->cell.suite, "%s", j->program->suite);
}

/* ---- starting and ending cells ----------------------------------------------------------- */

static void tell(const struct runner *r, const struct hd_cell *c)
{
    char counts[96];

    if (r->plan->quiet && c->state == HD_CELL_DONE)
        return;
    hd_cell_counts(c, counts, sizeof counts);
    fprintf(stderr, "[%zu/%zu] %s %s seed %llu: %s", r->done, r->total, c->key.program, c->key.strategy,
            (unsigned long long)c->key.seed, counts);
    if (c->state == HD_CELL_DONE)
        fprintf(stderr, " in %.1f s%s\n", c->seconds, c->other_kind ? ", but not the bug of the list" : "");
    else
        fprintf(stderr, ": %s\n", c->detail);
}

static void keep(struct runner *r, const struct hd_cell *c)
{
    char error[400];

    r->done++;
    if (hd_study_db_put(r->db, c, error, sizeof error)) {
        tell(r, c);
        return;
    }
    fprintf(stderr, "heddle study: %s\n", error);
    r->code = HD_EXIT_USAGE;
}

/* Starts the next cell in a free job slot.  Returns false if no cell was started. */
static bool start_one(struct runner *r, struct hd_study_job *j)
{
    while (r->code == HD_EXIT_CLEAN && settle(r)) {
        if (!r->compiled) {
            hd_study_compile(&r->plan->list.program[r->program], r->plan->list_path, r->cache, &r->built);
            if (r->built.stopped)
                return false;
            r->compiled = true;
        }
        describe(r, j);
        r->seed++;
        if (!r->built.good) {
            j->cell.state = HD_CELL_BUILD;
            snprintf(j->cell.detail, sizeof j->cell.detail, "%s", r->built.error);
            keep(r, &j->cell);
        } else if (hd_study_db_has(r->db, &j->cell.key)) {
            r->done++;
            r->skipped++;
        } else if (hd_study_job_start(j, &r->built)) {
            r->running++;
            return true;
        } else {
            keep(r, &j->cell);
        }
        if (hd_signals_wait())
            return false;
    }
    return false;
}

static void reap(struct runner *r)
{
    for (uint32_t i = 0; i < r->plan->jobs; i++) {
        struct hd_study_job *j = &r->job[i];
        int status;

        hd_study_job_watch(j);
        if (j->pid == 0 || waitpid(j->pid, &status, WNOHANG) != j->pid)
            continue;
        r->running--;
        if (!hd_study_job_end(j, status, r->db)) {
            fprintf(stderr, "heddle study: this machine cannot run Heddle; 'heddle doctor' tells why\n");
            r->code = HD_EXIT_SKIPPED;
            return;
        }
        keep(r, &j->cell);
    }
}

static void fill(struct runner *r)
{
    for (uint32_t i = 0; i < r->plan->jobs; i++)
        if (r->job[i].pid == 0 && !start_one(r, &r->job[i]))
            return;
}

/* ---- the study ------------------------------------------------------------------------------ */

static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "heddle study: cannot make %s: %s\n", path, strerror(errno));
    return false;
}

/* Removes the job directories of studies that were killed. */
static void sweep(const char *cache)
{
    DIR *d = opendir(cache);
    struct hd_study_job gone;
    long pid;

    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (sscanf(e->d_name, "job-%ld-", &pid) == 1 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
            (size_t)snprintf(gone.dir, sizeof gone.dir, "%s/%s", cache, e->d_name) < sizeof gone.dir) {
            hd_study_job_clear(&gone);
            rmdir(gone.dir);
        }
    if (d != NULL)
        closedir(d);
}

/* Creates DATABASE.d for the programs, and in it a directory for each job. */
static bool make_places(struct runner *r)
{
    char db[PATH_MAX], place[2 * PATH_MAX];

    if (realpath(r->plan->db, db) == NULL)
        return false;
    snprintf(r->cache, sizeof r->cache, "%.*s.d", (int)sizeof r->cache - 3, db);
    if (!make_directory(r->cache))
        return false;
    sweep(r->cache);
    for (uint32_t i = 0; i < r->plan->jobs; i++) {
        /* the process id, because another study may run at the same time */
        snprintf(place, sizeof place, "%s/job-%ld-%u", r->cache, (long)getpid(), i);
        if ((size_t)snprintf(r->job[i].dir, sizeof r->job[i].dir, "%s", place) >= sizeof r->job[i].dir ||
            !make_directory(place))
            return false;
    }
    return true;
}

static void leave_places(struct runner *r)
{
    for (uint32_t i = 0; i < r->plan->jobs; i++) {
        hd_study_job_stop(&r->job[i]);
        if (r->job[i].dir[0] != '\0')
            rmdir(r->job[i].dir);
    }
}

static void work(struct runner *r)
{
    for (;;) {
        if (r->code == HD_EXIT_CLEAN)
            fill(r);
        if (hd_signals_take())
            r->code = HD_EXIT_BUDGET;
        if (r->code != HD_EXIT_CLEAN || r->running == 0)
            return;
        hd_study_wait_moment();
        reap(r);
    }
}

int hd_study_run(const struct hd_study_plan *plan, struct hd_study_db *db)
{
    struct runner r = { .plan = plan, .db = db, .total = count_cells(plan), .code = HD_EXIT_CLEAN };
    sigset_t before, child;

    if (!make_places(&r)) {
        leave_places(&r);
        return HD_EXIT_USAGE;
    }
    hd_signals_hold(&before);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    work(&r);
    leave_places(&r);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (r.code == HD_EXIT_BUDGET)
        fprintf(stderr, "heddle study: ended after %zu of %zu cells; the same command continues from there\n",
                r.done, r.total);
    else if (r.skipped > 0 && !plan->quiet)
        fprintf(stderr, "%zu of %zu cells were there already\n", r.skipped, r.total);
    return r.code;
}
