/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand.c - runs the searches in turns (quicksand.h). */
#include "campaign/search/quicksand.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "campaign/search/job_table.h"
#include "campaign/search/quicksand_file.h"
#include "campaign/search/quicksand_state.h"
#include "campaign/setup/jobs.h"
#include "conductor/signals.h"
#include "conductor/use.h"
#include "model/point_class.h"
#include "search/core/strategy.h"

/* Before anything else, this many executions are sampled, because they find most bugs.  That takes at most this
 * many seconds, and at most a quarter of the time. */
enum { SAMPLED_FIRST = 1000, SAMPLED_SECONDS = 15 };

/* Milliseconds. */
enum { FIRST_TURN = 200, LONGEST_TURN = 2000, TURNS_AT_LEAST = 40, WITHOUT_BUDGET = 3600000 };
enum { FEW_EXECUTIONS = 32, LONG_TURNS_AT_LEAST = 8, LOOK_MS = 250 };
#define GROWS_MUCH 1.5

/* Classes that every job has: a new thread may run before its creator continues.  Without them, jobs could not meet
 * some races (Blum, 3.4.1). */
#define BASE HD_POINT_THREAD

/* Q10: with two lanes, this one is for the maximal job and the bounded search. */
enum { MAXIMAL_LANE = 1 };

/* Q1: shares of the time, in quarters.  With a smaller share for sampling, rare bugs of the benchmarks are found
 * later. */
static const unsigned share[HD_DEEP_KINDS] = { [HD_DEEP_SAMPLE] = 2, [HD_DEEP_MAXIMAL] = 1, [HD_DEEP_JOB] = 1 };

/* ---- sets of points ---------------------------------------------------------------------- */

/* Returns the number of a place, or HD_DEEP_PLACES if there are too many places. */
static unsigned number_of(struct hd_quicksand *q, hd_cname name, const char *site)
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

/* Returns the places of races that the search has met or predicted, and notes those seen in both orders. */
static uint64_t places_of(struct hd_quicksand *q, const struct hd_job_status *st)
{
    uint64_t places = 0;

    for (uint32_t i = 0; i < st->nplaces + st->npredicted; i++) {
        uint32_t p = i - st->nplaces;
        unsigned number = i < st->nplaces ? number_of(q, st->places[i], st->sites[i])
                                          : number_of(q, st->predicted[p], st->predicted_sites[p]);

        if (number == HD_DEEP_PLACES)
            continue;
        places |= UINT64_C(1) << number;
        if (i < st->nplaces && st->both_orders >> i & 1)
            q->jobs.both_orders |= UINT64_C(1) << number;
    }
    return places;
}

/* ---- searches -------------------------------------------------------------------------------- */

static void set_up(struct hd_deep_search *s, const struct hd_options *o, bool samples)
{
    s->o = *o;
    s->o.deepens = s->o.resume = false;
    s->o.progress = HD_PROGRESS_NONE;
    s->o.executions = 0;
    s->o.past_races = true;
    if (samples)
        s->o.npoint_at = 0;
    s->o.points = samples ? HD_POINTS_SYNC : HD_POINTS_RACES; /* with more points, sampling meets a rare bug less often */
    snprintf(s->o.strategy, sizeof s->o.strategy, "%s", samples ? hd_strategies[0]->name : "dpor");
    s->o.bound = -1;
    s->o.params[0] = '\0';
}

/* Puts the job's own places first: these are its points.  The other known places follow, so that the job need not
 * discover them again. */
struct hd_deep_search *hd_quicksand_new_job(const struct hd_quicksand *q, struct hd_point_set set, unsigned number)
{
    struct hd_deep_search *s = hd_zeroed(1, sizeof *s);
    uint32_t n = 0;

