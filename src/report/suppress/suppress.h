/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress.h - findings that the user knows of and does not want to be stopped by:
 * the files that describe them, and whether a finding is one of them.
 *
 * A file is a list of stanzas, in the manner of Valgrind's because that is what users
 * know (docs/suppressions.md):
 *
 *   {
 *     statistics are allowed to be wrong
 *     kind: data-race
 *     variable: stats.*
 *     stack:
 *     fun: bump
 *     ...
 *     fun: main
 *   }
 *
 * Nothing here knows of the target: what is judged is a struct of names, so that both
 * halves are tested without running anything. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESS_H
#define HD_REPORT_SUPPRESS_SUPPRESS_H

#include "model/finding.h"
#include "report/names/symbols.h"

enum hd_supp_part {
    HD_SUPP_STACK, /* what follows is about another stack */
    HD_SUPP_ANY,   /* "...": any number of frames, also none */
    HD_SUPP_FUN,
    HD_SUPP_FILE,
    HD_SUPP_OBJ,
};

struct hd_supp_line {
    enum hd_supp_part part;
    const char *glob; /* NULL for HD_SUPP_STACK and HD_SUPP_ANY */
};

struct hd_suppression {
    const char *name;     /* the user's words for it */
    const char *file;     /* as the user named it ... */
    unsigned line;        /* ... and where it begins there */
    const char *kind;     /* globs; kind is never NULL */
    const char **variables; /* each fits one of the finding's; none: any will do */
    unsigned nvariables;
    const char *message;  /* NULL: any */
    struct hd_supp_line *lines; /* innermost frame first */
    unsigned nlines;
    uint64_t findings;    /* how many it has suppressed */
};

struct hd_suppressions {
    struct hd_suppression *all; /* in the order of the files */
    unsigned n;
    char **texts; /* of the files: the strings above point into them */
    unsigned ntexts;
};

/* Add what the file says.  False with one sentence in error, which names file and line;
 * nothing of that file is added then.  path is kept. */
bool hd_suppressions_read(struct hd_suppressions *s, const char *path, char *error, size_t cap);

/* The same of a text; file: what to call it. */
bool hd_suppressions_parse(struct hd_suppressions *s, const char *file, const char *text,
                           char *error, size_t cap);

void hd_suppressions_free(struct hd_suppressions *s);

/* ---- judging ---------------------------------------------------------------------------- */

struct hd_supp_stack {
    const struct hd_frame *frames; /* innermost first */
    unsigned n;
};

struct hd_supp_subject {
    enum hd_finding_kind kind;
    const char *message;
    const char *const *variables; /* what it is about, each by its name */
    unsigned nvariables;
    const struct hd_supp_stack *stacks;
    unsigned nstacks;
};

/* The first one that covers it; NULL: none does.  More frames at the outer end of a
 * stack never make a difference from covered to not covered. */
struct hd_suppression *hd_suppressions_find(const struct hd_suppressions *s,
                                            const struct hd_supp_subject *what);

/* Is there one that may cover findings of this kind? */
bool hd_suppressions_concern(const struct hd_suppressions *s, enum hd_finding_kind kind);

/* A program that does not repeat itself makes the whole search void: that cannot be
 * waved through. */
static inline bool hd_supp_allowed(enum hd_finding_kind kind)
{
    return kind != HD_FK_NONDETERMINISM;
}

/* '*' stands for any text, '?' for any character; nothing else is special, because
 * brackets are common in names of variables and functions. */
bool hd_supp_glob(const char *glob, const char *text);

#endif
