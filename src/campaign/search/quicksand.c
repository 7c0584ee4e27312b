/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand.c - gives turns to the searches. */
#include "campaign/search/quicksand.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/search/deepening.h"
#include "campaign/search/job_process.h"
#include "conductor/signals.h"
#include "conductor/use.h"
#include "model/point_class.h"
#include "report/print/text.h"
#include "search/core/strategy.h"

/* Executions that are sampled before anything else, if they take no more than so many seconds, and no more than
 * a quarter of the time: most bugs are found by them. */
enum { SAMPLED_FIRST = 1000, SAMPLED_SECONDS = 15 };

/* Milliseconds. */
enum { FIRST_TURN = 200, LONGEST_TURN = 2000, TURNS_AT_LEAST = 40, WITHOUT_BUDGET = 3600000 };
enum { FEW_EXECUTIONS = 32, LONG_TURNS_AT_LEAST = 8 };

/* Classes that every job has: a new thread may run before its creator goes on, or some races could not
 * be met (Blum, 3.4.1). */
#define BASE HD_POINT_THREAD

enum kind { SAMPLE, MAXIMAL, JOB, KINDS };
/* Q1: shares of the time, of 4.  With less, rare bugs of the benchmarks that sampling finds are found late. */
static const unsigned share[KINDS] = { [SAMPLE] = 2, [MAXIMAL] = 1, [JOB] = 1 };

struct search {
    struct hd_job_process process;
    struct hd_options o;
    struct hd_job_status status;
    hd_cname places[HD_DEEP_PLACES]; /* for o.places */
    unsigned turns;
    uint64_t gained; /* executions of the last turn */
    bool over;
};

struct quicksand {
    const struct hd_options *o;
    const struct hd_one *one;
    struct hd_job_list jobs;
    struct search sample, maximal;
    struct search *job[HD_DEEP_JOBS]; /* NULL: not begun */
    int current;                      /* the job that has the turns of jobs; -1: none */
    hd_cname place[HD_DEEP_PLACES];   /* racing places, numbered as in struct hd_point_set */
    char site[HD_DEEP_PLACES][48];    /* in the source */
    unsigned nplaces;
    double start, whole;              /* seconds; whole: of the budget, or as if there were one */
    double used[KINDS];
    struct search *deciding;          /* shows the result */
    bool interrupted;
};

/* ---- sets of points ---------------------------------------------------------------------- */

static void append(char *text, size_t cap, const char *word)
{
    size_t n = strlen(text);

    snprintf(text + n, cap - n, "%s%s", n > 0 ? ", " : "", word);
}

/* Names the classes and the first places. */
static void describe(const struct quicksand *q, struct hd_point_set set, char *text, size_t cap)
{
    enum { NAMED = 3 };
    unsigned places = 0;
    char more[32];

    text[0] = '\0';
    for (unsigned i = 0; i < HD_POINT_CLASSES; i++)
        if (set.classes >> i & 1)
            append(text, cap, hd_point_class_words[i]);
    for (unsigned i = 0; i < q->nplaces; i++)
        if (set.places >> i & 1 && places++ < NAMED)
            append(text, cap, q->site[i]);
    if (places > NAMED) {
        snprintf(more, sizeof more, "%u more places", places - NAMED);
        append(text, cap, more);
    }
}

/* The number of a place; HD_DEEP_PLACES: there are too many. */
static unsigned number_of(struct quicksand *q, hd_cname name, const char *site)
{
    for (unsigned i = 0; i < q->nplaces; i++)
        if (q->place[i] == name)
            return i;
    if (q->nplaces == HD_DEEP_PLACES)
        return HD_DEEP_PLACES;
    q->place[q->nplaces] = name;
    snprintf(q->site[q->nplaces], sizeof q->site[0], "%s", site);
    return q->nplaces++;
}

static uint64_t places_of(struct quicksand *q, const struct hd_job_status *st)
{
    uint64_t places = 0;

    for (uint32_t i = 0; i < st->nplaces; i++) {
        unsigned number = number_of(q, st->places[i], st->sites[i]);

        if (number < HD_DEEP_PLACES)
            places |= UINT64_C(1) << number;
    }
    return places;
}

/* ---- searches -------------------------------------------------------------------------------- */