    set_up(s, q->o, false);
    s->number = number;
    s->o.jobs = 1; /* several workers make no recursive estimate, which quicksand needs */
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

/* ---- time ------------------------------------------------------------------------------------------ */

static bool is_late(const struct hd_quicksand *q)
{
    return q->o->budget_ms != 0 && hd_quicksand_now(q) * 1e3 >= (double)q->o->budget_ms;
}

/* Q2: returns the length of the next turn.  If the last turn had few executions, most of it was spent on starting
 * the program, so the next one is longer. */
static uint64_t turn_of(const struct hd_quicksand *q, const struct hd_deep_search *s)
{
    double ms = FIRST_TURN * (double)(1u << (s->turns < 8 ? s->turns : 8));
    double most = q->whole * 1e3 / TURNS_AT_LEAST;

    most = most > LONGEST_TURN ? LONGEST_TURN : most < FIRST_TURN ? FIRST_TURN : most;
    if (s->turns > 0 && s->gained < FEW_EXECUTIONS)
        most = q->whole * 1e3 / LONG_TURNS_AT_LEAST;
    ms = ms < most ? ms : most;
    if (q->o->budget_ms != 0 && ms > (q->whole - hd_quicksand_now(q)) * 1e3)
        ms = (q->whole - hd_quicksand_now(q)) * 1e3;
    return ms < 1 ? 1 : (uint64_t)ms;
}

/* ---- turns ------------------------------------------------------------------------------------------- */

/* Each time the number of executions has doubled, compares the estimate with the previous one, to see whether it
 * still grows.  It counts executions: they do not depend on how busy the machine is. */
static void check_forecast(struct hd_deep_search *s)
{
    double done = (double)s->status.executions, seconds = s->status.seconds;

    if (s->status.left < 0 || seconds <= 0 || done < 2 * s->forecast.at)
        return;
    double whole = done * (1 + s->status.left / seconds);

    s->forecast.grows = s->forecast.at > 0 && whole > GROWS_MUCH * s->forecast.whole;
    s->forecast.holds = s->forecast.at > 0 && !s->forecast.grows;
    s->forecast.at = done;
    s->forecast.whole = whole;
}

static bool take_answer(struct hd_deep_search *s)
{
    bool ok = hd_job_process_answer(&s->process, &s->status);

    s->status.cpu += s->cpu_before;
    return ok;
}

/* Returns false if the search cannot be run. */
static bool begin_turn(struct hd_quicksand *q, struct hd_deep_lane *lane, struct hd_deep_search *s, enum hd_deep_kind kind)
{
    *lane = (struct hd_deep_lane){ .search = s, .kind = kind, .begun = hd_quicksand_now(q) };
    if (s->process.pid == 0 && !hd_job_process_start(&s->process, &s->o, q->one, s->number)) {
        lane->search = NULL;
        return false;
    }
    hd_job_process_run(&s->process, turn_of(q, s));
    return true;
}

/* Takes the answer of the lane's search, which has arrived.  Returns false if the process has died. */
static bool take_turn(struct hd_quicksand *q, struct hd_deep_lane *lane)
{
    struct hd_deep_search *s = lane->search;
    uint64_t executions = s->status.executions;

    lane->search = NULL;
    if (!take_answer(s))
        return false;
    s->turns++;
    s->gained = s->status.executions - executions;
    check_forecast(s);
    q->used[lane->kind] += hd_quicksand_now(q) - lane->begun;
    s->over = s->status.over || s->status.cannot_wait;
    if (q->deciding != NULL) /* then it was interrupted because another search ends the campaign */
        return true;
    q->interrupted |= s->status.interrupted;
    if (s->status.code != HD_EXIT_CLEAN || (s->status.bug && !q->o->keep_going)) /* Q3: this search ends the
                                                                                  * campaign */
        q->deciding = s;
    return true;
}

/* Q6: true if the maximal job should run before all others. */
static bool is_maximal_within_reach(const struct hd_quicksand *q)
{
    const struct hd_deep_search *m = &q->maximal;
    struct hd_deep_time time = hd_quicksand_time(q);

    return !m->over && m->status.executions >= FEW_EXECUTIONS && m->status.left >= 0 &&
           m->status.left <= time.left / 2 && q->used[HD_DEEP_MAXIMAL] < time.whole / 3;
}

/* Q7: returns the search that gets the next turn of the maximal job: that job or the bounded search. */
static struct hd_deep_search *maximal_of(struct hd_quicksand *q)
{
    const struct hd_job_status *st = &q->maximal.status;

