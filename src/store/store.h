/* SPDX-License-Identifier: BSD-2-Clause
 *
 * store.h - campaigns that many machines work on. A campaign consists of rows of work; a worker leases a row, explores
 * it for some seconds (a slice) and commits the result.
 *
 * L1  To claim a row, a worker writes holder, fence + 1 and time of expiry in one statement.  Times are those of the
 *     database's clock.  Any worker can claim an unfinished row whose lease has expired.
 * L2  Result, cursor, split and findings of a slice are committed in one transaction.  It requires that the row still
 *     has the fence of the lease and is not done.  Otherwise nothing of the slice is kept, and another worker repeats
 *     it.
 * L3  There is one result for each row and fence.  So a worker that has lost the connection during COMMIT repeats the
 *     transaction: if it finds its own result, the transaction had been committed.
 * L4  Totals are sums over results.  A campaign ends when no row is unfinished.  It does not end because a worker finds
 *     no row to claim: other workers may still split the rows that they hold.
 * L5  The rows of a tree search are nodes.  The subtree of an unfinished row belongs to its holder.  All ancestors of a
 *     row are rows.  A slice may find a branch above the root of its lease (a reversal); the commit inserts it under
 *     that ancestor unless it exists: (parent, label) is unique.
 * L6  Siblings are only appended.  A row can be claimed when the steps of the siblings before it are known
 *     (search/por/wakeup_share.h, T1).  The holder of a row publishes its step with the heartbeat.
 * L7  Every transaction that changes more than its own lease locks the row of the campaign first.  A slice that only
 *     continues its row does not lock it, so that thousands of workers do not wait for each other.  If the pass has
 *     become void meanwhile, the result is void too, because it names the pass. */
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
    HD_CLUSTER_TREE,  /* a row is a node of the tree; its cursor describes what remains below it */
    HD_CLUSTER_LIST,  /* a row is a list of tasks that do not depend on other rows; its cursor contains them */
};

