/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study.h - the cells of a study in order: programs by strategies, and what the tables and
 * plots say of them.
 *
 * A strategy has found a program's bug when one of its seeds has.  Cells that failed say
 * nothing: they count neither as found nor as not found, and every output names them. */
#ifndef HD_STUDY_STUDY_H
#define HD_STUDY_STUDY_H

#include "study/db.h"
#include "study/stats.h"

/* One program with one strategy, over all seeds. */
struct hd_group {
    const struct hd_cell *cell; /* that of the smallest seed, one with a result if there is one; NULL: none */
    uint32_t cells;      /* with a result */
    uint32_t found;      /* of these */
    uint32_t failed;     /* those without */
    uint32_t other;      /* found something else only */
    double first;        /* median; INFINITY: most seeds have not found it.  cells > 0 */
    uint64_t executions; /* of all seeds */
    uint64_t sampled, buggy; /* executions, and those that fail, of cells that went on after the bug */
    uint64_t needed;     /* executions up to the bug, or all where it was not found */
    double seconds;
    double rate;         /* executions per second, of all seeds */
};

/* One strategy, over all programs. */
struct hd_strategy_sums {
    uint32_t programs;   /* with a result */
    uint32_t found;
    uint32_t seeds;      /* most that a program has */
    uint32_t cells, cells_found, failed, other;
    bool samples;
    uint64_t needed;     /* executions up to the bug, one seed's share */
    double median;       /* of the programs' medians; INFINITY; cells > 0 */
    double seconds;
    double rate;         /* median of the programs' */
};

struct hd_study {
    struct hd_cells cells;
    const struct hd_study_program **program; /* those of the list that have cells, in its order */
    size_t nprograms;
    struct hd_study_names strategies;
    struct hd_group *group;      /* [program * strategies.n + strategy] */
    int32_t *group_of;           /* each cell; -1: none */
    struct hd_strategy_sums sums[HD_STUDY_STRATEGIES];
    size_t strangers;            /* cells of programs that the list does not have */
    bool crowded;                /* there are more strategies than tables have room for */
    uint64_t limit;              /* largest of executions */
    uint64_t most;               /* executions of the longest cell */
};

/* Put the cells in order, which then belong to it: programs of the list (those that the
 * patterns select), the strategies named first, then others in the order of their first cell.
 * The list must live as long. */
void hd_study_build(struct hd_study *s, struct hd_cells cells, const struct hd_study_list *list,
                    const char *patterns, const struct hd_study_names *first);
void hd_study_free(struct hd_study *s);

static inline const struct hd_group *hd_study_group(const struct hd_study *s, size_t program, size_t strategy)
{
    return &s->group[program * s->strategies.n + strategy];
}

/* ---- sets ----------------------------------------------------------------------------------- */

/* A bit for each strategy that has found it. */
uint32_t hd_study_found_by(const struct hd_study *s, size_t program);

/* Has any strategy a result for it?  Of a program that does not compile, say, nobody knows
 * whether it can be found. */
bool hd_study_known(const struct hd_study *s, size_t program);

/* How many programs have exactly these strategies found. */
struct hd_subset {
    uint32_t strategies;
    uint32_t programs;
};

/* The sets that occur, the largest first, then by bits; programs with results that nobody has
 * found are the set 0.  out has room for all programs.  Returns how many there are. */
size_t hd_study_subsets(const struct hd_study *s, struct hd_subset *out);

/* ---- cumulative ------------------------------------------------------------------------------ */

struct hd_step {
    double executions;
    double programs; /* found within that many, on average over the seeds */
};

/* Where the curve of a strategy goes up, in ascending order; out has room for all cells. */
size_t hd_study_cumulative(const struct hd_study *s, size_t strategy, struct hd_step *out);

#endif
