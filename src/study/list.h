/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.h - the subject of a study: the programs of a list (bench/programs/README.md
 * describes its columns), the strategies and the seeds. */
#ifndef HD_STUDY_LIST_H
#define HD_STUDY_LIST_H

#include <stdint.h>

#include "study/tsv.h"

struct hd_study_program {
    const char *id, *suite, *name; /* name: not empty, unique */
    const char *source;  /* files separated by blanks, or one program that is already built */
    const char *cflags, *arguments;
    const char *kinds;   /* kinds of finding that are its bug, separated by |; "": any */
    const char *notes;
    const char *options; /* additional options of `heddle run` */
};

struct hd_study_list {
    struct hd_tsv tsv;
    struct hd_study_program *program;
    size_t n;
};

/* False with an error message. */
bool hd_study_list_read(struct hd_study_list *l, const char *path, char *error, size_t cap);
void hd_study_list_free(struct hd_study_list *l);

/* Shell patterns separated by commas: one of them must match the name, the suite or a word
 * of the notes.  Patterns joined by + must all match.  NULL selects all. */
bool hd_study_selects(const char *patterns, const struct hd_study_program *p);

/* True if it is one of the kinds of finding that are the program's bug. */
bool hd_study_kind_expected(const char *kinds, const char *kind);

enum { HD_STUDY_STRATEGIES = 24, HD_STUDY_NAME = 96 };

struct hd_study_names {
    char name[HD_STUDY_STRATEGIES][HD_STUDY_NAME];
    size_t n;
};

/* "dfs,pct:d=3,k=100;random": commas and semicolons separate, but a comma before key=value
 * belongs to the parameters.  Does not check names.  False with an error message. */
bool hd_study_strategies(const char *text, struct hd_study_names *out, char *error, size_t cap);

struct hd_study_seeds {
    uint64_t first, n;
};

/* "20" means 1..20; "5..8" is a range. */
bool hd_study_seeds(const char *text, struct hd_study_seeds *out, char *error, size_t cap);

#endif