    if (q->bounded.over || q->maximal.over || is_maximal_within_reach(q))
        return &q->maximal;
    return hd_deepening_is_hopeless(st->executions, st->left, hd_quicksand_time(q)) ||
                   (q->maximal.forecast.grows && q->bounded.status.seconds < st->seconds)
               ? &q->bounded : &q->maximal;
}

/* Q8: makes the search start again with points at synchronisation only. */
static void drop_places(struct hd_deep_search *s)
{
    hd_job_process_end(&s->process, false);
    s->o.points = HD_POINTS_SYNC;
    s->turns = 0;
    s->over = false;
    s->status = (struct hd_job_status){ .classes = s->status.classes, .verified = -1 };
}

static bool ended_in_vain(const struct hd_deep_search *s)
{
    const struct hd_job_status *st = &s->status;

    return st->over && !st->complete && !st->bug && st->nfindings == 0 && st->code == HD_EXIT_CLEAN &&
           s->o.points != HD_POINTS_SYNC;
}

/* True if another search has findings and this one has none: then the result of this search must not be shown. */
static bool is_contradicted(struct hd_quicksand *q, const struct hd_deep_search *s)
{
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++) {
        const struct hd_deep_search *other = hd_quicksand_search_of(q, i);

        if (other != NULL && other->status.nfindings > 0 && s->status.nfindings == 0)
            return true;
    }
    return false;
}

/* Q4, Q7: after a turn of the maximal job, or of the bounded search. */
static void after_maximal(struct hd_quicksand *q, struct hd_deep_search *s)
{
    if (q->deciding == NULL && ((s->status.complete && !is_contradicted(q, s)) || (s->status.bug && s->over))) /* nothing is left to find */
        q->deciding = s;
    if (s == &q->maximal && ended_in_vain(s))
        drop_places(s);
}

/* Q9: a search that cannot be saved (--checkpoint off, a full disk) keeps its process. */
static void park(struct hd_deep_search *s)
{
    if (!hd_job_process_park(&s->process))
        return;
    hd_job_process_end(&s->process, true);
    s->cpu_before = s->status.cpu;
    s->o.resume = true;
    s->parked++;
}

static void end_job(struct hd_quicksand *q, unsigned j, enum hd_job_state how, const char *what)
{
    hd_quicksand_say(q, what, q->jobs.job[j].set, q->job[j]);
    hd_deepening_over(&q->jobs, j, how);
    q->current = -1;
}

static struct hd_deep_search *next_job(struct hd_quicksand *q)
{
    int j = q->current >= 0 ? q->current : hd_deepening_next(&q->jobs);

    HD_INVARIANT(j >= 0, "a job was to be run");
    struct hd_job *job = &q->jobs.job[j];

    if (q->job[j] == NULL)
        q->job[j] = hd_quicksand_new_job(q, job->set, (unsigned)j + HD_DEEP_FIRST_JOB);
    q->current = j;
    job->state = HD_JOB_RUNNING;
    return q->job[j];
}

static void after_job(struct hd_quicksand *q, struct hd_deep_search *s)
{
    int j = q->current;
    struct hd_job *job = &q->jobs.job[j];

    job->executions = s->status.executions;
    job->seconds = s->status.seconds;
    job->left = s->status.left;
    if (s->status.bug && s->over)
        end_job(q, (unsigned)j, HD_JOB_BUGGY, "found a bug");
    else if (s->status.complete)
        end_job(q, (unsigned)j, HD_JOB_COMPLETE, "explored");
    else if (s->over)
        end_job(q, (unsigned)j, HD_JOB_ENDED, "ended without a result");
    else if (hd_deepening_suspends(&q->jobs, (unsigned)j, hd_quicksand_time(q))) {
        job->state = HD_JOB_SUSPENDED;
        q->current = -1;
        park(s);
        hd_quicksand_say(q, "suspended, because it will take too long", job->set, s);
    }
    hd_deepening_met(&q->jobs, (unsigned)j, places_of(q, &s->status));
}

