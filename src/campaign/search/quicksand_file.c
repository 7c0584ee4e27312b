/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_file.c - saves and loads the state of a Quicksand campaign. */
#include "campaign/search/quicksand_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The part of a search that is saved. */
struct saved_search {
    uint32_t begun, turns;
    uint64_t gained;
    uint32_t over, nplaces, nchosen, points;
    hd_cname places[HD_DEEP_PLACES];
    struct hd_job_status status;
};

struct saved {
    struct hd_job_list jobs;
    int64_t current;
    hd_cname place[HD_DEEP_PLACES];
    char site[HD_DEEP_PLACES][48];
    uint64_t nplaces, resumed;
    double seconds, used[HD_DEEP_KINDS];
    struct saved_search search[HD_DEEP_FIRST_JOB + HD_DEEP_JOBS]; /* by number: sampling, the maximal job, the
                                                                   * bounded search, the others */
};

/* ---- saving ------------------------------------------------------------------------------- */

static void put_search(struct saved_search *to, const struct hd_deep_search *s)
{
    to->begun = s->turns > 0;
    to->turns = s->turns;
    to->gained = s->gained;
    to->over = s->over;
    to->nplaces = s->o.nplaces;
    to->nchosen = s->o.nchosen;
    to->points = s->o.points;
    memcpy(to->places, s->places, sizeof to->places);
    to->status = s->status;
}

static void put(struct hd_quicksand *q, struct saved *to)
{
    to->jobs = q->jobs;
    to->current = q->current;
    memcpy(to->place, q->place, sizeof to->place);
    memcpy(to->site, q->site, sizeof to->site);
    to->nplaces = q->nplaces;
    to->resumed = q->table.resumed;
    to->seconds = q->seconds_before + hd_quicksand_now(q);
    memcpy(to->used, q->used, sizeof to->used);
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + q->jobs.n; i++)
        if (hd_quicksand_search_of(q, i) != NULL)
            put_search(&to->search[i], hd_quicksand_search_of(q, i));
}

void hd_quicksand_file_save(struct hd_quicksand *q, bool now)
{
    if (!q->saved.on || (!now && hd_quicksand_now(q) < q->next_save))
        return;
    struct saved *state = hd_zeroed(1, sizeof *state);

    put(q, state);
    hd_saved_write(&q->saved, state, sizeof *state);
    free(state);
    q->next_save = hd_quicksand_now(q) + (double)q->o->checkpoint_ms / 1e3;
}

void hd_quicksand_file_remove(const struct hd_quicksand *q)
{
    hd_saved_remove(&q->saved);
}

/* ---- continuing --------------------------------------------------------------------------- */

static void get_search(const struct saved_search *from, struct hd_deep_search *s)
{
    s->turns = from->turns;
    s->gained = from->gained;
    s->over = from->over;
    s->status = from->status;
    s->cpu_before = from->status.cpu;
    memcpy(s->places, from->places, sizeof s->places);
    s->o.nplaces = from->nplaces;
    s->o.nchosen = from->nchosen;
    s->o.points = (uint8_t)from->points;
    s->o.resume = true;
}

static void get(struct hd_quicksand *q, const struct saved *from)
{
    q->jobs = from->jobs;
    q->current = (int)from->current;
    memcpy(q->place, from->place, sizeof q->place);
    memcpy(q->site, from->site, sizeof q->site);
    q->nplaces = (unsigned)from->nplaces;
    memcpy(q->used, from->used, sizeof q->used);
    q->seconds_before = from->seconds;
    q->table.resumed = (uint32_t)from->resumed + 1;
    for (unsigned i = 0; i < HD_DEEP_FIRST_JOB + from->jobs.n; i++) {
        if (!from->search[i].begun)
            continue;
        if (i >= HD_DEEP_FIRST_JOB)
            q->job[i - HD_DEEP_FIRST_JOB] = hd_quicksand_new_job(q, q->jobs.job[i - HD_DEEP_FIRST_JOB].set, i);
        get_search(&from->search[i], hd_quicksand_search_of(q, i));
    }
}

static int continue_from(struct hd_quicksand *q)
{
    struct saved *state = hd_zeroed(1, sizeof *state);
    bool found;
    int code = hd_saved_read(&q->saved, state, sizeof *state, &found);

    if (code == HD_EXIT_CLEAN && found)
        get(q, state);
    if (code == HD_EXIT_CLEAN && !q->o->quiet && found)
        fprintf(stderr, "heddle: the search continues after %.0f s\n", q->seconds_before);
    else if (code == HD_EXIT_CLEAN && !q->o->quiet)
        fprintf(stderr, "heddle: there is no interrupted search of this program in %s: it begins from the start\n",
                q->o->out_dir);
    free(state);
    return code;
}

int hd_quicksand_file_open(struct hd_quicksand *q)
{
    int code = hd_saved_open(&q->saved, q->o, q->one->argv, q->one->test, ".quicksand");

    q->next_save = (double)q->o->checkpoint_ms / 1e3;
    if (code != HD_EXIT_CLEAN || !q->saved.on)
        return code;
    if (q->o->resume)
        return continue_from(q);
    hd_quicksand_file_remove(q); /* F3: states of an earlier campaign */
    return HD_EXIT_CLEAN;
}

void hd_quicksand_file_close(struct hd_quicksand *q)
{
    hd_saved_close(&q->saved);
}
