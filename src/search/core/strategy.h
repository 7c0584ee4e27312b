/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategy.h - the interface of every strategy: who runs next.
 *
 * Call order:  open  ( begin  (pick | choose)*  end )*
 *
 * Never blocks, does no I/O, has no globals; its only randomness comes from
 * cfg->seed and the execution's index, so one seed and one program give one
 * exploration.
 *
 * S1  The enabled set given to pick is never empty.
 * S2  pick returns a member of it; choose returns a value < n.  Instead they may
 *     return HD_NO_TID, HD_NO_ALTERNATIVE: nothing new can come of this execution.
 *     It ends there (HD_END_CUT), is not judged and counts as redundant; end finds
 *     its events and the pending operations of all threads at that moment.
 * S3  pick and choose are called only beyond the prefix that begin asked for:
 *     the layer above (search.c) replays the prefix and checks it.
 * S4  A worker may be killed at any instruction.  What must survive is the
 *     cursor, which is committed in one store after end returns; an execution
 *     that was cut off is begun again with the old cursor.  State outside the
 *     cursor (in cfg->arena) must make that repetition harmless: frames beyond
 *     the cursor are rewritten, everything else is monotone.
 * S5  With several workers each has an arena and a campaign of its own, which the
 *     process that goes on after a killed one finds again; they meet in
 *     cfg->shared only (share.h). */
#ifndef HD_SEARCH_CORE_STRATEGY_H
#define HD_SEARCH_CORE_STRATEGY_H

#include "base/arena.h"
#include "base/rng.h"
#include "model/campaign.h"
#include "model/execution.h"
#include "model/plan.h"
#include "model/point.h"

/* What a strategy leaves out because it was there before: "name+cache". */
enum hd_reducer {
    HD_REDUCE_NONE,
    HD_REDUCE_CACHE,     /* +cache: what follows an equivalent prefix */
    HD_REDUCE_LAZYCACHE, /* +lazycache: the same, orders of critical sections apart */
    HD_REDUCE_UNKNOWN,   /* no such reducer, or more than one */
};

struct hd_strategy_cfg {
    uint64_t seed;
    int64_t bound;            /* -1: none (iterative strategies go on until complete) */
    const char *params;       /* "key=value,key=value" after the name, or "" */
    struct hd_arena *arena;   /* survives the worker; zeroed */
    struct hd_arena *shared;  /* one for all workers, at the same address in each of them;
                               * only base and size are used: see share.h.  NULL: alone */
    uint32_t worker;          /* which of them, from 0 */
    uint32_t nworkers;        /* 0 and 1: alone */
    struct hd_decision *decisions; /* of the execution that runs or ran last */
    uint32_t *stands;         /* what is known of the points before them (hd_execution.stands) */
    const struct hd_execution *exec; /* the same execution; set by hd_search_open */
    const struct hd_decision *recorded; /* replay only */
    uint32_t nrecorded;
    struct hd_plan *plan; /* follow only; its steps are in recorded */
    enum hd_reducer reducer;
    /* Make n bytes of the arena zero; NULL: by writing zeros. */
    void (*wipe)(void *p, size_t n);
    bool plain_events; /* every shared plain access is an event */
};

/* Signature of a decision of which nobody knows yet what it will do: fits
 * everything.  Choices have it always. */
#define HD_SIG_ANY 0u

#define HD_NO_ALTERNATIVE UINT32_MAX

/* pick may return it, too: a step was other than when the same decisions led to it before. */
#define HD_OTHER_STEP ((hd_tid)0xfffe)

/* What begin of a strategy that shares its work may return instead of a prefix. */
#define HD_NOTHING_LEFT UINT32_MAX        /* all is explored */
#define HD_NOTHING_YET (UINT32_MAX - 1)   /* other workers may still give some away */

/* What a prefix has in common with the execution before it.  How all threads stood at
 * those points is known then, and is compared: the decisions alone tell nothing of the
 * threads that were not chosen, which a reduction lets sleep or wants to run. */
enum hd_repeats {
    HD_REPEATS_NOTHING,  /* it may come from anywhere */
    HD_REPEATS_BUT_LAST, /* all decisions but the last, which is the one that was changed */
    HD_REPEATS_ALL,      /* all of them: the next one is the first that may differ */
};

