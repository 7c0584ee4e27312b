/* SPDX-License-Identifier: BSD-2-Clause
 *
 * view.h - reads a store for the dashboard.  It creates, updates and writes nothing, so the right to read (SELECT; a
 * file without write access) is enough.  Everything read between hd_view_begin and hd_view_end belongs to one state
 * of the database.  Texts may be hostile, so they are cut to a size that a page can show. */
#ifndef HD_STORE_VIEW_H
#define HD_STORE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct hd_view;

/* Returns NULL and writes a message if that fails. */
struct hd_view *hd_view_open(const char *url, char *error, size_t cap);
void hd_view_close(struct hd_view *v);
/* Returns the message of the last function that failed. */
const char *hd_view_error(const struct hd_view *v);

/* Begins a transaction; connects again if the connection was lost.  Returns false if the database does not answer or
 * is no store. */
bool hd_view_begin(struct hd_view *v);
void hd_view_end(struct hd_view *v);

/* ---- campaigns ---- */

enum { HD_VIEW_SPARKS = 40 };

struct hd_view_campaign {
    int64_t id;
    char *name, *state, *outcome;
    char *spec;                /* options on which its workers agree: lines of name, tab, value */
    int64_t kind;              /* an enum hd_cluster_kind, but the database may contain any value */
    int64_t bound;
    int64_t limit;             /* maximum number of executions; 0: none */
    double now, created, deadline; /* seconds since 1970; deadline negative: none */
    double first, last;        /* begin of the first valid slice and end of the last; 0: there is none */
    int64_t executions, redundant, buggy, slices;
    double seconds;            /* sum over all slices */
    int64_t rows, unfinished, leased;
    int64_t findings;
    int64_t alive, lost, left; /* workers */
    char *verdict;             /* verdict of a worker; NULL: no worker has given one */
    int64_t spark[HD_VIEW_SPARKS]; /* executions over time, in nsparks parts of equal length; only in a list */
    size_t nsparks;

    /* The following fields are not set in a list. */
    char *hash;                /* hash of the program */
    char *program, *build_id;  /* name of the program in the store; NULL: the store does not have the program */
    struct hd_bytes command;   /* its words, each terminated by a zero byte */
    struct {
        char *sentence; /* the sentence of the verdict */
        double at;
        int64_t executions;
    } claim;
};

struct hd_view_campaigns {
    struct hd_view_campaign *list; /* open campaigns first, then the newest ones */
    size_t n;
    int64_t all; /* number of campaigns in the store */
};

bool hd_view_campaigns(struct hd_view *v, struct hd_view_campaigns *out);
void hd_view_campaigns_free(struct hd_view_campaigns *c);

/* Reads the campaign with this name, or with this number if name is NULL.  Sets *found if there is one. */
bool hd_view_campaign(struct hd_view *v, const char *name, int64_t id, struct hd_view_campaign *out, bool *found);
void hd_view_campaign_free(struct hd_view_campaign *c);

/* ---- workers ---- */

enum hd_view_worker_state {
    HD_WORKER_ALIVE,
    HD_WORKER_LOST, /* not seen for a while, without having left; its lease has expired */
    HD_WORKER_LEFT,
};

struct hd_view_worker {
    char *id;
    enum hd_view_worker_state state;
    bool idle;
    double silent;  /* seconds since it was last seen */
    double lease;   /* seconds until its lease expires; negative: it has expired */
    int64_t leases; /* number of rows that it has leased */
    int64_t slices, executions;
};

struct hd_view_workers {
    struct hd_view_worker *list; /* lost workers first, then living ones */
    size_t n;
};

bool hd_view_workers(struct hd_view *v, int64_t campaign, struct hd_view_workers *out);
void hd_view_workers_free(struct hd_view_workers *w);

/* ---- rate ---- */

enum { HD_VIEW_BUCKETS = 100 };

/* Executions over time, in parts of equal length. */
struct hd_view_rate {
    double begin, width; /* in seconds: begin of the first part, length of each part */
    size_t n;
    int64_t executions[HD_VIEW_BUCKETS];
};

bool hd_view_rate(struct hd_view *v, const struct hd_view_campaign *c, struct hd_view_rate *out);

/* ---- findings ---- */

struct hd_view_finding {
    char *signature, *kind, *message, *worker;
    double at;
    int64_t index;
    int64_t schedule_size, report_size; /* 0: there is none */
};

struct hd_view_findings {
    struct hd_view_finding *list;
    size_t n;
};

bool hd_view_findings(struct hd_view *v, int64_t campaign, struct hd_view_findings *out);
void hd_view_findings_free(struct hd_view_findings *f);
bool hd_view_finding(struct hd_view *v, int64_t campaign, const char *signature, struct hd_view_finding *out, bool *found);
void hd_view_finding_free(struct hd_view_finding *f);
/* The caller frees the bytes. data is NULL if there are none. */
bool hd_view_schedule(struct hd_view *v, int64_t campaign, const char *signature, struct hd_bytes *out);
bool hd_view_report(struct hd_view *v, int64_t campaign, const char *signature, struct hd_bytes *out);

#endif
