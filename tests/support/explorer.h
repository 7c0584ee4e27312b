/* SPDX-License-Identifier: BSD-2-Clause
 *
 * explorer.h - runs a strategy over an in-memory program through hd_search, as the runtime does: with an arena and a
 * campaign that outlive every search. */
#ifndef HD_TESTS_SUPPORT_EXPLORER_H
#define HD_TESTS_SUPPORT_EXPLORER_H

#include "search/core/search.h"
#include "support/program.h"

struct explorer_memory {
    void *base;
    size_t size;
};

struct explorer {
    const struct program *program;
    struct hd_strategy_cfg cfg;
    struct explorer_memory memory; /* arena, decisions and events */
    struct hd_arena arena;
    struct hd_campaign campaign;
    struct hd_execution exec;
    struct hd_search search;
    struct prog_state state; /* state of the current or last execution */
    const struct hd_strategy_ops *ops;
    uint32_t max_steps; /* maximum number of steps of an execution; 0: 10,000 */
    /* Called after each hd_search_end. */
    void (*seen)(struct explorer *x, void *ctx);
    void *ctx;
    /* Returns the number of racing sites that are known when an execution is over.  NULL: there are none. */
    uint32_t (*sites)(const struct explorer *x);
};

/* spec is "name[+reducer][:key=value,…]".  The program must outlive it. */
void explorer_open(struct explorer *x, const struct program *p, const char *spec, int64_t bound,
                   uint64_t seed);
/* Opens one of several workers, which share `shared`. */
void explorer_open_worker(struct explorer *x, const struct program *p, const char *spec,
                          int64_t bound, uint64_t seed, struct hd_arena *shared, struct hd_learnt *learnt,
                          uint32_t worker, uint32_t nworkers);
void explorer_close(struct explorer *x);

/* Like explorer_open, for several searches one after the other.  The explorer must be zeroed before the first one.
 * Its memory is reused and is not shared with child processes. */
void explorer_open_again(struct explorer *x, const struct program *p, const char *spec,
                         int64_t bound, uint64_t seed);

/* Begins a new search over the same campaign and arena, as a new worker does. */
void explorer_reopen(struct explorer *x);

/* Runs the execution that begin has started, for at most max_steps decisions.  Returns false if it is not over by
 * then.  Sets exec as the runtime does. */
bool explorer_run(struct explorer *x, uint32_t max_steps);

/* Runs executions until the search is exhausted or `limit` of them have begun. */
void explorer_all(struct explorer *x, uint64_t limit);

const struct hd_totals *explorer_totals(const struct explorer *x);

#endif
