/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study.h - the cells of a study arranged by programs and strategies, with the derived
 * numbers for tables and plots.
 *
 * A strategy has found a program's bug if one of its seeds has.  Failed cells count neither
 * as found nor as not found, and every output names them. */
#ifndef HD_STUDY_STUDY_H
#define HD_STUDY_STUDY_H

#include "study/db.h"
#include "study/stats.h"

/* One program with one strategy, over all seeds. */
struct hd_group {
    const struct hd_cell *cell; /* the cell with the smallest seed among those with a result, or
                                 * among all if none has one; NULL: there are no cells */
    uint32_t cells;      /* number of cells with a result */
    uint32_t found;      /* number of these that found the bug */
    uint32_t failed;     /* number of failed cells */
    uint32_t other;      /* number of cells that found only something else */
    double first;        /* median; INFINITY: most seeds have not found it.  Valid if cells > 0 */
    uint64_t executions; /* sum over all seeds */
    uint64_t sampled, buggy; /* executions, and failing ones, of cells that continued after the
                              * bug */
    uint64_t needed;     /* executions up to the bug, or all if it was not found */
    double seconds;
    double rate;         /* executions per second over all seeds */
};

/* One strategy, over all programs. */
struct hd_strategy_sums {
    uint32_t programs;   /* number of programs with a result */
    uint32_t found;
    uint32_t seeds;      /* largest number of seeds of a program */
    uint32_t cells, cells_found, failed, other;
    bool samples;
    uint64_t needed;     /* executions up to the bug, per seed */
    double median;       /* median of the programs' medians; may be INFINITY; valid if cells > 0 */
    double seconds;
    double rate;         /* median of the programs' rates */
};

struct hd_study {
    struct hd_cells cells;
    const struct hd_study_program **program; /* programs of the list that have cells, in its
                                              * order */
    size_t nprograms;
    struct hd_study_names strategies;
    struct hd_group *group;      /* [program * strategies.n + strategy] */
    int32_t *group_of;           /* for each cell; -1: none */
    struct hd_strategy_sums sums[HD_STUDY_STRATEGIES];
    size_t strangers;            /* number of cells of programs that are not in the list */
    bool crowded;                /* there are more strategies than the tables have room for */
    uint64_t limit;              /* largest limit of executions */
    uint64_t most;               /* largest number of executions of a cell */
};

/* Arranges the cells and takes ownership of them: programs of the list that the patterns
 * select, the strategies of `first`, then others in the order of their first cell.  The
 * list must outlive the study. */
void hd_study_build(struct hd_study *s, struct hd_cells cells, const struct hd_study_list *list,
                    const char *patterns, const struct hd_study_names *first);
void hd_study_free(struct hd_study *s);

static inline const struct hd_group *hd_study_group(const struct hd_study *s, size_t program, size_t strategy)
{
    return &s->group[program * s->strategies.n + strategy];
}

/* ---- sets ----------------------------------------------------------------------------------- */

/* One bit per strategy that has found the bug. */
uint32_t hd_study_found_by(const struct hd_study *s, size_t program);

/* True if some strategy has a result for the program.  If none has (it does not compile, say), it
 * is unknown whether the bug can be found. */
bool hd_study_known(const struct hd_study *s, size_t program);

/* Number of programs found by exactly these strategies. */
struct hd_subset {
    uint32_t strategies;
    uint32_t programs;
};

/* Stores the sets that occur, largest first, then by bits; programs with results whose bug
 * was not found are the set 0.  out has room for all programs.  Returns their number. */
size_t hd_study_subsets(const struct hd_study *s, struct hd_subset *out);

/* ---- cumulative ------------------------------------------------------------------------------ */

struct hd_step {
    double executions;
    double programs; /* found within that many executions, on average over the seeds */
};

/* Stores the steps of a strategy's curve in ascending order; out has room for all cells. */
size_t hd_study_cumulative(const struct hd_study *s, size_t strategy, struct hd_step *out);

#endif