/* Ends the processes of jobs that are over and have no findings.  A job with findings may still have to show them
 * (Q5). */
static void end_useless(struct hd_quicksand *q)
{
    for (unsigned i = 0; i < q->jobs.n; i++) {
        enum hd_job_state state = q->jobs.job[i].state;
        bool waits = state == HD_JOB_PENDING || state == HD_JOB_RUNNING || state == HD_JOB_SUSPENDED;

        if (q->job[i] != NULL && q->job[i] != q->deciding && !waits && q->job[i]->status.nfindings == 0)
            hd_job_process_end(&q->job[i]->process, false);
    }
}

/* ---- the loop ---------------------------------------------------------------------------------------- */

static bool has_work(const struct hd_quicksand *q, enum hd_deep_kind kind)
{
    if (q->o->maximal && kind != HD_DEEP_MAXIMAL)
        return false;
    switch (kind) {
    case HD_DEEP_SAMPLE:
        return !q->sample.over;
    case HD_DEEP_MAXIMAL:
        return !q->maximal.over;
    default:
        return q->current >= 0 || hd_deepening_next(&q->jobs) >= 0;
    }
}

static bool is_sampled_first(const struct hd_quicksand *q)
{
    return has_work(q, HD_DEEP_SAMPLE) && q->sample.status.executions < SAMPLED_FIRST &&
           q->used[HD_DEEP_SAMPLE] < q->whole / 4 && q->used[HD_DEEP_SAMPLE] < SAMPLED_SECONDS;
}

/* Q1, Q10: returns the kind of search that has used the least of its share, or HD_DEEP_KINDS if nothing is left to do
 * in this lane. */
static enum hd_deep_kind next_kind(const struct hd_quicksand *q, unsigned lane)
{
    enum hd_deep_kind best = HD_DEEP_KINDS;

    if (lane == MAXIMAL_LANE)
        return has_work(q, HD_DEEP_MAXIMAL) ? HD_DEEP_MAXIMAL : HD_DEEP_KINDS;
    if (is_sampled_first(q))
        return HD_DEEP_SAMPLE;
    if (q->nlanes == 1 && is_maximal_within_reach(q))
        return HD_DEEP_MAXIMAL;
    for (enum hd_deep_kind k = 0; k < HD_DEEP_KINDS; k++)
        if ((q->nlanes == 1 || k != HD_DEEP_MAXIMAL) && has_work(q, k) &&
            (best == HD_DEEP_KINDS || q->used[k] / share[k] < q->used[best] / share[best]))
            best = k;
    return best;
}

static bool is_over(const struct hd_quicksand *q)
{
    return q->deciding != NULL || q->interrupted || is_late(q);
}

/* Gives each free lane a turn.  Returns false if a search cannot be run. */
static bool begin_turns(struct hd_quicksand *q)
{
    bool ok = true;

    for (unsigned i = 0; ok && i < q->nlanes; i++) {
        enum hd_deep_kind kind = q->lane[i].search == NULL ? next_kind(q, i) : HD_DEEP_KINDS;

        if (kind == HD_DEEP_SAMPLE)
            ok = begin_turn(q, &q->lane[i], &q->sample, kind);
        else if (kind == HD_DEEP_MAXIMAL)
            ok = begin_turn(q, &q->lane[i], maximal_of(q), kind);
        else if (kind == HD_DEEP_JOB)
            ok = begin_turn(q, &q->lane[i], next_job(q), kind);
    }
    return ok;
}

static bool has_turn(const struct hd_quicksand *q)
{
    for (unsigned i = 0; i < q->nlanes; i++)
        if (q->lane[i].search != NULL)
            return true;
    return false;
}