static void set_up(struct search *s, const struct hd_options *o, bool samples)
{
    s->o = *o;
    s->o.deepens = false;
    s->o.progress = HD_PROGRESS_NONE;
    s->o.executions = 0;
    s->o.past_races = true;
    s->o.points = samples ? HD_POINTS_SYNC : HD_POINTS_RACES; /* more points make rare bugs of a sample rarer */
    snprintf(s->o.strategy, sizeof s->o.strategy, "%s", samples ? hd_strategies[0]->name : "dpor");
    s->o.params[0] = '\0';
}

/* The job's own places come first, because these are its points; the others that are known follow, so that
 * the job does not have to meet them. */
static struct search *new_job(const struct quicksand *q, struct hd_point_set set)
{
    struct search *s = hd_zeroed(1, sizeof *s);
    uint32_t n = 0;

    set_up(s, q->o, false);
    s->o.jobs = 1; /* for the estimates */
    s->o.no_points = HD_POINT_ALL & ~set.classes;
    for (unsigned i = 0; i < q->nplaces; i++)
        if (set.places >> i & 1)
            s->places[n++] = q->place[i];
    s->o.nchosen = n;
    for (unsigned i = 0; i < q->nplaces; i++)
        if (!(set.places >> i & 1))
            s->places[n++] = q->place[i];
    s->o.places = s->places;
    s->o.nplaces = n;
    return s;
}

/* How much of it is done, and how long the rest will take, if that is known. */
static void estimate(double seconds, double left, char *text, size_t cap)
{
    text[0] = '\0';
    if (left > 0)
        snprintf(text, cap, ", %.2g%%, %.3g s left", 100 * seconds / (seconds + left), left);
}

static void say(const struct quicksand *q, const char *what, struct hd_point_set set, const struct search *s)
{
    char points[256], number[32], rest[64] = "";

    if (q->o->quiet || q->o->progress == HD_PROGRESS_NONE)
        return;
    describe(q, set, points, sizeof points);
    hd_text_number(s->status.executions, number, sizeof number);
    if (!s->over)
        estimate(s->status.seconds, s->status.left, rest, sizeof rest);
    fprintf(stderr, "heddle: points at %s: %s, %s executions, %.1f s%s\n", points, what, number, s->status.seconds, rest);
}

/* ---- time ------------------------------------------------------------------------------------------ */

static double now(const struct quicksand *q)
{
    return hd_seconds_now() - q->start;
}

static bool is_late(const struct quicksand *q)
{
    return q->o->budget_ms != 0 && now(q) * 1e3 >= (double)q->o->budget_ms;
}

/* Without a budget there is always as much time left as there was, at least. */
static struct hd_deep_time time_of(const struct quicksand *q)
{
    double past = now(q), left = q->whole - past;

    if (q->o->budget_ms == 0 && left < past)
        left = past;
    return (struct hd_deep_time){ q->whole, left > 0 ? left : 0 };
}

/* Q2.  In a turn of few executions most of the time went into starting the program: the next is longer. */
static uint64_t turn_of(const struct quicksand *q, const struct search *s)
{
    double ms = FIRST_TURN * (double)(1u << (s->turns < 8 ? s->turns : 8));
    double most = q->whole * 1e3 / TURNS_AT_LEAST;

    most = most > LONGEST_TURN ? LONGEST_TURN : most < FIRST_TURN ? FIRST_TURN : most;
    if (s->turns > 0 && s->gained < FEW_EXECUTIONS)
        most = q->whole * 1e3 / LONG_TURNS_AT_LEAST;
    ms = ms < most ? ms : most;
    if (q->o->budget_ms != 0 && ms > (q->whole - now(q)) * 1e3)
        ms = (q->whole - now(q)) * 1e3;
    return ms < 1 ? 1 : (uint64_t)ms;
}

/* ---- turns ------------------------------------------------------------------------------------------- */

/* Returns false if the search cannot be run. */
static bool take_turn(struct quicksand *q, struct search *s, enum kind kind)
{
    double before = now(q);
    uint64_t executions = s->status.executions;

    if (s->process.pid == 0 && !hd_job_process_start(&s->process, &s->o, q->one))
        return false;
    hd_job_process_run(&s->process, turn_of(q, s));
    if (!hd_job_process_answer(&s->process, &s->status))
        return false;
    s->turns++;
    s->gained = s->status.executions - executions;
    q->used[kind] += now(q) - before;
    s->over = s->status.over || s->status.cannot_wait;
    q->interrupted |= s->status.interrupted;
    if (s->status.code != HD_EXIT_CLEAN || (s->status.bug && !q->o->keep_going)) /* Q3 */
        q->deciding = s;
    return true;
}