struct hd_cluster_campaign {
    int64_t id;
    char name[128];
    char state[16];    /* open, stopped, done */
    char outcome[256]; /* for state "done": complete, found, budget, or another reason */
    int64_t kind;      /* enum hd_cluster_kind */
    int64_t pass;      /* number of the current pass; rows of earlier passes are void or finished */
    int64_t bound;     /* bound of this pass */
    int64_t flags;     /* flags that slices of this pass have set */
    int64_t next_index, limit; /* for HD_CLUSTER_INDEX; limit 0: none */
    double left;       /* seconds that are left of the budget; negative: there is no budget */
    char *spec;        /* properties of the search on which all workers must agree; only the caller interprets them */
    char hash[65];     /* hash of the program */
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
/* Returns the message of the last function that failed. */
const char *hd_cluster_error(const struct hd_cluster *st);
/* Sets how long functions wait for a database that does not answer (300 seconds by default).  When `leaves` returns
 * true they wait only a few more seconds; it may be NULL. */
void hd_cluster_set_patience(struct hd_cluster *st, double seconds, bool (*leaves)(void));

/* Creates the campaign, or joins the one with that name, which must have the same spec and hash. */
bool hd_cluster_join(struct hd_cluster *st, const struct hd_cluster_spec *spec, struct hd_cluster_campaign *out);
/* Returns false if it fails; if there is no campaign of that name, hd_cluster_error is empty. */
bool hd_cluster_find(struct hd_cluster *st, const char *name, struct hd_cluster_campaign *out);
/* Reads the campaign again.  Returns false with a message if it fails or the campaign was deleted; *c is unchanged then. */
bool hd_cluster_refresh(struct hd_cluster *st, struct hd_cluster_campaign *c);
void hd_cluster_campaign_free(struct hd_cluster_campaign *c);

/* Stop, resume and end the campaign (extra: its new budget from now on, in seconds; 0: no limit). hd_cluster_delete
 * removes it with all its rows. */
bool hd_cluster_stop(struct hd_cluster *st, int64_t campaign);
bool hd_cluster_resume(struct hd_cluster *st, int64_t campaign, double extra);
bool hd_cluster_end(struct hd_cluster *st, int64_t campaign, const char *outcome);
bool hd_cluster_delete(struct hd_cluster *st, int64_t campaign);

/* ---- programs in the store ---- */

struct hd_cluster_program {
    char name[128];           /* file name of the program, without directories */
    char build_id[65];
    char *features;           /* features of the processor of the machine that shipped it: words */
    struct hd_bytes command;  /* the command, whose meaning the caller defines */
    struct hd_bytes reference;
    struct hd_bytes content;  /* the file */
};

/* Stores the program with the campaign, unless the campaign has one. */
bool hd_cluster_ship(struct hd_cluster *st, int64_t campaign, const struct hd_cluster_program *p);
/* Reads the program; its content only if `content`.  Returns false without a message in hd_cluster_error if the
 * campaign has none. */
bool hd_cluster_shipped(struct hd_cluster *st, int64_t campaign, bool content, struct hd_cluster_program *out);
void hd_cluster_program_free(struct hd_cluster_program *p);

/* ---- leases ---- */

/* A row that the worker needs: the leased row, one of its ancestors, or a sibling of one of these. */
struct hd_cluster_node {
    int64_t id, parent; /* parent 0: it is the root */
    bool on_path;       /* the leased row or one of its ancestors */
    bool known;
    struct hd_bytes label, step;
};

struct hd_cluster_lease {
    int64_t campaign, pass, row, fence;
    int64_t first, end; /* for HD_CLUSTER_INDEX: the range of indices */
    struct hd_bytes cursor; /* data NULL: the row was never begun */
    int64_t places_version;
    struct hd_bytes places; /* the knowledge that all workers share (campaign/spread/knowledge.h); data NULL: none
                             * yet */
    struct hd_cluster_node *nodes; /* HD_CLUSTER_TREE: parents before children, siblings in their order */
    uint32_t nnodes;
};

enum hd_cluster_claim {
    HD_CLAIM_WORK,
    HD_CLAIM_WAIT,   /* other workers have leased all remaining rows */
    HD_CLAIM_OVER,   /* the campaign is done, or its budget is used up */
    HD_CLAIM_STOPPED,
    HD_CLAIM_FAILED, /* hd_cluster_error is the message */
};

/* Claims a row for that many seconds. range: number of indices of a new row of HD_CLUSTER_INDEX. */
enum hd_cluster_claim hd_cluster_claim(struct hd_cluster *st, int64_t campaign, const char *worker, double seconds, int64_t range,
                                   struct hd_cluster_lease *out);
void hd_cluster_lease_free(struct hd_cluster_lease *l);

/* The answer to a heartbeat. */
struct hd_cluster_beat {
    bool mine;     /* this worker still has the lease */
    bool go_on;    /* the campaign is open and its budget is not used up */
    int64_t hungry; /* number of idle workers for which no row is left to claim */
};

/* Prolongs the lease and publishes the step of its row if it is known by now (otherwise step is NULL). */
bool hd_cluster_heartbeat(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l, double seconds,
                        const struct hd_bytes *step, struct hd_cluster_beat *out);

#define HD_NO_PARENT (-1)

/* A row that a slice adds. */
struct hd_cluster_row {
    int64_t parent;   /* number of the parent row; 0: parent_at gives it; HD_NO_PARENT: none */
    uint32_t parent_at; /* index of the parent in this list; it comes before this row */
    bool append;      /* add it after all siblings, unless a sibling has the same label */
    int64_t order;    /* if not `append`: position among the siblings */
    bool known;
    enum hd_cluster_row_state { HD_ROW_QUEUED, HD_ROW_DONE, HD_ROW_INNER } state;
    struct hd_bytes label, step, cursor;
};

struct hd_cluster_finding {
    char signature[40]; /* equal for findings that a user would call the same */
    const char *kind, *message;
    int64_t index; /* for HD_CLUSTER_INDEX: index of its execution; otherwise 0 */
    struct hd_bytes schedule, report;
};

struct hd_cluster_slice {
    const char *worker;
    const char *program; /* its file name without directories, for the regression corpus; NULL: findings do not go there */
    double seconds;
    int64_t executions, redundant, buggy;
    struct hd_bytes totals; /* totals of the slice; only the caller interprets them */
    int64_t flags;          /* flags to add to those of the campaign */
    int64_t old_flags;      /* flags that the campaign has already; 0 if it is in another pass than the lease */
    int64_t deepens;        /* if all rows are done and one of these flags is set, another pass with the next bound
                             * follows */
    enum hd_cluster_row_state state; /* new state of the leased row */
    int64_t first;          /* for HD_CLUSTER_INDEX: the first index that was not run */
    struct hd_bytes cursor; /* for HD_ROW_QUEUED: what remains of the row */
    struct hd_bytes step;   /* data NULL: the step is not known */
    const struct hd_cluster_row *rows;
    uint32_t nrows;
    const struct hd_cluster_finding *findings;
    uint32_t nfindings;
    struct hd_bytes places; /* new knowledge: the slice counts only if the campaign's knowledge is still that of the
                             * lease; data NULL: unchanged */
    bool stops;             /* a finding ends the campaign; for HD_CLUSTER_INDEX it only excludes larger indices */
};

enum hd_cluster_commit {
    HD_COMMIT_DONE,
    HD_COMMIT_LOST,   /* the worker no longer had the lease: nothing of the slice counts */
    HD_COMMIT_FAILED, /* hd_cluster_error is the message */
};

/* Commits the slice and ends the lease. */
enum hd_cluster_commit hd_cluster_commit(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_cluster_slice *s);

/* Ends the lease and leaves the row as it was. */
bool hd_cluster_release(struct hd_cluster *st, const char *worker, const struct hd_cluster_lease *l);

/* Begins the pass again with new knowledge, unless another worker has done so: all rows and results of the pass
 * become void. */
bool hd_cluster_restart(struct hd_cluster *st, const struct hd_cluster_lease *l, const struct hd_bytes *places);

/* ---- for the dashboard (view.h) ---- */

/* True if the store has this finding with an index that is not larger, so that a commit would not change it. Returns
 * false also if the store does not answer. */
bool hd_cluster_has_finding(struct hd_cluster *st, int64_t campaign, const char *signature, int64_t index);

/* Call after the worker has handed back its work: marks it as gone. */
bool hd_cluster_leave(struct hd_cluster *st, const char *worker);

struct hd_cluster_claims {
    int64_t campaign, pass, executions;
    const char *verdict;  /* "CLEAN" ... */
    const char *sentence; /* what is known after these executions */
};
bool hd_cluster_say(struct hd_cluster *st, const struct hd_cluster_claims *claims);

/* ---- results ---- */

struct hd_cluster_totals {
    int64_t executions, redundant, buggy, slices, rows, unfinished, leased;
    double seconds; /* sum over all workers */
    int64_t workers; /* number of workers that were seen in the last 30 seconds */
};
bool hd_cluster_totals(struct hd_cluster *st, int64_t campaign, struct hd_cluster_totals *out);

/* Calls `each` for the totals of every slice that counts. */
bool hd_cluster_each_slice(struct hd_cluster *st, int64_t campaign, void (*each)(void *ctx, const struct hd_bytes *totals),
                         void *ctx);
bool hd_cluster_each_campaign(struct hd_cluster *st, void (*each)(void *ctx, const struct hd_cluster_campaign *c), void *ctx);
bool hd_cluster_each_finding(struct hd_cluster *st, int64_t campaign,
                           void (*each)(void *ctx, const struct hd_cluster_finding *f), void *ctx);

/* ---- the regression corpus ---- */

/* Calls `each` for every finding in the corpus.  It keeps the newest schedule of each finding of each program, also when
 * the campaign is deleted. program: only its findings; NULL: those of all programs. */
bool hd_cluster_each_regression(struct hd_cluster *st, const char *program,
                                void (*each)(void *ctx, const char *program, const struct hd_cluster_finding *f), void *ctx);
/* Removes the finding from the corpus. *there: whether the corpus contained it. */
bool hd_cluster_forget(struct hd_cluster *st, const char *signature, bool *there);

#endif