/* Waits until at least one turn is over.  Passes a signal of the user on, since a turn may be long. */
static void wait_for_turn(struct hd_quicksand *q)
{
    const struct hd_job_process *p[HD_DEEP_LANES];
    unsigned n = 0;

    for (unsigned i = 0; i < q->nlanes; i++)
        if (q->lane[i].search != NULL)
            p[n++] = &q->lane[i].search->process;
    while (!hd_job_process_wait(p, n, LOOK_MS)) {
        hd_quicksand_show(q);
        if (!hd_signals_take())
            continue;
        q->interrupted = true;
        for (unsigned i = 0; i < n; i++)
            hd_job_process_interrupt(p[i]);
    }
}

/* Takes the answers that have arrived.  Returns false if a process has died. */
static bool take_turns(struct hd_quicksand *q)
{
    for (unsigned i = 0; i < q->nlanes; i++) {
        struct hd_deep_search *s = q->lane[i].search;
        const struct hd_job_process *p = s != NULL ? &s->process : NULL;

        if (s == NULL || !hd_job_process_wait(&p, 1, 0))
            continue;
        if (!take_turn(q, &q->lane[i]))
            return false;
        if (q->lane[i].kind == HD_DEEP_MAXIMAL)
            after_maximal(q, s);
        else if (q->lane[i].kind == HD_DEEP_JOB)
            after_job(q, s);
    }
    return true;
}

/* When the campaign is over, waits for the turns that are not.  If the time is over, they end by themselves. */
static bool end_turns(struct hd_quicksand *q)
{
    for (unsigned i = 0; i < q->nlanes; i++)
        if (q->lane[i].search != NULL && q->deciding != NULL)
            hd_job_process_interrupt(&q->lane[i].search->process);
    while (has_turn(q)) {
        wait_for_turn(q);
        if (!take_turns(q))
            return false;
    }
    return true;
}

static bool give_turns(struct hd_quicksand *q)
{
    bool ok = true;

    while (ok && !is_over(q)) {
        ok = begin_turns(q);
        if (!has_turn(q))
            return ok;
        wait_for_turn(q);
        ok = ok && take_turns(q);
        hd_deepening_seed(&q->jobs, BASE, q->sample.status.classes | q->maximal.status.classes);
        end_useless(q);
        hd_quicksand_show(q);
        hd_quicksand_file_save(q, false);
        q->interrupted |= hd_signals_take();
    }
    return end_turns(q) && ok;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* True if the search can show its result.  The process of a search that is over without findings has ended. */
static bool can_show(const struct hd_deep_search *s)
{
    return s->turns > 0 && (s->process.pid != 0 || s->status.nfindings > 0 || !s->over);
}

static bool is_better_to_show(const struct hd_deep_search *a, const struct hd_deep_search *b)
{
    if (a->status.bug != b->status.bug)
        return a->status.bug;
    if (a->status.nfindings != b->status.nfindings)
        return a->status.nfindings > b->status.nfindings;
    return a->status.verified > b->status.verified;
}

/* Q5: returns the search that shows its result. */
static struct hd_deep_search *choose_deciding(struct hd_quicksand *q)
{
    struct hd_deep_search *best = q->maximal.turns > 0 ? &q->maximal : &q->sample;

    if (q->deciding != NULL)
        return q->deciding;
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++) {
        struct hd_deep_search *s = hd_quicksand_search_of(q, i);

        if (s != NULL && can_show(s) && is_better_to_show(s, best))
            best = s;
    }
    return best;
}

/* Starts the process of a search again, so that it can show its findings: since the campaign was continued, the
 * search has had no turn. */
static bool wake(struct hd_quicksand *q, struct hd_deep_search *s)
{
    if (s->process.pid != 0)
        return true;
    if (!hd_job_process_start(&s->process, &s->o, q->one, s->number))
        return false;
    hd_job_process_run(&s->process, 1);
    return take_answer(s);
}

