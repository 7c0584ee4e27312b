/* SPDX-License-Identifier: BSD-2-Clause
 *
 * strategy.h - the interface of all strategies: a strategy decides which thread runs next.
 *
 * Call order: open ( begin (pick | choose)* end )*
 *
 * A strategy never blocks, does no I/O and has no globals.  Its only sources of randomness
 * are cfg->seed and the execution's index, so one seed and one program give one
 * exploration.
 *
 * S1  The enabled set given to pick is never empty.
 * S2  pick returns a member of it; choose returns a value < n.  If this execution cannot show anything new,
 *     they may return HD_NO_TID or HD_NO_ALTERNATIVE instead.  The execution then ends there (HD_END_CUT), is
 *     not checked for findings and counts as redundant; `end` sees its events and the pending operations of all
 *     threads at that moment.  If at->again is set, pick was called for this step before, and the thread that
 *     it chose has turned out to be disabled.  That happens only to strategies with hd_traits.awaits.
 * S3  pick and choose are called only after the prefix that begin asked for: search.c
 *     replays and checks the prefix.
 * S4  A worker may be killed at any instruction.  The state that must survive is the cursor, which one store
 *     commits after `end` returns.  An interrupted execution is begun again with the old cursor.  The strategy
 *     must keep its other state (in cfg->arena) so that this repetition is harmless: the repetition overwrites
 *     what belongs to the execution, and everything else only grows.
 * S5  Each of several workers has its own arena and its own campaign, and the successor of a killed worker
 *     continues with these.  Workers communicate only through cfg->shared (share.h). */
#ifndef HD_SEARCH_CORE_STRATEGY_H
#define HD_SEARCH_CORE_STRATEGY_H

#include "base/arena.h"
#include "base/rng.h"
#include "model/campaign.h"
#include "model/execution.h"
#include "model/learnt.h"
#include "model/plan.h"
#include "model/point.h"
#include "model/traits.h"

/* The reducer in the name of a strategy, as in "dfs+cache": which continuations the strategy skips because it
 * has explored them before. */
enum hd_reducer {
    HD_REDUCE_NONE,
    HD_REDUCE_CACHE,     /* +cache: continuations of an equivalent prefix */
    HD_REDUCE_LAZYCACHE, /* +lazycache: likewise, ignoring the order of critical sections */
    HD_REDUCE_UNKNOWN,   /* no such reducer, or more than one */
};

struct hd_strategy_cfg {
    uint64_t seed;
    int64_t bound;            /* -1: no bound (iterative strategies continue until complete) */
    const char *params;       /* "key=value,key=value" after the name, or ""; hd_search_open
                               * has checked them against hd_strategy_ops.params */
    struct hd_arena *arena;   /* zeroed at first; survives the worker */
    struct hd_arena *shared;  /* one for all workers, mapped at the same address; only its base and size are
                               * used (share.h).  NULL: there is one worker */
    uint32_t worker;          /* number of this worker, from 0 */
    uint32_t nworkers;        /* 0 or 1: one worker */
    struct hd_learnt *learnt; /* shared facts (learnt.h); NULL unless there are several workers */
    uint64_t first_index;     /* index of the first execution; used only with HD_SPLIT_INDEX */
    struct hd_decision *decisions; /* decisions of the current execution, or of the last one */
    uint32_t *stands;         /* hashes of the points before these decisions
                               * (hd_execution.stands) */
    const struct hd_execution *exec; /* the execution of these decisions; hd_search_open sets it */
    const struct hd_decision *recorded; /* the decisions to replay; for replay only */
    uint32_t nrecorded;
    struct hd_plan *plan; /* for the strategy `follow` only; the steps of the plan are in `recorded` */
    enum hd_reducer reducer;
    /* Zeroes n bytes of the arena; NULL: the strategy stores zeros itself. */
    void (*wipe)(void *p, size_t n);
    bool plain_events; /* every plain access to shared memory is an event */
    bool blocks;       /* some operations are not scheduling points (model/point_class.h), so a step may consist
                        * of several operations */
    bool retry_sets;   /* retry sets (por/retry_sets.h); only for dpor-classic with one worker */
    uint64_t *beat;    /* incremented while a decision takes long, to show that the program does not hang; NULL:
                        * not used */
};

/* Signature of a decision whose operation is not known yet: it matches every operation.
 * Choices always have it. */
#define HD_SIG_ANY 0u

#define HD_NO_ALTERNATIVE UINT32_MAX

/* pick may also return this, if the thread's pending step differs from the one to which the same decisions led
 * before. */
#define HD_OTHER_STEP ((hd_tid)0xfffe)

/* What begin may return instead of a prefix, for a strategy with HD_SPLIT_TASKS. */
#define HD_NOTHING_LEFT UINT32_MAX        /* the search is complete */
#define HD_NOTHING_YET (UINT32_MAX - 1)   /* other workers may still give work away */

/* Which points of a prefix are also points of the previous execution.  The state of all threads at these points
 * is known and is compared during the replay.  Decisions alone say nothing about the threads that were not
 * chosen, but a reduction may put these to sleep or want to run them. */
enum hd_repeats {
    HD_REPEATS_NOTHING,  /* the prefix may come from any execution */
    HD_REPEATS_BUT_LAST, /* all decisions but the last, which the strategy has changed */
    HD_REPEATS_ALL,      /* all decisions; the next one is the first that may differ */
};

