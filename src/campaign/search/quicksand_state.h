/* SPDX-License-Identifier: BSD-2-Clause
 *
 * quicksand_state.h - the state of a Quicksand campaign, shared by the file that runs it (quicksand.c) and the file
 * that reports it (quicksand_report.c). */
#ifndef HD_CAMPAIGN_SEARCH_QUICKSAND_STATE_H
#define HD_CAMPAIGN_SEARCH_QUICKSAND_STATE_H

#include "campaign/search/deepening.h"
#include "campaign/search/job_process.h"
#include "campaign/search/live.h"
#include "campaign/session/saved.h"
#include "status/progress.h"

/* Searches are numbered: sampling, the maximal job, the bounded search, then the jobs of the list. */
enum { HD_DEEP_FIRST_JOB = 3 };

enum hd_deep_kind { HD_DEEP_SAMPLE, HD_DEEP_MAXIMAL, HD_DEEP_JOB, HD_DEEP_KINDS };
struct hd_deep_search {
    struct hd_job_process process;
    unsigned number; /* number of the search, for its state */
    struct hd_options o;
    struct hd_job_status status;
    hd_cname places[HD_DEEP_PLACES]; /* the places to which o.places points */
    unsigned turns;
    double cpu_before; /* processor time before the campaign was interrupted */
    uint64_t gained; /* executions of the last turn */
    unsigned parked; /* how often it was saved and its process ended (Q9), in this run */
    struct {
        double at, whole; /* at the last check: executions, and the estimate of all */
        bool grows;       /* the estimate has grown much during the last half of the executions, so it is unreliable */
        bool holds;       /* the contrary.  Neither: not compared yet */
    } forecast;
    bool over;
};

/* A turn that is not over. */
struct hd_deep_lane {
    struct hd_deep_search *search; /* NULL: none */
    enum hd_deep_kind kind;
    double begun;
};

enum { HD_DEEP_LANES = 2 };

struct hd_quicksand {
    const struct hd_options *o;
    const struct hd_one *one;
    struct hd_job_list jobs;
    struct hd_deep_search sample, maximal, bounded;
    struct hd_deep_search *job[HD_DEEP_JOBS]; /* NULL: not begun */
    int current;                      /* the job that currently gets the turns for jobs; -1: none */
    hd_cname place[HD_DEEP_PLACES];   /* racing places, numbered as in struct hd_point_set */
    char site[HD_DEEP_PLACES][48];    /* their places in the source */
    unsigned nplaces;
    struct hd_deep_lane lane[HD_DEEP_LANES]; /* each has one turn at a time (Q10) */
    unsigned nlanes;
    double start, whole;              /* seconds; whole: the budget, or an assumed one */
    double used[HD_DEEP_KINDS];
    double used_before;               /* processor time of this process when the campaign began */
    struct hd_deep_search *deciding;          /* the search that shows the result */
    struct hd_live live;
    struct hd_progress_view view;
    struct hd_result_quicksand table;
    bool interrupted;

    /* what is saved of it (quicksand_file.h) */
    struct hd_saved saved;
    double next_save;                 /* seconds since the beginning */
    double seconds_before;            /* seconds before the campaign was interrupted */
};

/* Creates a search over this set, without starting it. */
struct hd_deep_search *hd_quicksand_new_job(const struct hd_quicksand *q, struct hd_point_set set, unsigned number);


/* Returns the search with that number, or NULL if it has not begun. */
static inline struct hd_deep_search *hd_quicksand_search_of(struct hd_quicksand *q, unsigned number)
{
    struct hd_deep_search *const first[] = { &q->sample, &q->maximal, &q->bounded };

    return number < HD_DEEP_FIRST_JOB ? first[number] : q->job[number - HD_DEEP_FIRST_JOB];
}

/* Seconds since the beginning. */
double hd_quicksand_now(const struct hd_quicksand *q);
struct hd_deep_time hd_quicksand_time(const struct hd_quicksand *q);

/* Names the classes and the first places of the set. */
void hd_quicksand_describe(const struct hd_quicksand *q, struct hd_point_set set, char *text, size_t cap);
/* Prints a line on the terminal about what happened to a job. */
void hd_quicksand_say(struct hd_quicksand *q, const char *what, struct hd_point_set set, const struct hd_deep_search *s);
/* Fills q->table with the state of all searches. */
void hd_quicksand_take_stock(struct hd_quicksand *q, bool ended);
/* Updates the panel and stats.json, if that is due. */
void hd_quicksand_show(struct hd_quicksand *q);

#endif
