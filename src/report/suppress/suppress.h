/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress.h - findings that the user knows and does not want reported: reads the files that
 * describe them, and decides whether a finding is one of them.
 *
 * A file is a list of stanzas.  They resemble Valgrind's, because users know those
 * (docs/suppressions.md):
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
 * These functions do not use the target: a finding is a struct of names.  So tests need not run a
 * program. */
#ifndef HD_REPORT_SUPPRESS_SUPPRESS_H
#define HD_REPORT_SUPPRESS_SUPPRESS_H

#include "model/finding.h"
#include "report/names/symbols.h"

enum hd_supp_part {
    HD_SUPP_STACK, /* starts the next stack */
    HD_SUPP_ANY,   /* "...": any number of frames, including none */
    HD_SUPP_FUN,
    HD_SUPP_FILE,
    HD_SUPP_OBJ,
};

struct hd_supp_line {
    enum hd_supp_part part;
    const char *glob; /* NULL for HD_SUPP_STACK and HD_SUPP_ANY */
};

struct hd_suppression {
    const char *name;     /* the first line of the stanza, which the user has written */
    const char *file;     /* path as the user gave it; NULL: --mute */
    unsigned line;        /* line where the stanza begins */
    const char *kind;     /* never NULL; kind, variables and message are globs */
    const char **variables; /* each must match a variable of the finding; none: any finding matches */
    unsigned nvariables;
    const char *message;  /* NULL: any message matches */
    struct hd_supp_line *lines; /* lines of all stacks, the innermost frame of each first */
    unsigned nlines;
    uint64_t findings;    /* number of findings that it has suppressed */
};

struct hd_suppressions {
    struct hd_suppression *all; /* in the order of the files */
    unsigned n;
    char **texts; /* contents of the files; the strings above point into them */
    unsigned ntexts;
};

/* Adds the suppressions of a file.  On an error, returns false with one sentence in `error` that
 * names file and line, and adds nothing.  path must stay valid. */
bool hd_suppressions_read(struct hd_suppressions *s, const char *path, char *error, size_t cap);

/* Adds the suppressions of a text, like hd_suppressions_read.  file: name of the text in messages. */
bool hd_suppressions_parse(struct hd_suppressions *s, const char *file, const char *text,
                           char *error, size_t cap);

/* Adds a suppression that matches all findings of a kind. */
void hd_suppressions_mute(struct hd_suppressions *s, enum hd_finding_kind kind);

void hd_suppressions_free(struct hd_suppressions *s);

/* ---- matching a finding -------------------------------------------------------------- */

struct hd_supp_stack {
    const struct hd_frame *frames; /* innermost first */
    unsigned n;
};

struct hd_supp_subject {
    enum hd_finding_kind kind;
    const char *message;
    const char *const *variables; /* names of the variables and objects of the finding */
    unsigned nvariables;
    const struct hd_supp_stack *stacks;
    unsigned nstacks;
};

/* Returns the first suppression that matches, or NULL if none does.  If a finding matches, it also
 * matches with more frames at the outer end of a stack. */
struct hd_suppression *hd_suppressions_find(const struct hd_suppressions *s,
                                            const struct hd_supp_subject *what);

/* True if a suppression may match findings of this kind. */
bool hd_suppressions_concern(const struct hd_suppressions *s, enum hd_finding_kind kind);

/* True if findings of this kind can be suppressed.  If a program is not deterministic, the whole
 * search is invalid, so this kind cannot. */
static inline bool hd_supp_allowed(enum hd_finding_kind kind)
{
    return kind != HD_FK_NONDETERMINISM;
}

/* True if the text matches the glob. '*' matches any text, '?' any character.  Nothing else is
 * special, because names of variables and functions often contain brackets. */
bool hd_supp_glob(const char *glob, const char *text);

#endif
