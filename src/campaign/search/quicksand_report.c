/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_report.c - describes what the searches of Quicksand have done, as rows for the table, the panel and
 * JSON. */
#include <string.h>
#include <unistd.h>

#include "campaign/search/job_table.h"
#include "campaign/search/quicksand_state.h"
#include "conductor/use.h"
#include "model/point_class.h"
#include "report/print/text.h"

/* ---- time ------------------------------------------------------------------------------------- */

double hd_quicksand_now(const struct hd_quicksand *q)
{
    return hd_seconds_now() - q->start;
}

/* Without a budget, at least as much time is assumed to be left as has passed. */
struct hd_deep_time hd_quicksand_time(const struct hd_quicksand *q)
{
    double past = hd_quicksand_now(q), left = q->whole - past;

    if (q->o->budget_ms == 0 && left < past)
        left = past;
    return (struct hd_deep_time){ q->whole, left > 0 ? left : 0 };
}

/* ---- sets of points --------------------------------------------------------------------------- */

static void append(char *text, size_t cap, const char *word)
{
    size_t n = strlen(text);

    snprintf(text + n, cap - n, "%s%s", n > 0 ? ", " : "", word);
}

void hd_quicksand_describe(const struct hd_quicksand *q, struct hd_point_set set, char *text, size_t cap)
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

static void put_estimate(struct hd_result_job *row, const struct hd_deep_search *s)
{
    row->seconds = s->status.seconds;
    row->left = s->over ? -1 : s->status.left;
    row->left_least = s->over ? -1 : s->status.left_least;
    row->holds = s->forecast.holds;
}

void hd_quicksand_say(struct hd_quicksand *q, const char *what, struct hd_point_set set, const struct hd_deep_search *s)
{
    char points[256], number[32], rest[192] = "";
    struct hd_result_job row;

    if (q->o->quiet || q->o->progress == HD_PROGRESS_NONE)
        return;
    hd_progress_clear(&q->view);
    hd_quicksand_describe(q, set, points, sizeof points);
    hd_text_number(s->status.executions, number, sizeof number);
    if (!s->over) {
        put_estimate(&row, s);
        hd_job_table_estimate(&row, rest, sizeof rest);
    }
    fprintf(stderr, "heddle: points at %s: %s, %s executions, %.1f s%s\n", points, what, number, s->status.seconds, rest);
}

/* ---- what the searches have done --------------------------------------------------------------- */

static void add_row(struct hd_quicksand *q, const char *kind, const char *state, const struct hd_deep_search *s)
{
    struct hd_result_job *row = &q->table.job[q->table.njobs++];

    *row = (struct hd_result_job){ .left = -1 };
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    snprintf(row->state, sizeof row->state, "%s", state);
    if (s == NULL)
        return;
    row->begun = s->turns > 0;
    row->executions = s->status.executions;
    row->cpu = s->status.cpu;
    row->parked = s->parked;
    put_estimate(row, s);
}

static const char *state_of(const struct hd_deep_search *s, bool ended)
{
    return s->status.bug ? "bug" : s->status.complete ? "explored" : s->over ? "ended, proves nothing"
         : s->turns == 0 ? "not begun" : ended ? "not finished" : "running";
}

static void add_bounded(struct hd_quicksand *q, bool ended)
{
    struct hd_result_job *row = &q->table.job[q->table.njobs];
    const struct hd_job_status *st = &q->bounded.status;

    add_row(q, "bounded", state_of(&q->bounded, ended), &q->bounded);
    snprintf(row->points, sizeof row->points, "all, with few preemptions");
    if (st->verified >= 0 && !q->bounded.over)
        snprintf(row->state, sizeof row->state, "explored up to %d", (int)st->verified);
    row->left = -1;
}