/* How a strategy divides its work among workers. */
enum hd_split {
    HD_SPLIT_NONE,  /* the strategy does not divide its work */
    HD_SPLIT_INDEX, /* execution i depends only on i and, at most, on the size of the program: each worker runs
                     * its share of the indices */
    HD_SPLIT_TASKS, /* workers give branches away through cfg->shared */
};

/* What end reports about an execution. */
struct hd_outcome {
    bool redundant; /* equivalent to an execution that was counted (at a lower bound, for example), or cut */
    bool over_bound; /* it was cut off because the bound allowed no thread to continue */
    bool exhausted; /* nothing is left: begin would return HD_NOTHING_LEFT */
    bool complete;  /* exhausted, and the requested space was explored completely */
    int64_t bound;  /* the bound that this execution belongs to; -1: none */
    bool restarted; /* the search starts again: all executions counted so far are redundant */
    uint32_t fallback;  /* enum hd_fallback: the strategy continues as a weaker one */
    uint64_t tree_max;  /* largest number of tree nodes kept at once; 0: no tree */
    bool estimated; /* the least number of preemptions of its class is only a lower bound */
    bool by_depth;  /* drawn with the guarantee of pct: bugs of some depth are found with at least a certain
                     * probability */
    bool unmodelled; /* an operation occurred that the reduction does not model */
};

/* A branching point on the path of the execution that has just ended. */
struct hd_branch {
    uint32_t all;      /* number of branches known so far; 1: only the one on the path */
    uint32_t explored; /* number of explored branches before the one on the path */
    uint64_t born;     /* index of the first execution that reached the point */
    uint64_t since;    /* index of the first execution through the branch on the path */
};

/* A parameter of a strategy, NAME:key=value.  Tables end with a key of NULL. */
struct hd_param {
    const char *key;
    int64_t min, max, fallback;
    const char *help; /* ends with the fallback in parentheses; NULL: for tests only, not documented */
};

struct hd_strategy_ops {
    const char *name;    /* spelling on the command line */
    const char *summary; /* one line for `heddle list` */
    struct hd_traits traits; /* properties without a reducer */
    const struct hd_param *params; /* NULL: none */
    /* *self is NULL at first; a later open with the same arena gets the state that the first one created.
     * Returns false if cfg asks for something that the strategy does not support. */
    bool (*open)(void **self, const struct hd_strategy_cfg *cfg);
    enum hd_split split;
    /* Starts execution `index` (counted over all workers).  Returns the number of decisions of the last
     * execution (cfg->decisions) to replay, or HD_NOTHING_LEFT, or HD_NOTHING_YET.  A decision that the
     * strategy has changed has the signature HD_SIG_ANY. */
    uint32_t (*begin)(void *self, const struct hd_cursor *now, uint64_t index);
    hd_tid (*pick)(void *self, const struct hd_point *at);
    enum hd_repeats repeats; /* cfg->stands is 0 at points that are not points of the last execution */
    bool reducible;    /* the strategy accepts reducers: it explores all continuations of a prefix before it leaves
                        * the prefix */
    bool skips_forced; /* need not be asked when only one thread is enabled */
    bool measures;     /* the strategy measures the tree of decisions, so it must make all of them */
    uint32_t (*choose)(void *self, const struct hd_point *at, uint32_t n);
    void (*end)(void *self, const struct hd_execution *done, const struct hd_cursor *now,
                struct hd_cursor *next, struct hd_outcome *out);
    /* For exhaustive strategies; called after end and before begin.  Stores branching point i, counted from the
     * root; returns false if there is none.  NULL: the strategy has no tree. */
    bool (*branch)(const void *self, uint32_t i, struct hd_branch *out);
    /* With several workers: stores in the share how much of the search this worker has explored.  NULL: the strategy
     * does not know. */
    void (*tell)(void *self);
};

/* All strategies that users can select, NULL-terminated.  The first one is the default of `run`. */
extern const struct hd_strategy_ops *const hd_strategies[];

/* Parameters of every strategy with a reducer. */
extern const struct hd_param hd_reducer_params[];

/* Finds a strategy by "name", "name+reducer" or either with ":parameters"; NULL if it is unknown.
 * Also finds follow, which is not in the list. */
const struct hd_strategy_ops *hd_strategy_find(const char *name);

/* Returns the reducer in the name of a strategy. */
enum hd_reducer hd_strategy_reducer(const char *name);

/* Returns the properties of a strategy with its reducer.  For an unknown strategy they claim nothing. */
struct hd_traits hd_strategy_traits(const char *name);

/* True if every item of "k=v,k=v" names a parameter of the strategy or of its reducer, with a value in its
 * range. */
bool hd_strategy_accepts(const struct hd_strategy_ops *ops, enum hd_reducer reducer, const char *params);

/* Returns the value of a parameter in "k=v,k=v", or the fallback in its row of the table. */
int64_t hd_param_value(const struct hd_param *table, const char *params, const char *key);

/* True if the table, which may be NULL, has a parameter of that name. */
bool hd_param_exists(const struct hd_param *table, const char *key);

/* For open: returns *self, or n zeroed bytes of the arena if *self is still NULL. */
void *hd_strategy_state(void *self, const struct hd_strategy_cfg *cfg, size_t n);

#endif