static bool sample(struct quicksand *q)
{
    return take_turn(q, &q->sample, SAMPLE);
}

/* Q4. */
static bool go_on_maximal(struct quicksand *q)
{
    if (!take_turn(q, &q->maximal, MAXIMAL))
        return false;
    if (q->maximal.status.complete || (q->maximal.status.bug && q->maximal.over)) /* it has found all */
        q->deciding = &q->maximal;
    return true;
}

static void end_job(struct quicksand *q, unsigned j, enum hd_job_state how, const char *what)
{
    say(q, what, q->jobs.job[j].set, q->job[j]);
    hd_deepening_over(&q->jobs, j, how);
    q->current = -1;
}

static bool go_on_job(struct quicksand *q)
{
    int j = q->current >= 0 ? q->current : hd_deepening_next(&q->jobs);

    HD_INVARIANT(j >= 0, "a job was to be run");
    struct hd_job *job = &q->jobs.job[j];
    struct search *s = q->job[j] != NULL ? q->job[j] : (q->job[j] = new_job(q, job->set));

    q->current = j;
    job->state = HD_JOB_RUNNING;
    if (!take_turn(q, s, JOB))
        return false;
    job->executions = s->status.executions;
    job->seconds = s->status.seconds;
    job->left = s->status.left;
    if (s->status.bug && s->over)
        end_job(q, (unsigned)j, HD_JOB_BUGGY, "found a bug");
    else if (s->status.complete)
        end_job(q, (unsigned)j, HD_JOB_COMPLETE, "explored");
    else if (s->over)
        end_job(q, (unsigned)j, HD_JOB_ENDED, "ended without a result");
    else if (hd_deepening_suspends(&q->jobs, (unsigned)j, time_of(q))) {
        job->state = HD_JOB_SUSPENDED;
        q->current = -1;
        say(q, "suspended, because it will take too long", job->set, s);
    }
    hd_deepening_met(&q->jobs, (unsigned)j, places_of(q, &s->status));
    return true;
}

