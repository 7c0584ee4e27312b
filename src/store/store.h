/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.h - campaigns that many machines work on.  A campaign consists of rows of work; a worker leases a row, explores it
 * for some seconds (a slice) and commits what came of it.
 *
 * L1  A claim writes holder, fence + 1 and expiry, by the clock of the database, in one statement.  A row that is not
 *     finished and whose lease has expired can be claimed by anybody.
 * L2  Result, cursor, split and findings of a slice commit in one transaction, in which the fence is still the lease's and
 *     the row is not done.  Otherwise nothing of the slice is kept, and another worker does it again.
 * L3  There is one result for each row and fence.  So a worker whose COMMIT was cut off does the transaction again: if it
 *     finds its result, the transaction had been committed.
 * L4  Totals are sums over results.  A campaign ends when no row is unfinished, never because a claim found nothing: the
 *     row that others hold may still be split.
 * L5  The rows of a tree search are nodes.  The subtree of an unfinished row belongs to its holder.  All ancestors of a
 *     row are rows, and a branch that a slice adds to one of them (a reversal above the root of the lease) is inserted
 *     there unless it exists: (parent, label) is unique.
 * L6  Siblings are only appended, and a row can be claimed when the steps of the siblings before it are known
 *     (search/por/wakeup_share.h, T1).  The holder of a row publishes its step with the heartbeat.
 * L7  Every transaction that changes more than its own lease locks the row of the campaign first. */
#ifndef HD_STORE_STORE_H
#define HD_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_cluster;

struct hd_bytes {
    void *data;
    size_t size;
};

/* How the work of a campaign is divided. */
enum hd_cluster_kind {
    HD_CLUSTER_INDEX, /* a row is a range of indices */
    HD_CLUSTER_TREE,  /* a row is a node; its cursor is what remains below it */
    HD_CLUSTER_LIST,  /* a row is a part of the search without relation to others; its cursor describes it */
};

struct hd_cluster_campaign {
    int64_t id;
    char name[128];
    char state[16];    /* open, stopped, done */
    char outcome[256]; /* of one that is done: complete, found, budget, or a reason */
    int64_t kind;      /* enum hd_cluster_kind */
    int64_t pass;      /* rows of earlier passes are void or finished */
    int64_t bound;     /* of this pass */
    int64_t flags;     /* that slices of this pass have set */
    int64_t next_index, limit; /* HD_CLUSTER_INDEX; limit 0: none */
    double left;       /* seconds of the budget; negative: there is none */
    char *spec;        /* what is searched, and how: for the caller */
    char hash[65];     /* of the program */
};

struct hd_cluster_spec {
    const char *name;
    enum hd_cluster_kind kind;
    const char *spec;
    const char *hash;
    int64_t limit;
    double budget; /* seconds; 0: none */
};

/* Opens the store and brings its schema up to date.  Returns NULL with a message. */
struct hd_cluster *hd_cluster_open(const char *url, char *error, size_t cap);
void hd_cluster_close(struct hd_cluster *st);
/* The message of the last function that failed. */
const char *hd_cluster_error(const struct hd_cluster *st);
/* How long functions wait for a database that does not answer; 300 seconds unless set.  When `leaves` returns true they wait
 * for some seconds only; NULL: it never does. */
void hd_cluster_set_patience(struct hd_cluster *st, double seconds, bool (*leaves)(void));

/* Creates the campaign, or joins the one with that name, which must have the same spec and hash. */
bool hd_cluster_join(struct hd_cluster *st, const struct hd_cluster_spec *spec, struct hd_cluster_campaign *out);
/* Returns false without a message in hd_cluster_error if there is none of that name. */
bool hd_cluster_find(struct hd_cluster *st, const char *name, struct hd_cluster_campaign *out);
bool hd_cluster_refresh(struct hd_cluster *st, struct hd_cluster_campaign *c);
void hd_cluster_campaign_free(struct hd_cluster_campaign *c);

/* Stops, resumes (extra: seconds that its budget grows by) or ends a campaign; removes it with everything. */
bool hd_cluster_stop(struct hd_cluster *st, int64_t campaign);
bool hd_cluster_resume(struct hd_cluster *st, int64_t campaign, double extra);
bool hd_cluster_end(struct hd_cluster *st, int64_t campaign, const char *outcome);
bool hd_cluster_delete(struct hd_cluster *st, int64_t campaign);

/* ---- leases ---- */

/* A row: the leased one, one of its ancestors or a sibling of one of those. */
struct hd_cluster_node {
    int64_t id, parent; /* parent 0: the root */
    bool on_path;       /* the leased row or an ancestor */
    bool known;
    struct hd_bytes label, step;
};