static void add_rows(struct hd_quicksand *q, bool ended)
{
    const char *const words[] = {
        [HD_JOB_PENDING] = "not begun", [HD_JOB_RUNNING] = ended ? "not finished" : "running",
        [HD_JOB_SUSPENDED] = "suspended", [HD_JOB_COMPLETE] = "explored", [HD_JOB_BUGGY] = "bug",
        [HD_JOB_CANCELLED] = "cancelled", [HD_JOB_COVERED] = "explored within a larger one",
        [HD_JOB_ENDED] = "ended, proves nothing",
    };

    q->table.njobs = 0;
    add_row(q, "sampling", state_of(&q->sample, ended), &q->sample);
    snprintf(q->table.job[0].points, sizeof q->table.job[0].points, "sampling");
    add_row(q, "maximal", state_of(&q->maximal, ended), &q->maximal);
    snprintf(q->table.job[1].points, sizeof q->table.job[1].points, "%s",
             q->maximal.o.points == HD_POINTS_SYNC ? "all" : "all, and places that race");
    if (q->bounded.turns > 0)
        add_bounded(q, ended);
    for (unsigned i = 0; i < q->jobs.n; i++) {
        struct hd_result_job *row = &q->table.job[q->table.njobs];

        add_row(q, "set", words[q->jobs.job[i].state], q->job[i]);
        hd_quicksand_describe(q, q->jobs.job[i].set, row->points, sizeof row->points);
        if (q->jobs.job[i].left <= 0)
            row->left = row->left_least = -1;
    }
}

static void add_races(struct hd_quicksand *q, const struct hd_deep_search *s)
{
    struct hd_result_quicksand *t = &q->table;

    for (uint32_t i = 0; s != NULL && i < s->status.nraces; i++) {
        const struct hd_job_race *race = &s->status.races[i];
        size_t k = 0;

        while (k < t->nraces && t->race[k].key != race->key)
            k++;
        if (k == HD_RESULT_OPEN_RACES)
            continue;
        if (k == t->nraces) {
            t->race[t->nraces++] = (struct hd_result_open_race){ .key = race->key };
            snprintf(t->race[k].places, sizeof t->race[k].places, "%s", race->places);
        }
        t->race[k].both |= (race->seen & HD_RACE_BOTH) == HD_RACE_BOTH;
        t->race[k].told |= s == q->deciding;
        t->race[k].failed |= (race->seen & HD_RACE_ANY_FAILED) != 0;
    }
}

/* Lists the races whose outcome is open: no execution with them has failed, and the maximal job is not complete. */
static void list_races(struct hd_quicksand *q)
{
    struct hd_result_quicksand *t = &q->table;
    size_t n = 0;

    t->nraces = 0;
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n && !q->maximal.status.complete; i++)
        add_races(q, hd_quicksand_search_of(q, i));
    for (size_t i = 0; i < t->nraces; i++)
        if (!t->race[i].failed)
            t->race[n++] = t->race[i];
    t->nraces = n;
}

void hd_quicksand_take_stock(struct hd_quicksand *q, bool ended)
{
    struct hd_result_quicksand *t = &q->table;

    add_rows(q, ended);
    list_races(q);
    t->seconds = q->seconds_before + hd_quicksand_now(q);
    t->manager = hd_processor_use((int32_t)getpid()).ran - q->used_before;
    t->cpu = t->manager;
    for (size_t i = 0; i < t->njobs; i++)
        t->cpu += t->job[i].cpu;
}

void hd_quicksand_show(struct hd_quicksand *q)
{
    struct hd_stats *s = &q->live.stats;

    if (!hd_live_is_due(&q->live, hd_quicksand_now(q)))
        return;
    hd_quicksand_take_stock(q, false);
    s->seconds = hd_quicksand_now(q);
    s->executions = s->redundant = s->findings = 0;
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++) {
        const struct hd_deep_search *x = hd_quicksand_search_of(q, i);

        if (x == NULL)
            continue;
        s->executions += x->status.executions;
        s->redundant += x->status.redundant;
        s->findings += x->status.nfindings;
        s->threads_max = x->status.threads_max > s->threads_max ? x->status.threads_max : s->threads_max;
        s->steps_max = x->status.steps_max > s->steps_max ? x->status.steps_max : s->steps_max;
    }
    s->races = q->table.nraces;
    s->rate = s->seconds > 0 ? (double)s->executions / s->seconds : 0;
    if (q->o->budget_ms != 0)
        s->limit_seconds_left = hd_quicksand_time(q).left;
    snprintf(s->advice, sizeof s->advice, "it ends by itself when all points and places that race are explored%s",
             q->o->budget_ms != 0 ? ", or at the limit" : "");
    hd_job_table_now(&q->table, s->sets, sizeof s->sets);
    hd_live_show_facts(&q->live, hd_quicksand_now(q));
}