/* The processes of jobs that are over are of no more use, unless one may have to show its races (Q5). */
static void end_useless(struct quicksand *q)
{
    for (unsigned i = 0; i < q->jobs.n; i++) {
        enum hd_job_state state = q->jobs.job[i].state;
        bool waits = state == HD_JOB_PENDING || state == HD_JOB_RUNNING || state == HD_JOB_SUSPENDED;

        if (q->job[i] != NULL && q->job[i] != q->deciding && !waits && q->job[i]->status.nfindings == 0)
            hd_job_process_end(&q->job[i]->process);
    }
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static bool has_work(const struct quicksand *q, enum kind kind)
{
    switch (kind) {
    case SAMPLE:
        return !q->sample.over;
    case MAXIMAL:
        return !q->maximal.over;
    default:
        return q->current >= 0 || hd_deepening_next(&q->jobs) >= 0;
    }
}

static bool is_sampled_first(const struct quicksand *q)
{
    return has_work(q, SAMPLE) && q->sample.status.executions < SAMPLED_FIRST &&
           q->used[SAMPLE] < q->whole / 4 && q->used[SAMPLE] < SAMPLED_SECONDS;
}

/* Q1: the kind that has had the least of its share.  KINDS: nothing is left to do. */
static enum kind next_kind(const struct quicksand *q)
{
    enum kind best = KINDS;

    if (is_sampled_first(q))
        return SAMPLE;
    for (enum kind k = 0; k < KINDS; k++)
        if (has_work(q, k) && (best == KINDS || q->used[k] / share[k] < q->used[best] / share[best]))
            best = k;
    return best;
}

static bool give_turns(struct quicksand *q)
{
    bool ok = true;

    while (ok && q->deciding == NULL && !q->interrupted && !is_late(q)) {
        switch (next_kind(q)) {
        case SAMPLE:
            ok = sample(q);
            break;
        case MAXIMAL:
            ok = go_on_maximal(q);
            break;
        case JOB:
            ok = go_on_job(q);
            break;
        default:
            return true;
        }
        hd_deepening_seed(&q->jobs, BASE, q->sample.status.classes | q->maximal.status.classes);
        end_useless(q);
        q->interrupted |= hd_signals_take();
    }
    return ok;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static bool is_better_to_show(const struct search *a, const struct search *b)
{
    if (a->status.bug != b->status.bug)
        return a->status.bug;
    return a->status.nfindings > b->status.nfindings;
}

/* Q5. */
static struct search *choose_deciding(struct quicksand *q)
{
    struct search *best = q->maximal.process.pid != 0 ? &q->maximal : &q->sample;

    if (q->deciding != NULL)
        return q->deciding;
    if (is_better_to_show(&q->sample, best))
        best = &q->sample;
    for (unsigned i = 0; i < q->jobs.n; i++)
        if (q->job[i] != NULL && q->job[i]->process.pid != 0 && is_better_to_show(q->job[i], best))
            best = q->job[i];
    return best;
}

static void print_row(const struct quicksand *q, const struct hd_job *job)
{
    static const char *const words[] = {
        [HD_JOB_PENDING] = "not begun", [HD_JOB_RUNNING] = "not finished", [HD_JOB_SUSPENDED] = "suspended",
        [HD_JOB_COMPLETE] = "explored", [HD_JOB_BUGGY] = "bug", [HD_JOB_CANCELLED] = "cancelled",
        [HD_JOB_COVERED] = "explored within a larger one", [HD_JOB_ENDED] = "ended, proves nothing",
    };
    char points[256], number[32], rest[64];

    describe(q, job->set, points, sizeof points);
    hd_text_number(job->executions, number, sizeof number);
    estimate(job->seconds, job->left, rest, sizeof rest);
    printf("  %-36s %-28s %10s executions %6.1f s%s\n", points, words[job->state], number, job->seconds, rest);
}

/* Sets that were not begun are counted only. */
static void print_jobs(const struct quicksand *q)
{
    unsigned waiting = 0, begun = 0;

    for (unsigned i = 0; i < q->jobs.n; i++)
        begun += q->jobs.job[i].state != HD_JOB_PENDING;
    if (q->o->quiet || hd_outputs_take_stdout(q->o) || begun == 0)
        return;
    printf("Sets of scheduling points (threads were switched there, or where one had to wait):\n");
    for (unsigned i = 0; i < q->jobs.n; i++) {
        if (q->jobs.job[i].state == HD_JOB_PENDING)
            waiting++;
        else
            print_row(q, &q->jobs.job[i]);
    }
    if (waiting > 0)
        printf("  %u more set%s not begun\n", waiting, waiting == 1 ? " was" : "s were");
    fflush(stdout);
}

static void finish(struct quicksand *q, struct hd_one_result *out)
{
    struct search *deciding = choose_deciding(q);

    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < q->jobs.n; i++)
        if (q->job[i] != NULL && q->job[i] != deciding)
            hd_job_process_end(&q->job[i]->process);
    if (deciding != &q->sample)
        hd_job_process_end(&q->sample.process);
    if (deciding != &q->maximal)
        hd_job_process_end(&q->maximal.process);
    out->code = hd_job_process_conclude(&deciding->process);
    out->interrupted = q->interrupted;
    print_jobs(q);
    for (unsigned i = 0; i < q->jobs.n; i++)
        free(q->job[i]);
}

void hd_quicksand_search(const struct hd_options *o, const struct hd_one *one, struct hd_one_result *out)
{
    struct quicksand *q = hd_zeroed(1, sizeof *q);
    sigset_t before;

    q->o = o;
    q->one = one;
    q->current = -1;
    q->start = hd_seconds_now();
    q->whole = (double)(o->budget_ms != 0 ? o->budget_ms : WITHOUT_BUDGET) / 1e3;
    set_up(&q->sample, o, true);
    set_up(&q->maximal, o, false);
    hd_signals_hold(&before);
    if (give_turns(q) || q->sample.process.pid != 0) {
        finish(q, out);
    } else {
        fputs("heddle: a process of the search could not be started, or has died\n", stderr);
        memset(out, 0, sizeof *out);
        out->code = HD_EXIT_INTERNAL;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(q);
}