struct hd_cluster_lease {
    int64_t campaign, pass, row, fence;
    int64_t first, end; /* HD_CLUSTER_INDEX: indices */
    struct hd_bytes cursor; /* data NULL: nothing was done yet */
    int64_t places_version;
    struct hd_bytes places; /* what all workers agree on, for the caller; data NULL: nothing yet */
    struct hd_cluster_node *nodes; /* HD_CLUSTER_TREE: parents before children, siblings in their order */
    uint32_t nnodes;
};

enum hd_cluster_claim {
    HD_CLAIM_WORK,
    HD_CLAIM_WAIT,   /* others hold what is left */
    HD_CLAIM_OVER,   /* the campaign is done, or its budget is used up */
    HD_CLAIM_STOPPED,
    HD_CLAIM_FAILED, /* hd_cluster_error */
};

/* Claims a row for some seconds; range: number of indices of a new row of HD_CLUSTER_INDEX. */
enum hd_cluster_claim hd_cluster_claim(struct hd_cluster *st, int64_t campaign, const char *worker, double seconds, int64_t range,
                                   struct hd_cluster_lease *out);
void hd_cluster_lease_free(struct hd_cluster_lease *l);

/* What a heartbeat tells its worker. */
struct hd_cluster_beat {
    bool mine;     /* the lease is still the worker's */
    bool go_on;    /* the campaign is open, and its budget is not used up */
    int64_t hungry; /* number of idle workers for which no row is left to claim */
};

/* Prolongs the lease and publishes the step of its row, if it is known by now (step may be NULL). */
bool hd_cluster_heartbeat(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l, double seconds,
                        const struct hd_bytes *step, struct hd_cluster_beat *out);

#define HD_NO_PARENT (-1)

/* A row that a slice adds. */
struct hd_cluster_row {
    int64_t parent;   /* its number; 0: parent_at; HD_NO_PARENT */
    uint32_t parent_at; /* index in the list, of a row before this one */
    bool append;      /* after all siblings, unless there is one with that label */
    int64_t order;    /* otherwise: place among the siblings */
    bool known;
    enum hd_cluster_row_state { HD_ROW_QUEUED, HD_ROW_DONE, HD_ROW_INNER } state;
    struct hd_bytes label, step, cursor;
};

struct hd_cluster_finding {
    char signature[40]; /* equal for findings that are the same for a user */
    const char *kind, *message;
    int64_t index; /* of its execution, HD_CLUSTER_INDEX; otherwise 0 */
    struct hd_bytes schedule, report;
};

struct hd_cluster_slice {
    const char *worker;
    double seconds;
    int64_t executions, redundant, buggy;
    struct hd_bytes totals; /* for the caller */
    int64_t flags;          /* added to those of the campaign */
    int64_t deepens;        /* when all rows are done and one of these flags is set, another pass with the next bound follows */
    enum hd_cluster_row_state state; /* of the leased row */
    int64_t first;          /* HD_CLUSTER_INDEX: the first index that is left */
    struct hd_bytes cursor; /* HD_ROW_QUEUED: what remains */
    struct hd_bytes step;   /* data NULL: not known */
    const struct hd_cluster_row *rows;
    uint32_t nrows;
    const struct hd_cluster_finding *findings;
    uint32_t nfindings;
    struct hd_bytes places; /* other than those of the lease: the slice counts only if they are still the campaign's; data
                             * NULL: the same */
    bool stops;             /* a finding ends the campaign, or at HD_CLUSTER_INDEX limits it to smaller indices */
};

enum hd_cluster_commit {
    HD_COMMIT_DONE,
    HD_COMMIT_LOST,   /* the lease was no longer the worker's: nothing of the slice counts */
    HD_COMMIT_FAILED, /* hd_cluster_error */
};

/* Commits the slice and gives the lease back. */
enum hd_cluster_commit hd_cluster_commit(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_cluster_slice *s);

/* Gives the lease back as it was. */
bool hd_cluster_release(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l);

/* Begins the pass again with other places, unless somebody else did: all rows and results so far are void. */
bool hd_cluster_restart(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_bytes *places);

/* ---- results ---- */

struct hd_cluster_totals {
    int64_t executions, redundant, buggy, slices, rows, unfinished, leased;
    double seconds; /* sum over all workers */
    int64_t workers; /* that were seen in the last 30 seconds */
};
bool hd_cluster_totals(struct hd_cluster *st, int64_t campaign, struct hd_cluster_totals *out);

/* Calls each for the totals of every slice that counts. */
bool hd_cluster_each_slice(struct hd_cluster *st, int64_t campaign, void (*each)(void *ctx, const struct hd_bytes *totals),
                         void *ctx);
bool hd_cluster_each_campaign(struct hd_cluster *st, void (*each)(void *ctx, const struct hd_cluster_campaign *c), void *ctx);
bool hd_cluster_each_finding(struct hd_cluster *st, int64_t campaign,
                           void (*each)(void *ctx, const struct hd_cluster_finding *f), void *ctx);

#endif