/* How the work of a strategy is divided among workers. */
enum hd_split {
    HD_SPLIT_NONE,  /* not at all */
    HD_SPLIT_INDEX, /* execution i depends on i, and at most on how large the program is:
                     * every worker takes its share of them */
    HD_SPLIT_TASKS, /* workers give branches away, through cfg->shared */
};

/* What an execution was worth, told by end. */
struct hd_outcome {
    bool redundant; /* repeats one that was counted (lower bound, cut off) */
    bool exhausted; /* nothing is left: begin would return false */
    bool complete;  /* exhausted, and what was asked for was explored completely */
    int64_t bound;  /* the bound this execution belongs to, -1 none */
    bool restarted; /* the search begins anew: all that was counted so far is redundant */
    uint32_t fallback;  /* enum hd_fallback: the strategy goes on as a weaker one */
    uint64_t tree_max;  /* most nodes that the strategy has kept at once; 0 no tree */
    bool estimated; /* a lower bound stood for its least preemptions */
    bool by_depth;  /* drawn with the guarantee of pct: a probability for bugs of some depth */
    bool unmodelled; /* something happened that a reduction has no model of */
};

/* A branching point on the path of the execution that has just ended. */
struct hd_branch {
    uint32_t all;      /* its branches, as far as they are known; 1: none but the path's */
    uint32_t explored; /* of these, before the one on the path */
    uint64_t born;     /* execution that came here first ... */
    uint64_t since;    /* ... and the first one through the branch on the path */
};

struct hd_strategy_ops {
    const char *name;    /* spelling on the command line */
    const char *summary; /* one line for `heddle list` */
    bool samples;        /* draws its executions at random and never completes */
    /* *self is NULL at first; a later open over the same arena gets what the
     * first one made there.  False: params not understood. */
    bool (*open)(void **self, const struct hd_strategy_cfg *cfg);
    enum hd_split split;
    /* Start execution `index` (with several workers: of all of them).  Returns how many decisions of the last
     * execution (cfg->decisions) are to be replayed; where it has changed one,
     * its sig is HD_SIG_ANY; or HD_NOTHING_LEFT, HD_NOTHING_YET. */
    uint32_t (*begin)(void *self, const struct hd_cursor *now, uint64_t index);
    hd_tid (*pick)(void *self, const struct hd_point *at);
    enum hd_repeats repeats; /* points that it has made no part of the last execution are 0 in
                              * cfg->stands */
    bool needs_accesses; /* only with cfg->plain_events */
    bool reducible;    /* takes reducers: explores all that follows a prefix before it leaves it */
    bool skips_forced; /* need not be asked where only one thread is enabled */
    uint32_t (*choose)(void *self, const struct hd_point *at, uint32_t n);
    void (*end)(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                struct hd_cursor *next, struct hd_outcome *out);
    /* Exhaustive strategies, after end and before begin: branching point number i,
     * counted from the root; false when there are no more.  NULL: no tree. */
    bool (*branch)(const void *self, uint32_t i, struct hd_branch *out);
};

/* All strategies for users; the first is the default of `run`.  NULL-terminated. */
extern const struct hd_strategy_ops *const hd_strategies[];

/* By name, without parameters; NULL when unknown.  A reducer is not looked at.  Also
 * finds follow, which is not in the list. */
const struct hd_strategy_ops *hd_strategy_find(const char *name);

/* The reducer in "name+reducer". */
enum hd_reducer hd_strategy_reducer(const char *name);

/* Is name, with or without a reducer, the strategy called base? */
bool hd_strategy_is(const char *name, const char *base);

/* Does the strategy of that name draw its executions at random? */
bool hd_strategy_samples(const char *name);

/* The value of key in "k=v,k=v", or fallback when it is not there; sets *ok to
 * false when the value is no number. */
int64_t hd_strategy_param(const char *params, const char *key, int64_t fallback, bool *ok);

/* Is every key in params one of the NULL-terminated list? */
bool hd_strategy_params_known(const char *params, const char *const *keys);

/* For open: *self, or when that is NULL yet, n zeroed bytes of the arena. */
void *hd_strategy_state(void *self, const struct hd_strategy_cfg *cfg, size_t n);

#endif
