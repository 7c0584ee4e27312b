/* SPDX-License-Identifier: BSD-2-Clause
 *
 * published.h - compares our results with published ones for the same programs.
 *
 * Systematic searches must agree number by number, as far as both have come; samples agree
 * if the 95% intervals of their shares of buggy executions overlap.  A difference has a
 * reason in a separate table, or is reported as unexplained. */
#ifndef HD_STUDY_PUBLISHED_H
#define HD_STUDY_PUBLISHED_H

#include "study/study.h"

struct hd_published {
    struct hd_tsv rows;       /* program, technique, bound, first, total, new, buggy, readable, source */
    struct hd_tsv deviations; /* program, technique (both patterns), reason */
};

/* Either file may be missing (NULL).  False with an error message. */
bool hd_published_read(struct hd_published *p, const char *rows, const char *deviations, char *error,
                       size_t cap);
void hd_published_free(struct hd_published *p);

enum {
    HD_PUBLISHED_UNKNOWN = -2, /* not readable or not given */
    HD_PUBLISHED_FOUND = -3,   /* for `first`: found, but the execution is unknown */
};

/* One row as numbers. */
struct hd_published_row {
    int64_t bound, first, total, fresh, buggy; /* HD_CELL_NONE: not found */
    bool limited; /* the total is a limit */
    bool clean;   /* clearly readable in the source */
};

/* Parses "x", "L100000", "found", "?", "-" or a number; false for anything else. */
bool hd_published_number(const char *text, int64_t *value, bool *limited);

enum hd_match {
    HD_MATCH_NONE,    /* nothing is published */
    HD_MATCH_SAME,
    HD_MATCH_OPEN,    /* no contradiction, but our search ended too early for a full comparison */
    HD_MATCH_DIFFERS,
};

struct hd_comparison {
    enum hd_match match;
    bool clean;
    const char *reason; /* reason of a difference; NULL: unexplained */
    char text[128];     /* the published numbers in the format of hd_cell_counts */
};

/* The rule for systematic searches, for one cell. */
enum hd_match hd_published_match_exact(const struct hd_published_row *row, const struct hd_cell *c);
/* The rule for samples. */
enum hd_match hd_published_match_share(const struct hd_published_row *row, const struct hd_group *g);

/* Counts for one strategy.  of: programs of this study that have published numbers.  found: those of them in which
 * the published search found the bug. */
struct hd_published_found {
    uint32_t found, of;
};
struct hd_published_found hd_published_found(const struct hd_published *p, const struct hd_study *s,
                                             const char *strategy);

void hd_published_compare(const struct hd_published *p, const char *program, const char *strategy,
                          const struct hd_group *g, struct hd_comparison *out);

#endif