static void end_all(struct hd_quicksand *q, bool keeps)
{
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++) {
        struct hd_deep_search *s = hd_quicksand_search_of(q, i);

        if (s != NULL && keeps)
            hd_job_process_park(&s->process);
    }
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++) {
        struct hd_deep_search *s = hd_quicksand_search_of(q, i);

        if (s != NULL && s != q->deciding)
            hd_job_process_end(&s->process, keeps);
    }
}

static void show_result(struct hd_quicksand *q, struct hd_one_result *out, bool keeps)
{
    q->table.interrupted = q->interrupted;
    out->code = hd_job_process_conclude(&q->deciding->process, &q->table, keeps);
    out->interrupted = q->interrupted;
    if (!q->o->quiet && !hd_outputs_take_stdout(q->o))
        hd_job_table_print(stdout, &q->table);
    if (q->interrupted && keeps && !q->o->quiet)
        fputs("heddle: interrupted; the same command with --resume continues the search\n", stderr);
    hd_live_close_facts(&q->live, hd_verdict_text(out->code == HD_EXIT_FINDING ? HD_VERDICT_BUG
                        : out->code == HD_EXIT_CLEAN ? HD_VERDICT_CLEAN : HD_VERDICT_BUDGET), out->code);
}

static void finish(struct hd_quicksand *q, struct hd_one_result *out)
{
    bool keeps = q->deciding == NULL && (q->interrupted || is_late(q)) && q->saved.on;

    q->deciding = choose_deciding(q);
    if (!wake(q, q->deciding))
        q->deciding = &q->sample;
    hd_quicksand_take_stock(q, true);
    hd_progress_clear(&q->view);
    if (keeps)
        hd_quicksand_file_save(q, true);
    end_all(q, keeps);
    show_result(q, out, keeps);
    if (!keeps)
        hd_quicksand_file_remove(q);
}

/* Q10. */
static void divide_workers(struct hd_quicksand *q)
{
    uint32_t workers = hd_jobs(&q->sample.o), for_all = workers / 4 > 0 ? workers / 4 : 1;

    q->nlanes = workers > 1 && !q->o->maximal ? HD_DEEP_LANES : 1;
    q->live.stats.jobs = q->live.stats.workers_alive = workers;
    if (q->nlanes == 1)
        return;
    q->maximal.o.jobs = q->bounded.o.jobs = for_all;
    q->sample.o.jobs = workers - for_all;
}

void hd_quicksand_search(const struct hd_options *o, const struct hd_one *one, struct hd_one_result *out)
{
    struct hd_quicksand *q = hd_zeroed(1, sizeof *q);
    sigset_t before;

    q->o = o;
    q->one = one;
    q->current = -1;
    q->start = hd_seconds_now();
    q->whole = (double)(o->budget_ms != 0 ? o->budget_ms : WITHOUT_BUDGET) / 1e3;
    set_up(&q->sample, o, true);
    set_up(&q->maximal, o, false);
    set_up(&q->bounded, o, false);
    snprintf(q->bounded.o.strategy, sizeof q->bounded.o.strategy, "bpor-lazy");
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB; i++)
        hd_quicksand_search_of(q, i)->number = i;
    q->sample.status.verified = q->maximal.status.verified = q->bounded.status.verified = -1;
    q->used_before = hd_processor_use((int32_t)getpid()).ran;
    q->view.style = hd_session_progress_style(o);
    hd_live_open_facts(&q->live, o, &q->view, one->argv[0], one->test);
    snprintf(q->live.stats.strategy, sizeof q->live.stats.strategy, "quicksand");
    divide_workers(q);
    memset(out, 0, sizeof *out);
    hd_signals_hold(&before);
    out->code = hd_quicksand_file_open(q);
    if (out->code == HD_EXIT_CLEAN && (give_turns(q) || q->sample.process.pid != 0)) {
        finish(q, out);
    } else if (out->code == HD_EXIT_CLEAN) {
        fputs("heddle: a process of the search could not be started, or has died\n", stderr);
        out->code = HD_EXIT_INTERNAL;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    hd_quicksand_file_close(q);
    for (unsigned i = 0; i < q->jobs.n; i++)
        free(q->job[i]);
    free(q);
}
